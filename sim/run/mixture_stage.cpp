#include "sim/run/mixture_stage.h"

#include <type_traits>
#include <utility>

#include "engine/exec/parallel.h"
#include "sim/run/fluid_stage.h"
#include "sim/run/registry.h"
#include "sim/scene/matter.h"

namespace mote::sim {
GrainsInFluid::GrainsInFluid(const SceneDescription& scene, const State<engine::Host>& initial,
                             std::vector<std::uint8_t> kinds)
    : kind_(std::move(kinds)),
      grain_(members_of(scene, initial, Matter::grains)),
      of_(Of<float>{MixtureForce<float>(*scene.fluid, domain_of(scene)), {}, {}}) {
  if (initial.precision() != engine::Precision::single)
    of_ = Of<double>{MixtureForce<double>(*scene.fluid, domain_of(scene)), {}, {}};
}

template <class Const, class Real>
MixtureView<Real> GrainsInFluid::view_of(const StateView<Const>& s, const Of<Real>& of) const {
  const auto written = [](Const* column) { return const_cast<Real*>(column); };
  return {s.count,
          kind_.data(),
          grain_.data(),
          s.mass,
          s.column(Extra::radius),
          s.x,
          s.y,
          s.z,
          s.vx,
          s.vy,
          s.vz,
          s.column(Extra::density),
          of.own[0].data(),
          of.own[1].data(),
          of.own[2].data(),
          written(s.ax),
          written(s.ay),
          written(s.az)};
}

template <class Const, class Real>
void GrainsInFluid::look(const engine::Cpu& exec, const StateView<Const>& s,
                         FluidView<Real>& view) {
  auto& of = std::get<Of<Real>>(of_);
  const auto n = static_cast<std::size_t>(s.count);
  for (auto* column : {&of.porosity, &of.own[0], &of.own[1], &of.own[2]}) column->resize(n);
  of.force.porosities(exec, view_of(s, of), of.porosity.data());
  view.porosity = of.porosity.data();
  view.own_x = of.own[0].data(), view.own_y = of.own[1].data(), view.own_z = of.own[2].data();
}

template <class Real>
double GrainsInFluid::push(const engine::Cpu& exec, const StateView<Real>& s) {
  auto& of = std::get<Of<Real>>(of_);
  return of.force.run(exec, view_of(s, of), of.porosity.data());
}

template void GrainsInFluid::look(const engine::Cpu&, const StateView<float>&, FluidView<float>&);
template void GrainsInFluid::look(const engine::Cpu&, const StateView<double>&, FluidView<double>&);
template void GrainsInFluid::look(const engine::Cpu&, const StateView<const float>&,
                                  FluidView<float>&);
template void GrainsInFluid::look(const engine::Cpu&, const StateView<const double>&,
                                  FluidView<double>&);
template double GrainsInFluid::push(const engine::Cpu&, const StateView<float>&);
template double GrainsInFluid::push(const engine::Cpu&, const StateView<double>&);

void fill_pores(State<engine::Host>& state, engine::Index first, const SceneDescription& scene) {
  if (!scene.fluid || !scene.grains) return;
  const std::vector<std::uint8_t> kinds = fluid_kinds(scene, state);
  GrainsInFluid grains(scene, state, kinds);
  state.visit([&]<class Real>(const StateView<Real>& s) {
    FluidView<Real> view{};
    grains.look({engine::available_threads()}, s, view);
    for (engine::Index i = first; i < s.count; ++i) {
      if (kinds[static_cast<std::size_t>(i)] != static_cast<std::uint8_t>(FluidKind::fluid))
        continue;
      s.mass[i] *= view.porosity[i];
      s.column(Extra::density)[i] *= view.porosity[i];
    }
  });
}

}  // namespace mote::sim
