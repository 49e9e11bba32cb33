#include "sim/run/initial_state.h"

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
#include "sim/run/body_ids.h"
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

/// Densities in hydrostatic equilibrium.
template <class Real>
void fill_hydrostatic(const StateView<Real>& s, const std::vector<std::uint8_t>& kinds,
                      const SceneDescription& scene) {
  const Domain domain = domain_of(scene);
  engine::Vec3d weight = uniform_gravity(scene);
  if (domain.periodic[0]) weight.x = 0;
  if (domain.periodic[1]) weight.y = 0;
  if (domain.periodic[2]) weight.z = 0;
  const double strength = engine::length(weight);
  if (!(strength > 0)) return;
  std::vector<engine::Vec3d> positions;
  std::vector<Index> indices;
  for (Index i = 0; i < s.count; ++i)
    if (kinds[static_cast<std::size_t>(i)] == static_cast<std::uint8_t>(FluidKind::fluid))
      indices.push_back(i), positions.push_back({double(s.x[i]), double(s.y[i]), double(s.z[i])});
  const std::vector<double> depths = depths_of(positions, weight, scene.fluid->spacing);
  const TaitFormula<double> state = equation_of_state(*scene.fluid);
  for (std::size_t k = 0; k < indices.size(); ++k)
    s[Extra::density][indices[k]] = static_cast<Real>(
        state.density_at(state.background + scene.fluid->density * strength * depths[k]));
}

}  // namespace

InitialState make_initial_state(const SceneDescription& scene, const Plan& plan) {
  Bodies bodies = make_bodies(scene, plan.cpu.threads);
  InitialState start{State<engine::Host>(scene.body_count(), plan.precision, layout_of(scene)), {}};
  put_bodies(start.state, 0, bodies, scene.file.string());
  std::iota(start.state.id(), start.state.id() + start.state.count(), 0u);
  std::copy(scene.soft_ids.begin(), scene.soft_ids.end(), start.state.id());
  // First: the warnings explain what is refused below.
  if (!scene.resumed)
    for (const std::string& warning : start_warnings(plan.cpu, scene, bodies, start.state))
      engine::log().warn("{}: {}", scene.file.string(), warning);
  start.names = std::move(bodies.names);
  if (scene.soft)
    start.soft_mesh = scene.soft_mesh ? scene.soft_mesh
                                      : std::make_shared<const SoftMesh>(std::move(bodies.soft));
  check_members(start.state, 0, scene, scene.file.string());
  fill_extras(start.state, 0, scene);
  if (scene.fluid && !scene.resumed) {
    if (scene.fluid->hydrostatic)  // bodies added later enter a moving fluid
      start.state.visit(
          [&](const auto& s) { fill_hydrostatic(s, fluid_kinds(scene, start.state), scene); });
    fill_pores(start.state, 0, scene);
  }
  reset_list_origins(start.state);
  start_displacement(start.state);
  if (scene.pairs && !scene.resumed)
    check_start(plan.cpu, start.state, members_of_pairs(scene, start.state),
                table_of(*scene.pairs, scene.units.coulomb()), domain_of(scene),
                scene.integrator.dt, scene.file.string());
  if (scene.bonds && !scene.resumed)
    check_bonds(*scene.bonds, start.state, domain_of(scene), scene.integrator.dt,
                scene.file.string());
  if (!scene.resumed && !scene.integrator.courant)
    check_fields(scene.fields, start.state, scheme_named(scene.integrator.name)->step,
                 scene.integrator.dt, scene.file.string());
  // On the CPU the forces check this themselves.
  if (!scene.resumed && plan.backend == engine::Backend::cuda) {
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
    std::fill(s[Extra::density] + first, s[Extra::density] + s.count,
              static_cast<Real>(scene.fluid->density));
  });
}

void refuse_not_finite(std::int64_t id, engine::Precision precision, const std::string& location,
                       const std::string& when) {
  if (id < 0) return;
  const bool is_double = precision == engine::Precision::double_;
  throw engine::InputError(location,
                           "the force on body " + std::to_string(id) + when + " is not finite in " +
                               std::string(engine::name_of(precision)) + " precision",
                           std::string(is_double ? "use" : "use --precision double,") +
                               " other units, or a softening if two bodies nearly touch");
}

void refuse_long_step(const SceneDescription& scene, double dt, double largest) {
  if (scene.integrator.courant || !(dt > largest)) return;
  throw engine::InputError(scene.file.string(),
                           "a step of " + engine::number_text(dt) +
                               " is not stable: forces allow " +
                               engine::rounded_down_text(largest) + " at the start",
                           "set a smaller integrator.dt, with a margin for faster flow later");
}

void copy_columns(State<engine::Host>& to, const State<engine::Host>& from, bool full) {
  MOTE_EXPECT(to.count() == from.count() && to.precision() == from.precision() &&
              to.layout() == from.layout());
  std::copy_n(from.id(), from.count(), to.id());
  if (to.with_species()) std::copy_n(from.species(), from.count(), to.species());
  std::copy_n(from.global_values(), from.layout().global_values, to.global_values());
  to.visit([&]<class Real>(StateView<Real> t) {
    from.visit([&]<class FromReal>(StateView<FromReal> f) {
      if constexpr (std::is_same_v<const Real, FromReal>) {
        Real* const targets[] = {t.mass, t.x, t.y, t.z, t.vx, t.vy, t.vz, t.ax, t.ay, t.az};
        const Real* const sources[] = {f.mass, f.x, f.y, f.z, f.vx, f.vy, f.vz, f.ax, f.ay, f.az};
        for (std::size_t k = 0; k < (full ? std::size(targets) : 7); ++k)
          std::copy_n(sources[k], t.count, targets[k]);
        for (const ExtraInfo& info : extra_infos)
          if (t[info.extra] && (full || info.in_checkpoints))
            std::copy_n(f[info.extra], t.count, t[info.extra]);
      }
    });
  });
}

}  // namespace mote::sim
