#include "sim/gravity/module/gravity_physics.h"

#include <chrono>
#include <cmath>

#include "engine/text.h"
#include "sim/expansions/multipole.h"
#include "sim/gravity/coincident_bodies.h"
#include "sim/initial/bodies.h"
#include "sim/motion/integrators.h"
#include "sim/scene/misplaced.h"
#include "sim/space/list_fields.h"

namespace mote::sim {
namespace {

using engine::Index;

const ModuleInfo& gravity_info() {
  static const ModuleInfo info{
      .name = "direct",
      .subject = "gravity",
      .help = "direct sums over all pairs or multipole expansions, softened or not",
      .cuda = true,
      .sheets = {engine::sheet_of(gravity_table())},
      .keys = {{"gravity"}},
      .gives_jerks = true,
      .conserves_momentum = true,
      .has_potentials = true,
      .steppings = {Stepping::cluster, Stepping::cooperative}};
  return info;
}

std::unique_ptr<Physics> read_gravity(const SceneReading& from) {
  const Value* value = from.find("gravity");
  if (!value) return nullptr;
  auto gravity = std::make_unique<GravityPhysics>();
  if (const std::string field = uniform_field_for(*value); !field.empty())
    from.reader.problem(value->line, "gravity",
                        "is the attraction of bodies to each other, got " + describe(*value),
                        "a field that is the same everywhere is " + field);
  else
    from.table(*value, gravity_table(), gravity->parameters,
               written_as_table(engine::sheet_of(gravity_table()), *value));
  const Domain domain = domain_of(from.model);
  gravity->periodic = sums_images(domain);
  gravity->in_periodic_domain = domain.periodic[0] || domain.periodic[1] || domain.periodic[2];
  return gravity;
}

std::string named(const Bodies& given, Index i) {
  const auto at = static_cast<std::size_t>(i);
  const bool has = at < given.names.size() && !given.names[at].empty();
  return std::to_string(i) + (has ? " (" + given.names[at] + ")" : "");
}

}  // namespace

PhysicsModule gravity_module() {
  return {&gravity_info, &read_gravity};
}

const ModuleInfo& GravityPhysics::info() const {
  return gravity_info();
}

GravitySolver GravityPhysics::solver(const Workload& work) const {
  return solver_of(parameters, periodic, work.bodies, work.backend, work.precision);
}

/// Reports domains whose images it cannot sum.
void GravityPhysics::check(const SceneReading& from) const {
  const Domain domain = domain_of(from.model);
  if (!domain.periodic[0] && !domain.periodic[1] && !domain.periodic[2]) return;
  if (const auto found = problem_of_images(domain)) {
    const bool own = found->key.empty();
    return from.reader.problem(from.line_of(own ? "gravity" : "domain"),
                               own ? "gravity" : found->key, found->problem, found->remedy);
  }
  if (parameters.solver == "direct")
    from.reader.problem(from.line_of("gravity"), "gravity.solver",
                        "direct sums leave out the images of a periodic domain",
                        "use solver = \"multipole\", or leave it out");
}

void GravityPhysics::add_fields(const Model& model, StateLayout& layout) const {
  if (periodic) add_images(domain_of(model), layout);
}

std::vector<PhysicsParam> GravityPhysics::params() const {
  std::vector<PhysicsParam> all;
  append_params(all, "gravity", gravity_table(), parameters);
  return all;
}

bool GravityPhysics::set(std::string_view path, const engine::ParamValue& value) {
  return set_param(path, "gravity", gravity_table(), parameters, value);
}

void GravityPhysics::set_context(const Model& model, MakeContext& context) const {
  context.gravitational = parameters.constant.value_or(model.units.gravitational);
  context.softening = parameters.softening;
}

/// Names two bodies at one position, and how many more pairs there are.
std::vector<std::string> GravityPhysics::start_warnings(const engine::Cpu& exec, const Model&,
                                                        const Bodies& given,
                                                        const State<engine::Host>& state) const {
  if (parameters.softening > 0) return {};
  const auto [pairs, first, second] = find_coincident(exec, state);
  if (pairs == 0) return {};
  const auto a = static_cast<std::size_t>(first), b = static_cast<std::size_t>(second);
  const engine::Vec3d apart = given.position[a] - given.position[b];
  const bool rounded = dot(apart, apart) > 0;
  const std::string bodies =
      "bodies " + named(given, first) + " and " + named(given, second) +
      (pairs > 1 ? " (and " + engine::counted(pairs - 1, "pair") + " more)" : "");
  return {bodies + " coincide" +
          (rounded ? " in " + std::string(engine::name_of(state.precision())) +
                         " precision, which has too few digits so far from the origin"
                   : "") +
          ": without softening they exert no force on each other; " +
          (rounded ? "use precision = \"mixed\", or move the origin closer to them"
                   : "move them apart, or set gravity.softening")};
}

void GravityPhysics::add_forces(const engine::Cpu&, const Model& model,
                                const State<engine::Host>& initial,
                                Forces<engine::Cpu>& forces) const {
  const GravitySolver chosen = solver({initial.count(), engine::Backend::cpu, initial.precision()});
  if (chosen.multipole)
    add_force<engine::Cpu, MultipoleSolver>(
        forces,
        MultipoleSolver(*chosen.multipole, parameters.softening,
                        parameters.constant.value_or(model.units.gravitational),
                        periodic ? domain_of(model) : Domain{}),
        [this](MultipoleSolver& gravity) { gravity.change_softening(parameters.softening); });
  else
    add_force<engine::Cpu, DirectGravity>(
        forces,
        DirectGravity(parameters, model.units.gravitational, initial.count(), initial.precision()),
        [this](DirectGravity& gravity) { gravity.change(parameters); });
}

Evaluation GravityPhysics::evaluation(const Workload& work) const {
  const GravitySolver chosen = solver(work);
  const auto n = static_cast<double>(work.bodies);
  if (!chosen.multipole) return {n * n, "direct sums", chosen.reason};
  return {MultipoleSolver::interactions(work.bodies, *chosen.multipole),
          "expansions of order " + std::to_string(chosen.multipole->order), chosen.reason, true};
}

std::vector<std::string> GravityPhysics::features() const {
  const bool expands = periodic || parameters.solver == "multipole" ||
                       (parameters.solver == "auto" && parameters.accuracy.has_value());
  if (expands) return {expanded_forces};
  return {};
}

std::uint64_t GravityPhysics::host_bytes(const Model& model, Index count,
                                         engine::Precision precision) const {
  const GravitySolver chosen = solver({count, engine::Backend::cpu, precision});
  if (chosen.multipole) return MultipoleSolver::scratch_bytes(count, *chosen.multipole);
  return DirectGravity::scratch_bytes(count, precision) +
         (info_of(model.integrator).block_steps ? DirectGravity::chosen_bytes(count, precision)
                                                : 0);
}

/// From a short evaluation of fewer bodies.
double GravityPhysics::seconds_of_forces(const engine::Cpu& exec, engine::Precision precision,
                                         Index count) const {
  constexpr Index trial = 4096, cheap = 20'000;  // cheap: fast on any machine
  if (count < cheap) return 0;
  State<engine::Host> state(trial, precision, {});
  state.visit([&](auto s) {
    using Real = std::remove_reference_t<decltype(s.x[0])>;
    for (Index i = 0; i < trial; ++i) {
      const double angle = static_cast<double>(i);
      s.mass[i] = Real{1};
      s.x[i] = static_cast<Real>(std::sin(angle)),
      s.y[i] = static_cast<Real>(std::cos(1.3 * angle));
      s.z[i] = static_cast<Real>(std::sin(0.7 * angle));
      s.ax[i] = s.ay[i] = s.az[i] = Real{0};
    }
  });
  DirectGravity gravity(parameters, 1, trial, precision);
  using WallClock = std::chrono::steady_clock;
  double fastest = 0;
  for (int k = 0; k < 3; ++k) {
    StepReport report;
    const auto start = WallClock::now();
    gravity.run(exec, state, report);
    fastest =
        std::max(fastest, static_cast<double>(report.interactions) /
                              std::chrono::duration<double>(WallClock::now() - start).count());
  }
  return evaluation({count, engine::Backend::cpu, precision}).interactions / fastest;
}

}  // namespace mote::sim
