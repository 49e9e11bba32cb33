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
    wrong("needs the leapfrog integrator, not " + to.integrator.name +
              ": constraints are of first order in the step",
          "use leapfrog, with small steps");
  if (to.grains && !(to.soft->thickness > 0))
    wrong("needs a thickness, half of which is the contact radius of its bodies",
          "soft = { thickness = 0.02 }, less than the distance between its bodies");
  const Domain domain = to.domain ? domain_of(*to.domain) : Domain{};
  if (domain.periodic[0] || domain.periodic[1] || domain.periodic[2])
    wrong("cannot be combined with a periodic domain", "remove the domain or the soft bodies");
  if (!to.grains && (domain.walled[0] || domain.walled[1] || domain.walled[2]))  // else reported by
                                                                                 // grains
    wrong("is not affected by walls of a domain",
          "use obstacles, as in plane { normal = { 0, 0, 1 } }");
  if (to.fluid) wrong("cannot be combined with fluid yet", "remove one of them");
  if (to.thermostat) wrong("cannot be combined with a thermostat", "leave the thermostat out");
  if (has_velocity_flow(to.fields))
    wrong("cannot be combined with velocity-dependent fields yet",
          "leave these fields out; soft.damping slows soft bodies");
}

}  // namespace mote::sim
