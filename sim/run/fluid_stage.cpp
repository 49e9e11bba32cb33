#include "sim/run/fluid_stage.h"

#include <algorithm>
#include <type_traits>

#include "sim/fluid/fluid_numbers.h"
#include "sim/run/registry.h"
#include "sim/scene/matter.h"

namespace mote::sim {
namespace {

using engine::Cpu;
using engine::Host;
using engine::Index;
using engine::Vec3d;

/// What the module sees of a state. It writes accelerations and what belongs to them; the rest is
/// read only.
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
  view.density = s.column(Extra::density);
  view.ax = written(s.ax), view.ay = written(s.ay), view.az = written(s.az);
  view.density_rate = written(s.column(Extra::density_rate));
  view.ux = written(s.column(Extra::shift_x)), view.uy = written(s.column(Extra::shift_y));
  view.uz = written(s.column(Extra::shift_z));
  return view;
}

}  // namespace

Vec3d even_gravity(const SceneDescription& scene) {
  Vec3d sum{0, 0, 0};
  for (const Field& field : scene.fields)
    if (const auto* uniform = std::get_if<UniformField>(&field)) sum += uniform->acceleration;
  return sum;
}

std::vector<std::uint8_t> fluid_kinds(const SceneDescription& scene, const State<Host>& initial) {
  const auto kind_of = [&](std::uint8_t species) {
    if (matter_of(scene, species) != Matter::fluid) return FluidKind::other;
    return species > 0 && scene.species[species - 1u].wall ? FluidKind::wall : FluidKind::fluid;
  };
  std::vector<std::uint8_t> of_species;
  for (std::size_t k = 0; k <= scene.species.size(); ++k)
    of_species.push_back(static_cast<std::uint8_t>(kind_of(static_cast<std::uint8_t>(k))));
  std::vector<std::uint8_t> kinds(static_cast<std::size_t>(initial.count()), of_species[0]);
  for (std::size_t i = 0; initial.with_species() && i < kinds.size(); ++i)
    kinds[i] = of_species[initial.species()[i]];
  return kinds;
}

FluidStage::FluidStage(const SceneDescription& scene, const State<Host>& initial)
    : force_(*scene.fluid, domain_of(scene), even_gravity(scene)),
      kind_(fluid_kinds(scene, initial)),
      drifts_(force_.drifts()) {
  if (scene.grains) grains_.emplace(scene, initial, kind_);
}

void FluidStage::run(const Cpu& exec, State<Host>& state, const StageTime& time,
                     StepReport& report) {
  const double ahead = time.passed > 0 ? time.clock->dt : 0;
  state.visit([&]<class Real>(const StateView<Real>& s) {
    for (Index i = 0; i < s.count; ++i)
      if (kind_[static_cast<std::size_t>(i)] == static_cast<std::uint8_t>(FluidKind::wall))
        s.ax[i] = s.ay[i] = s.az[i] = 0;
    FluidView<Real> view = view_of_fluid(s, kind_.data());
    if (grains_) grains_->look(exec, s, view);
    const FluidReport said = force_.run(exec, view, ahead);
    largest_step_ = said.largest_step;
    if (grains_) largest_step_ = std::min(largest_step_, grains_->push(exec, s));
    report.interactions += said.interactions;
  });
  if (ahead > patience_with_steps * largest_step_)
    report.health = report.health | Health::step_too_long;
}

double FluidStage::potential_energy(const Cpu& exec, const State<Host>& state, const StageTime&) {
  return state.visit([&](const auto& s) {
    auto view = view_of_fluid(s, kind_.data());
    if (grains_) grains_->look(exec, s, view);
    return force_.internal_energy(view);
  });
}

void add_fluid_columns(StateShape& shape, const Fluid& fluid) {
  shape.add(Extra::density).add(Extra::density_rate).add(Extra::listed_x, 3);  // listed: on a GPU
  if (fluid.shifting > 0 || fluid.xsph > 0) shape.add(Extra::shift_x, 3);
  shape.remembers = true;
}

}  // namespace mote::sim
