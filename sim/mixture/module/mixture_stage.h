#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "sim/mixture/mixture.h"
#include "sim/model/model.h"
#include "sim/state.h"

namespace mote::sim {

/// The grains of a scene, or null.
const Physics* grains_in(const Model& model);

/// Coupling of grains and fluid on the CPU, for FluidStage.
class GrainsInFluid {
 public:
  /// `kinds`: FluidKind by index.
  GrainsInFluid(const Fluid& fluid, const Model& model, const Physics& grains,
                const State<engine::Host>& initial, std::vector<std::uint8_t> kinds);

  /// Before the fluid's forces: sets the porosities in their view, and where they store their own
  /// part of the accelerations.
  template <class Const, class Real>
  void set_porosities(const engine::Cpu& exec, const StateView<Const>& state,
                      FluidView<Real>& view);
  /// After them: adds the forces between grains and fluid. Returns the longest stable step [time].
  template <class Real>
  double add_forces(const engine::Cpu& exec, const StateView<Real>& state);

 private:
  template <class Real>
  struct Of {
    MixtureForce<Real> force;
    std::vector<Real> porosity, fluid_a[3];
  };
  template <class Const, class Real>
  MixtureView<Real> view_of(const StateView<Const>& state, const Of<Real>& of) const;

  std::vector<std::uint8_t> kind_, grain_;
  std::variant<Of<float>, Of<double>> of_;
};

}  // namespace mote::sim
