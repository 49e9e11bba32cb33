#include "sim/run/fluid_stage.h"

#include <type_traits>

#include "sim/run/registry.h"

namespace mote::sim {
namespace {

using engine::Cpu;
using engine::Host;
using engine::Index;
using engine::Vec3d;

/// A step may be longer than the recommended one by this before it is taken for unhealthy.
constexpr double patience = 1.5;

Vec3d even_gravity(const SceneDescription& scene) {
  Vec3d sum{0, 0, 0};
  for (const Field& field : scene.fields)
    if (const auto* uniform = std::get_if<UniformField>(&field)) sum += uniform->acceleration;
  return sum;
}

/// What the module sees of a state. It writes accelerations and what belongs to them; the rest is read only.
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

FluidStage::FluidStage(const SceneDescription& scene, const State<Host>& initial)
    : force_(*scene.fluid, domain_of(scene), even_gravity(scene)),
      kind_(static_cast<std::size_t>(initial.count()), static_cast<std::uint8_t>(FluidKind::fluid)),
      drifts_(force_.drifts()) {
  if (!initial.with_species()) return;
  for (std::size_t i = 0; i < kind_.size(); ++i) {
    const std::uint8_t species = initial.species()[i];
    if (species > 0 && scene.species[species - 1u].wall)
      kind_[i] = static_cast<std::uint8_t>(FluidKind::wall);
  }
}

void FluidStage::run(const Cpu& exec, State<Host>& state, const StageTime& time, StepReport& report) {
  const double ahead = time.passed > 0 ? time.clock->dt : 0;
  state.visit([&]<class Real>(const StateView<Real>& s) {
    for (Index i = 0; i < s.count; ++i)
      if (kind_[static_cast<std::size_t>(i)] != 0) s.ax[i] = s.ay[i] = s.az[i] = 0;
    const FluidReport said = force_.run(exec, view_of_fluid(s, kind_.data()), ahead);
    largest_step_ = said.largest_step;
    report.interactions += said.interactions;
  });
  if (ahead > patience * largest_step_) report.health = report.health | Health::step_too_long;
}

double FluidStage::potential_energy(const Cpu&, const State<Host>& state, const StageTime&) {
  return state.visit([&](const auto& s) { return force_.internal_energy(view_of_fluid(s, kind_.data())); });
}

void add_fluid_columns(StateShape& shape, const Fluid& fluid) {
  shape.add(Extra::density).add(Extra::density_rate);
  if (fluid.shifting > 0 || fluid.xsph > 0) shape.add(Extra::shift_x, 3);
  shape.remembers = true;
}

}  // namespace mote::sim
