#include "sim/run/initial_state.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "engine/exec/parallel.h"
#include "engine/exec/ranks.h"
#include "engine/log.h"
#include "engine/rounded_text.h"
#include "engine/text.h"
#include "sim/measure/displacement.h"
#include "sim/model/matter.h"
#include "sim/run/body_ids.h"
#include "sim/run/start_warnings.h"
#include "sim/space/neighbours.h"

namespace mote::sim {

using engine::Index;

namespace {

/// That of a run that goes on. Forces are made from it, and keep what they read there: it has to be
/// complete before they are, the fields too.
InitialState restored_state(const SceneDescription& scene, const Plan& plan) {
  InitialState start{State<engine::Host>(scene.restored->count(), plan.precision, layout_of(scene)),
                     {},
                     scene,
                     scene.restored};
  copy_columns(start.state, *scene.restored, true);
  check_members(start.state, 0, start.model, scene.file.string());
  start.model.driven = is_driven(start.model, start.state);
  return start;
}

}  // namespace

InitialState make_initial_state(const SceneDescription& scene, const Plan& plan) {
  if (scene.restored) return restored_state(scene, plan);
  Bodies bodies = make_bodies(scene, plan.cpu.threads);
  const std::string location = scene.file.string();
  InitialState start{
      State<engine::Host>(scene.body_count(), plan.precision, layout_of(scene)), {}, scene};
  put_bodies(start.state, 0, bodies, location, plan.cpu.threads);
  bodies.velocity = {};  // not needed any more: there may be too many for the memory
  engine::parallel_chunks(plan.cpu.threads, start.state.count(), [&](Index begin, Index end) {
    std::iota(start.state.id() + begin, start.state.id() + end, static_cast<std::uint32_t>(begin));
  });
  // First: the warnings explain what is refused below.
  if (!plan.ranks || plan.ranks->rank() == 0)
    for (const std::string& warning : start_warnings(plan.cpu, scene, bodies, start.state))
      engine::log().warn("{}: {}", location, warning);
  start.labels = {std::move(bodies.names), std::move(bodies.looks)};
  for (Physics& p : start.model.physics) p.take(bodies);
  check_members(start.state, 0, start.model, location);
  fill_fields(start.state, 0, start.model, FillTime::start);
  start.model.driven = is_driven(start.model, start.state);
  reset_list_origins(start.state);
  start_displacement(start.state);
  for (const Physics& p : start.model.physics) {
    p.check_start(plan.cpu, start.model, start.state, plan.backend);
    if (const double dt = step_of_all(start.model); dt > 0) p.check_step(start.model, dt);
  }
  return start;
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

void refuse_long_step(const Model& model, double dt, double largest) {
  if (flow_of(model.integrator).courant || !(dt > largest)) return;
  throw engine::InputError(model.file.string(),
                           "a step of " + engine::number_text(dt) +
                               " is not stable: forces allow " +
                               engine::rounded_down_text(largest) + " at the start",
                           "set a smaller integrator.dt, with a margin for faster flow later");
}

void copy_columns(State<engine::Host>& to, const State<engine::Host>& from, bool full) {
  MOTE_EXPECT(to.count() == from.count());
  for_columns(to, from, [&](auto* target, const auto* source, bool physical) {
    if (full || physical) std::copy_n(source, from.count(), target);
  });
  std::copy_n(from.globals(), from.layout().global_count(), to.globals());
}

}  // namespace mote::sim
