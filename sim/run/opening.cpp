#include "sim/run/opening.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "engine/log.h"
#include "engine/rounded_text.h"
#include "engine/text.h"
#include "sim/field/field_check.h"
#include "sim/fluid/hydrostatic.h"
#include "sim/measure/displacement.h"
#include "sim/molecular/bond_force.h"
#include "sim/molecular/start_check.h"
#include "sim/motion/integrator.h"
#include "sim/run/fluid_stage.h"
#include "sim/run/grain_stage.h"
#include "sim/run/mixture_stage.h"
#include "sim/run/registry.h"
#include "sim/run/start_warnings.h"
#include "sim/scene/matter.h"
#include "sim/soft/soft.h"
#include "sim/space/neighbours.h"

namespace mote::sim {

using engine::Index;

namespace {

/// Densities of a fluid that rests: pressure carries the weight of what is above.
template <class Real>
void fill_hydrostatic(const StateView<Real>& s, const std::vector<std::uint8_t>& kinds,
                      const SceneDescription& scene) {
  const Domain domain = domain_of(scene);
  engine::Vec3d weight = even_gravity(scene);
  if (domain.periodic[0]) weight.x = 0;
  if (domain.periodic[1]) weight.y = 0;
  if (domain.periodic[2]) weight.z = 0;
  const double strength = engine::length(weight);
  if (!(strength > 0)) return;
  std::vector<engine::Vec3d> places;
  std::vector<Index> who;
  for (Index i = 0; i < s.count; ++i)
    if (kinds[static_cast<std::size_t>(i)] == static_cast<std::uint8_t>(FluidKind::fluid))
      who.push_back(i), places.push_back({double(s.x[i]), double(s.y[i]), double(s.z[i])});
  const std::vector<double> depths = depths_of(places, weight, scene.fluid->spacing);
  const TaitFormula<double> state = equation_of_state(*scene.fluid);
  for (std::size_t k = 0; k < who.size(); ++k)
    s.column(Extra::density)[who[k]] = static_cast<Real>(
        state.density_at(state.background + scene.fluid->density * strength * depths[k]));
}

}  // namespace

Start make_start(const SceneDescription& scene, const Plan& plan) {
  Bodies bodies = make_bodies(scene, plan.cpu.threads);
  Start start{State<engine::Host>(scene.body_count(), plan.precision, shape_of(scene)), {}};
  put_bodies(start.state, 0, bodies, scene.file.string());
  std::iota(start.state.id(), start.state.id() + start.state.count(), 0u);
  std::copy(scene.soft_ids.begin(), scene.soft_ids.end(), start.state.id());
  // First, for they explain what is refused below.
  if (!scene.goes_on)
    for (const std::string& warning : start_warnings(plan.cpu, scene, bodies, start.state))
      engine::log().warn("{}: {}", scene.file.string(), warning);
  start.names = std::move(bodies.names);
  if (scene.soft)
    start.soft_mesh = scene.soft_mesh ? scene.soft_mesh
                                      : std::make_shared<const SoftMesh>(std::move(bodies.soft));
  check_members(start.state, 0, scene, scene.file.string());
  fill_extras(start.state, 0, scene);
  if (scene.fluid && !scene.goes_on) {
    if (scene.fluid->hydrostatic)  // what comes later comes into a flow
      start.state.visit(
          [&](const auto& s) { fill_hydrostatic(s, fluid_kinds(scene, start.state), scene); });
    fill_pores(start.state, 0, scene);
  }
  forget_listing(start.state);
  start_displacement(start.state);
  if (scene.pairs && !scene.goes_on)
    check_start(plan.cpu, start.state, members_of_pairs(scene, start.state),
                table_of(*scene.pairs, scene.units.coulomb()), domain_of(scene),
                scene.integrator.dt, scene.file.string());
  if (scene.bonds && !scene.goes_on)
    check_bonds(*scene.bonds, start.state, domain_of(scene), scene.integrator.dt,
                scene.file.string());
  if (!scene.goes_on && !scene.integrator.courant)
    check_fields(scene.fields, start.state, scheme_named(scene.integrator.name)->step,
                 scene.integrator.dt, scene.file.string());
  // On the CPU the forces themselves look.
  if (!scene.goes_on && plan.backend == engine::Backend::cuda) {
    if (scene.grains)
      GrainStage(plan.cpu, scene, start.state, start.soft_mesh.get())
          .check_start(plan.cpu, start.state, scene.integrator.dt, scene.file.string());
    if (scene.soft)
      SoftForce(plan.cpu, *scene.soft, *start.soft_mesh, scene.obstacles, start.state,
                members_of(scene, start.state, Matter::soft))
          .check_start(plan.cpu, start.state, scene.integrator.dt, scene.file.string());
  }
  return start;
}

void fill_extras(State<engine::Host>& state, Index first, const SceneDescription& scene) {
  if (scene.grains) fill_grains(state, first, scene);
  if (!scene.fluid) return;
  state.visit([&]<class Real>(const StateView<Real>& s) {
    std::fill(s.column(Extra::density) + first, s.column(Extra::density) + s.count,
              static_cast<Real>(scene.fluid->density));
  });
}

void refuse_not_finite(std::int64_t id, engine::Precision precision, const std::string& place,
                       const std::string& when) {
  if (id < 0) return;
  const bool full = precision == engine::Precision::full;
  throw engine::InputError(place,
                           "body " + std::to_string(id) + " feels a force" + when +
                               " that is not finite in " + std::string(engine::name_of(precision)) +
                               " precision",
                           std::string(full ? "use" : "use --precision double,") +
                               " other units, or a softening if two bodies nearly touch");
}

void refuse_long_step(const SceneDescription& scene, double dt, double largest) {
  if (scene.integrator.courant || !(dt > largest)) return;
  throw engine::InputError(scene.file.string(),
                           "a step of " + engine::number_text(dt) +
                               " is not stable: forces allow " +
                               engine::rounded_down_text(largest) + " at the start",
                           "set a smaller integrator.dt; flows become faster than they start");
}

void copy_columns(State<engine::Host>& to, const State<engine::Host>& from, bool whole) {
  MOTE_EXPECT(to.count() == from.count() && to.precision() == from.precision() &&
              to.shape() == from.shape());
  std::copy_n(from.id(), from.count(), to.id());
  if (to.with_species()) std::copy_n(from.species(), from.count(), to.species());
  std::copy_n(from.memory(), from.shape().memory, to.memory());
  to.visit([&]<class Real>(StateView<Real> t) {
    from.visit([&]<class FromReal>(StateView<FromReal> f) {
      if constexpr (std::is_same_v<const Real, FromReal>) {
        Real* const targets[] = {t.mass, t.x, t.y, t.z, t.vx, t.vy, t.vz, t.ax, t.ay, t.az};
        const Real* const sources[] = {f.mass, f.x, f.y, f.z, f.vx, f.vy, f.vz, f.ax, f.ay, f.az};
        for (std::size_t k = 0; k < (whole ? std::size(targets) : 7); ++k)
          std::copy_n(sources[k], t.count, targets[k]);
        for (const ExtraInfo& info : extra_infos)
          if (t.column(info.extra) && (whole || info.kept))
            std::copy_n(f.column(info.extra), t.count, t.column(info.extra));
      }
    });
  });
}

BodyNumbers body_numbers(const State<engine::Host>& state, Index column) {
  MOTE_EXPECT(column >= 0 && column < state.count());
  return state.visit([&](auto s) {
    const auto vector = [&](auto* x, auto* y, auto* z) {
      return engine::Vec3d{static_cast<double>(x[column]), static_cast<double>(y[column]),
                           static_cast<double>(z[column])};
    };
    return BodyNumbers{s.id[column], static_cast<double>(s.mass[column]), vector(s.x, s.y, s.z),
                       vector(s.vx, s.vy, s.vz), vector(s.ax, s.ay, s.az)};
  });
}

}  // namespace mote::sim
