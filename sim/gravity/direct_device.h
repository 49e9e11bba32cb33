#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "sim/gravity/direct.h"

namespace mote::engine {
template <int K>
class Reduction;
}

namespace mote::sim {

/// The kernels that sum forces on a GPU, simplest first. docs/physics/gravity.md says how each
/// works, and which is chosen when.
enum class DirectKernel { automatic, tiled, split, symmetric, wide, gather };

std::string_view name_of(DirectKernel kernel);

/// Gravity by direct summation on a GPU. What DirectGravity says holds here, with the same names of
/// precisions; the bits are the same from run to run and on GPUs of any size (of one architecture:
/// another may approximate roots otherwise), but not those of the CPU, whose roots and order of
/// summation differ.
///
/// Errors against an exact sum, of bodies whose parts are alike: single 1.2e-6 at worst (float
/// terms; sums of up to 2,048 of them go to double, those of the gather kernel's lanes stay float);
/// mixed the same terms of separations from positions of two floats; double 2e-14.
class DeviceDirectGravity {
 public:
  using Parameters = Gravity;

  /// Blocks that each block of the symmetric kernel meets before sums are folded: they have 12
  /// bytes a body each (24 in double). Another number rounds differently.
  static constexpr int offsets_of_a_round = 128;

  /// What one launch takes, about [s]: a GPU that also draws a display ends kernels that run for
  /// seconds, and draws nothing meanwhile. Any number rounds alike.
  static constexpr double time_of_a_launch = 0.05;

  /// `initial`: the bodies at the start; masses never change. Throws SystemError when the device is
  /// out of memory.
  DeviceDirectGravity(const engine::Cuda& exec, const Gravity& parameters, double gravitational,
                      const State<engine::Host>& initial,
                      DirectKernel kernel = DirectKernel::automatic, int round = offsets_of_a_round,
                      double launch = time_of_a_launch);

  DeviceDirectGravity(DeviceDirectGravity&&) noexcept;
  ~DeviceDirectGravity();

  /// Bytes of device memory for `count` bodies that all have mass.
  static std::uint64_t device_bytes(engine::Index count, engine::Precision precision);

  /// The kernel that `automatic` means for so many bodies, `sources` of them with mass; `equal`:
  /// all with the same.
  static DirectKernel choose(engine::Index count, engine::Index sources,
                             engine::Precision precision, bool equal = false);

  /// Up to so many bodies `automatic` means `gather`, whose sums stepping inside one kernel
  /// repeats.
  static engine::Index gathered_up_to();

  /// Takes over the softening; the constant stays. Kernels that have been started keep what they
  /// were started with.
  void change(const Gravity& parameters) { softening_ = parameters.softening; }

  /// Adds to the accelerations of all bodies, and to the interactions of the report. Does not wait.
  void run(const engine::Cuda& exec, State<engine::Device>& state, StepReport& report);

  /// Potential energy of the positions, in double whatever the precision of the state. Waits.
  double potential_energy(const engine::Cuda& exec, const State<engine::Device>& state);

  DirectKernel kernel() const { return kernel_; }
  double softening() const { return softening_; }
  double gravitational() const { return gravitational_; }
  /// Bodies with mass.
  engine::Index sources() const { return massive_; }
  /// Which source a body is, or -1, for each body; null when body i is source i.
  const int* slots() const { return slots_.size() > 0 ? slots_.data() : nullptr; }

 private:
  template <class T>
  using Column = engine::Buffer<T, engine::Device>;

  template <engine::Precision precision>
  void run_on(const engine::Cuda& exec, State<engine::Device>& state);
  template <class Shape, class Real>
  void run_symmetric(const engine::Cuda& exec, StateView<Real> state);
  template <engine::Precision precision, class Real>
  void run_split(const engine::Cuda& exec, StateView<Real> state);

  double softening_, gravitational_;
  engine::Index count_, massive_ = 0;
  engine::Precision precision_;
  DirectKernel kernel_;
  int round_;
  /// Bring numbers to the order of one (symmetric): powers of two; with equal masses the mass
  /// becomes one.
  double length_scale_ = 1, mass_scale_ = 1;
  bool equal_ = false;                         ///< all masses
  double float_terms_ = 0, double_terms_ = 0;  ///< of one launch, by what they are computed in
  Column<int> slots_;
  Column<double> sources_, sums_;  ///< raw memory of the kernels
  std::unique_ptr<engine::Reduction<1>> potential_;
};

}  // namespace mote::sim
