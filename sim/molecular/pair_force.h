#pragma once

#include <memory>

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"
#include "sim/molecular/pair_kernel.h"
#include "sim/molecular/pairs.h"
#include "sim/space/neighbours.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// Short-range pair forces: Lennard-Jones, and Coulomb with a reaction field or screened.
/// Bitwise repeatable for any number of threads.
///
/// Pair terms are in float (single, mixed) or double. Separations are of the state's positions, so
/// in mixed precision they are subtracted in double. Each SIMD lane sums a few dozen neighbours in
/// the number type of the terms; the sum over lanes is in double. Energy and virial are always in
/// double.
class PairForce {
 public:
  /// The caller updates `neighbours` before each force.
  PairForce(const PairTable& table, std::shared_ptr<const Neighbours> neighbours,
            engine::Index count, engine::Precision precision);

  static std::uint64_t scratch_bytes(engine::Index count, engine::Precision precision);

  /// Adds to the accelerations of all bodies, and the length of all lists to
  /// `report.interactions`.
  void run(const engine::Cpu& exec, State<engine::Host>& state, StepReport& report);

  /// Potential energy [energy] at the last update of the neighbours.
  double potential_energy(const engine::Cpu& exec, const State<engine::Host>& state);
  /// Sum over pairs of d . F [energy], at the last call of potential_energy.
  double virial() const { return virial_sum_; }

 private:
  struct Energies {
    double energy = 0, virial = 0;
    Energies& operator+=(const Energies& o) {
      energy += o.energy, virial += o.virial;
      return *this;
    }
  };
  Energies energies(const engine::Cpu& exec, const State<engine::Host>& state);
  template <class StateReal, class Real>
  PairLoop<StateReal, Real> loop(const engine::Cpu& exec,
                                 const NeighbourView<StateReal>& neighbours,
                                 const std::uint8_t* species);
  template <class StateReal, class Real>
  void add(const engine::Cpu& exec, const StateView<StateReal>& state,
           const PairKernel<StateReal, Real>& kernel, StepReport& report);

  double virial_sum_ = 0;
  PairTable table_;
  std::vector<PairCoefficients<float>> single_table_;
  std::shared_ptr<const Neighbours> neighbours_;
  engine::Precision precision_;
  engine::Buffer<double, engine::Host> force_[3], energy_, virial_, position_[3];
  engine::Buffer<std::uint8_t, engine::Host> kind_;
};

}  // namespace mote::sim
