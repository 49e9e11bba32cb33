#pragma once

#include <memory>

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"
#include "sim/module.h"
#include "sim/molecular/pair_kernel.h"
#include "sim/molecular/pairs.h"
#include "sim/space/neighbours.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// Forces between pairs of bodies that are near each other: Lennard-Jones, and Coulomb with a
/// reaction field. Bitwise repeatable for any number of threads.
///
/// Pair terms are in float (single, mixed) or double; separations are those of the state's places,
/// so that in mixed precision they are subtracted in double. Sums over neighbours are in the number
/// type of the terms, a few dozen of them in each of the lanes of an instruction, and their sum in
/// double. Energy and virial are in double always.
class PairForce {
 public:
  /// `near` is updated by somebody else, before.
  PairForce(const PairTable& table, std::shared_ptr<const Neighbours> near, engine::Index count,
            engine::Precision precision);

  static const ModuleInfo& info();
  static std::uint64_t scratch_bytes(engine::Index count, engine::Precision precision);

  /// Adds to the accelerations of all bodies and to the interactions of the report: all neighbours
  /// that were looked at.
  void run(const engine::Cpu& exec, State<engine::Host>& state, StepReport& report);

  /// Of the positions that the neighbours were updated for.
  double potential_energy(const engine::Cpu& exec, const State<engine::Host>& state);
  /// Sum over pairs of d . F [energy], of the state whose energy was asked for last.
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
  PairLoop<StateReal, Real> loop(const engine::Cpu& exec, const NeighbourView<StateReal>& near,
                                 const std::uint8_t* species);
  template <class StateReal, class Real>
  void add(const engine::Cpu& exec, const StateView<StateReal>& state,
           const PairKernel<StateReal, Real>& kernel, StepReport& report);

  double virial_sum_ = 0;
  PairTable table_;
  std::vector<PairCoefficients<float>> single_table_;
  std::shared_ptr<const Neighbours> near_;
  engine::Precision precision_;
  engine::Buffer<double, engine::Host> force_[3], energy_, virial_, place_[3];
  engine::Buffer<std::uint8_t, engine::Host> kind_;
};

}  // namespace mote::sim
