#include "sim/fluid/module/fluid_stage.h"

#include <algorithm>
#include <type_traits>

#include "engine/exec/parallel.h"
#include "sim/fluid/fluid_fields.h"
#include "sim/fluid/fluid_numbers.h"
#include "sim/model/matter.h"

namespace mote::sim {
namespace {

using engine::Cpu;
using engine::Host;
using engine::Index;
using engine::Vec3d;

/// The fluid's view of a state. Rates are written, the rest is read-only.
template <class Const>
auto view_of_fluid(const StateView<Const>& s, const std::uint8_t* kind) {
  using Real = std::remove_const_t<Const>;
  const auto written = [&](Const* column) { return const_cast<Real*>(column); };
  FluidView<Real> view{};
  view.count = s.count;
  view.kind = kind;
  view.mass = s.mass;
  view.x = s.x, view.y = s.y, view.z = s.z;
  view.vx = s.vx, view.vy = s.vy, view.vz = s.vz;
  view.density = s[fields::density];
  view.ax = written(s.ax), view.ay = written(s.ay), view.az = written(s.az);
  view.density_rate = written(s[fields::density_rate]);
  const VectorColumns<Const> u = s[fields::transport_velocity];
  view.ux = written(u[0]), view.uy = written(u[1]), view.uz = written(u[2]);
  return view;
}

}  // namespace

std::vector<std::uint8_t> fluid_kinds(const FluidTables& fluid, const Model& model,
                                      const State<Host>& initial) {
  const Physics* const own = model.physics.named("fluid");
  const auto kind_of = [&](std::size_t species) {
    if (matter_of(model, species) != own) return FluidKind::other;
    return fluid.is_wall(species) ? FluidKind::wall : FluidKind::fluid;
  };
  std::vector<std::uint8_t> of_species;
  for (std::size_t k = 0; k <= model.species.size(); ++k)
    of_species.push_back(static_cast<std::uint8_t>(kind_of(k)));
  std::vector<std::uint8_t> kinds(static_cast<std::size_t>(initial.count()), of_species[0]);
  for (std::size_t i = 0; initial.with_species() && i < kinds.size(); ++i)
    kinds[i] = of_species[initial.species()[i]];
  return kinds;
}

Obstacles fluid_obstacles(const FluidTables& fluid, const Model& model, int threads) {
  return Obstacles(model.obstacles, axles_of(model), SurfaceMaterial{}, 2 * smoothing_length(fluid),
                   threads);
}

FluidStage::FluidStage(const Cpu& exec, const FluidTables& fluid, const Model& model,
                       const State<Host>& initial)
    : force_(fluid, domain_of(model), uniform_acceleration(model)),
      kind_(fluid_kinds(fluid, model, initial)),
      drifts_(force_.has_transport_velocity()) {
  if (!model.obstacles.empty())
    obstacles_ = std::make_shared<const Obstacles>(fluid_obstacles(fluid, model, exec.threads));
  if (const Physics* grains = grains_in(model))
    grains_.emplace(fluid, model, *grains, initial, kind_);
}

void FluidStage::run(const Cpu& exec, State<Host>& state, const StageTime& time,
                     StepReport& report) {
  const double ahead = time.elapsed_fraction > 0 ? time.clock->dt : 0;
  state.visit([&]<class Real>(const StateView<Real>& s) {
    for (Index i = 0; i < s.count; ++i)
      if (kind_[static_cast<std::size_t>(i)] == static_cast<std::uint8_t>(FluidKind::wall))
        s.ax[i] = s.ay[i] = s.az[i] = 0;
    FluidView<Real> view = view_of_fluid(s, kind_.data());
    if (grains_) grains_->set_porosities(exec, s, view);
    const FluidReport result =
        force_.run(exec, view, ahead, {obstacles_.get(), time_of(time), solids_of(state)});
    largest_step_ = result.largest_step;
    if (grains_) largest_step_ = std::min(largest_step_, grains_->add_forces(exec, s));
    report.interactions += result.interactions;
  });
  if (ahead > step_tolerance * largest_step_) report.health = report.health | Health::step_too_long;
}

double FluidStage::potential_energy(const Cpu& exec, const State<Host>& state, const StageTime&) {
  return state.visit([&](const auto& s) {
    auto view = view_of_fluid(s, kind_.data());
    if (grains_) grains_->set_porosities(exec, s, view);
    return force_.internal_energy(view);
  });
}

void fill_pores(State<engine::Host>& state, engine::Index first, const FluidTables& fluid,
                const Model& model) {
  const Physics* const solid = grains_in(model);
  if (!solid) return;
  const std::vector<std::uint8_t> kinds = fluid_kinds(fluid, model, state);
  GrainsInFluid grains(fluid, model, *solid, state, kinds);
  state.visit([&]<class Real>(const StateView<Real>& s) {
    FluidView<Real> view{};
    grains.set_porosities({engine::available_threads()}, s, view);
    Real* const density = s[fields::density];
    for (engine::Index i = first; i < s.count; ++i) {
      if (kinds[static_cast<std::size_t>(i)] != static_cast<std::uint8_t>(FluidKind::fluid))
        continue;
      s.mass[i] *= view.porosity[i];
      density[i] *= view.porosity[i];
    }
  });
}

}  // namespace mote::sim
