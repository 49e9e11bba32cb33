#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "sim/gravity/chosen_device.h"
#include "sim/gravity/direct.h"

namespace mote::engine {
template <int K>
class Reduction;
}

namespace mote::sim {

/// Kernels that sum forces on a GPU, simplest first; docs/physics/gravity.md describes each, and
/// when it is chosen.
enum class DirectKernel { automatic, tiled, split, symmetric, wide, gather };

std::string_view name_of(DirectKernel kernel);

/// Gravity by direct summation on a GPU. Semantics and precisions are those of DirectGravity. The
/// bits are the same from run to run and on GPUs of any size (of one architecture: another may
/// approximate roots otherwise), but differ from those of the CPU, whose roots and order of
/// summation differ.
///
/// Relative error against an exact sum, for bodies of similar mass: single at most 1.2e-6 (float
/// terms; sums of up to 2,048 of them go to double, except that the gather kernel's lanes stay in
/// float); mixed has the same terms, but separations from positions of two floats; double 2e-14.
class DeviceDirectGravity {
 public:
  /// Keeps no slots of bodies (Force::follows_order).
  static constexpr bool follows_order = true;
  static constexpr CopiesNeeded copies_needed = CopiesNeeded::positions;

  using Parameters = Gravity;

  /// Blocks with which each block of the symmetric kernel is paired before sums are folded. Each
  /// takes 12 bytes per body (24 in double). Another number rounds differently.
  static constexpr int offsets_per_round = 128;

  /// Approximate duration of one launch [s]. A GPU that drives a display aborts kernels that run
  /// for seconds, and draws nothing meanwhile. Does not affect rounding.
  static constexpr double launch_seconds = 0.05;

  /// `initial`: the bodies of all ranks at the start; masses never change. `round`: offsets per
  /// round; `launch`: duration of a launch [s]. Throws SystemError if the device is out of memory.
  DeviceDirectGravity(const engine::Cuda& exec, const Gravity& parameters, double gravitational,
                      const State<engine::Host>& initial,
                      DirectKernel kernel = DirectKernel::automatic, int round = offsets_per_round,
                      double launch = launch_seconds);

  DeviceDirectGravity(DeviceDirectGravity&&) noexcept;
  ~DeviceDirectGravity();

  /// Device memory for `count` bodies, all with mass [bytes].
  static std::uint64_t device_bytes(engine::Index count, engine::Precision precision);

  /// The kernel that `automatic` selects for `count` bodies, `sources` of them with mass; `equal`:
  /// all masses are equal.
  static DirectKernel choose(engine::Index count, engine::Index sources,
                             engine::Precision precision, bool equal = false);

  /// Largest number of bodies for which `automatic` selects `gather`. Persistent kernels sum in the
  /// same order.
  static engine::Index gather_limit();

  /// Applies a changed softening; the constant is fixed. Kernels already launched keep the old one.
  void change(const Gravity& parameters) { softening_ = parameters.softening; }

  /// Adds to the accelerations of all bodies and to `report.interactions`. Asynchronous.
  void run(const engine::Cuda& exec, State<engine::Device>& state, StepReport& report);
  /// Adds what the request asks for. Chosen bodies and jerks have kernels of their own
  /// (ChosenDirectForces), whose sums differ by round-off. Asynchronous.
  void run(const engine::Cuda& exec, State<engine::Device>& state, const ForceRequest& request,
           StepReport& report);

  /// Potential energy [energy], always summed in double. Synchronises.
  double potential_energy(const engine::Cuda& exec, const State<engine::Device>& state);

  /// The potential at each body per unit mass [velocity^2], summed in double. Synchronises.
  std::vector<double> potentials(const engine::Cuda& exec, const State<engine::Device>& state);

  DirectKernel kernel() const { return kernel_; }
  double softening() const { return softening_; }
  double gravitational() const { return gravitational_; }
  /// Bodies with mass.
  engine::Index sources() const { return massive_; }
  /// Source number of each body, or -1; null if body i is source i.
  const int* slots() const { return slots_.size() > 0 ? slots_.data() : nullptr; }

 private:
  template <class T>
  using Column = engine::Buffer<T, engine::Device>;

  template <engine::Precision precision>
  void run_on(const engine::Cuda& exec, State<engine::Device>& state);
  template <class Shape, class Real>
  void run_symmetric(const engine::Cuda& exec, StateView<Real> state, StateView<Real> with_copies,
                     engine::Index own_begin);
  template <engine::Precision precision, class Real>
  void run_split(const engine::Cuda& exec, StateView<Real> state, StateView<Real> with_copies);

  double softening_, gravitational_;
  engine::Index count_, massive_ = 0;
  engine::Precision precision_;
  DirectKernel kernel_;
  int round_;
  /// Scale lengths and masses to order one (symmetric): powers of two; equal masses become one.
  double length_scale_ = 1, mass_scale_ = 1;
  bool equal_ = false;                         ///< all masses are equal
  double float_terms_ = 0, double_terms_ = 0;  ///< terms per launch, by number type
  Column<int> slots_;
  Column<double> sources_, sums_;  ///< raw buffers of the kernels
  std::unique_ptr<engine::Reduction<1>> potential_;
  ChosenDirectForces chosen_;
  std::vector<engine::Range> owned_;  ///< bodies, by rank: once sums have been exchanged
};

}  // namespace mote::sim
