#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "sim/mixture/mixture.h"
#include "sim/scene/description.h"
#include "sim/state.h"

namespace mote::sim {

/// The grains in the fluid of a scene, as FluidStage needs them on the CPU.
class GrainsInFluid {
 public:
  /// `kinds`: FluidKind, by column.
  GrainsInFluid(const SceneDescription& scene, const State<engine::Host>& initial,
                std::vector<std::uint8_t> kinds);

  /// Before the fluid's own forces: tells them how much of the place is theirs, and to leave what
  /// they did.
  template <class Const, class Real>
  void look(const engine::Cpu& exec, const StateView<Const>& state, FluidView<Real>& view);
  /// Behind them: what grains and fluid do to each other. Returns the longest stable step [time].
  template <class Real>
  double push(const engine::Cpu& exec, const StateView<Real>& state);

 private:
  template <class Real>
  struct Of {
    MixtureForce<Real> force;
    std::vector<Real> porosity, own[3];
  };
  template <class Const, class Real>
  MixtureView<Real> view_of(const StateView<Const>& state, const Of<Real>& of) const;

  std::vector<std::uint8_t> kind_, grain_;
  std::variant<Of<float>, Of<double>> of_;
};

/// Bodies from column `first` on that are fluid and start where grains stand hold so much less of
/// it.
void fill_pores(State<engine::Host>& state, engine::Index first, const SceneDescription& scene);

}  // namespace mote::sim
