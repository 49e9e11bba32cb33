#include "sim/scene/soft_reader.h"
#include "engine/json.h"

namespace mote::sim {

void read_soft(Reader& reader, const Table& scene, SceneDescription& to, engine::Json& echo) {
  const Member* const member = scene.find("soft");
  if (!member) return;
  const Value& value = member->value;
  if (!value.table())
    return reader.problem(value.line, "soft", "expected a table, got " + describe(value),
                          "soft = {}, or soft = { friction = 0.5 }");
  to.soft.emplace();
  reader.members(*value.table(), value.line, "soft", soft_table(), *to.soft, &echo["soft"]);
  reader.unknown(*value.table(), value.line, "soft", names_of(soft_table()));
  const auto wrong = [&](const std::string& problem, const std::string& remedy) {
    reader.problem(value.line, "soft", problem, remedy);
  };
  if (to.integrator.name != "leapfrog")
    wrong("is for the leapfrog integrator, not for " + to.integrator.name +
              ": constraints are met to first order of the step",
          "use it, with small steps");
  if (to.grains && !(to.soft->thickness > 0))
    wrong(
        "has no thickness, half of which is the radius with which its bodies touch grains and each "
        "other",
        "soft = { thickness = 0.02 }, less than the distance of its bodies");
  const Domain domain = to.domain ? domain_of(*to.domain) : Domain{};
  if (domain.periodic[0] || domain.periodic[1] || domain.periodic[2])
    wrong("cannot reach across the borders of a periodic domain",
          "leave the domain out, or what is soft");
  if (!to.grains && (domain.walled[0] || domain.walled[1] || domain.walled[2]))  // of grains it has
                                                                                 // been said
    wrong("does not feel the walls of a domain",
          "obstacles are walls for it, as plane { normal = { 0, 0, 1 } }");
  if (to.fluid) wrong("and fluid in one scene are not known yet", "leave one of them out");
  if (to.thermostat)
    wrong("has no temperature that a thermostat could keep", "leave the thermostat out");
  if (has_velocity_flow(to.fields))
    wrong("and fields that depend on velocities are not known yet",
          "leave them out; soft.damping slows soft bodies");
}

}  // namespace mote::sim
