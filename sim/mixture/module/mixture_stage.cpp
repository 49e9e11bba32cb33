#include "sim/mixture/module/mixture_stage.h"

#include <type_traits>
#include <utility>

#include "engine/exec/parallel.h"
#include "sim/fluid/fluid_fields.h"
#include "sim/model/matter.h"
#include "sim/space/ball_fields.h"

namespace mote::sim {

const Physics* grains_in(const Model& model) {
  return model.physics.named("grains");
}

GrainsInFluid::GrainsInFluid(const Fluid& fluid, const Model& model, const Physics& grains,
                             const State<engine::Host>& initial, std::vector<std::uint8_t> kinds)
    : kind_(std::move(kinds)),
      grain_(members_of(model, initial, grains)),
      of_(Of<float>{MixtureForce<float>(fluid, domain_of(model)), {}, {}}) {
  if (initial.precision() != engine::Precision::single)
    of_ = Of<double>{MixtureForce<double>(fluid, domain_of(model)), {}, {}};
}

template <class Const, class Real>
MixtureView<Real> GrainsInFluid::view_of(const StateView<Const>& s, const Of<Real>& of) const {
  const auto writable = [](Const* array) { return const_cast<Real*>(array); };
  return {s.count,
          kind_.data(),
          grain_.data(),
          s.mass,
          s[fields::radius],
          s.x,
          s.y,
          s.z,
          s.vx,
          s.vy,
          s.vz,
          s[fields::density],
          of.fluid_a[0].data(),
          of.fluid_a[1].data(),
          of.fluid_a[2].data(),
          writable(s.ax),
          writable(s.ay),
          writable(s.az)};
}

template <class Const, class Real>
void GrainsInFluid::set_porosities(const engine::Cpu& exec, const StateView<Const>& s,
                                   FluidView<Real>& view) {
  auto& of = std::get<Of<Real>>(of_);
  const auto n = static_cast<std::size_t>(s.count);
  for (auto* array : {&of.porosity, &of.fluid_a[0], &of.fluid_a[1], &of.fluid_a[2]})
    array->resize(n);
  of.force.porosities(exec, view_of(s, of), of.porosity.data());
  view.porosity = of.porosity.data();
  view.fluid_ax = of.fluid_a[0].data(), view.fluid_ay = of.fluid_a[1].data(),
  view.fluid_az = of.fluid_a[2].data();
}

template <class Real>
double GrainsInFluid::add_forces(const engine::Cpu& exec, const StateView<Real>& s) {
  auto& of = std::get<Of<Real>>(of_);
  return of.force.run(exec, view_of(s, of), of.porosity.data());
}

template void GrainsInFluid::set_porosities(const engine::Cpu&, const StateView<float>&,
                                            FluidView<float>&);
template void GrainsInFluid::set_porosities(const engine::Cpu&, const StateView<double>&,
                                            FluidView<double>&);
template void GrainsInFluid::set_porosities(const engine::Cpu&, const StateView<const float>&,
                                            FluidView<float>&);
template void GrainsInFluid::set_porosities(const engine::Cpu&, const StateView<const double>&,
                                            FluidView<double>&);
template double GrainsInFluid::add_forces(const engine::Cpu&, const StateView<float>&);
template double GrainsInFluid::add_forces(const engine::Cpu&, const StateView<double>&);

}  // namespace mote::sim
