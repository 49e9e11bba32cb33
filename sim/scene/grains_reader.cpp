#include "sim/scene/grains_reader.h"
#include "engine/json.h"

namespace mote::sim {

void read_grains(Reader& reader, const Table& scene, SceneDescription& to, engine::Json& echo) {
  const Member* const member = scene.find("grains");
  if (!member) return;
  const Value& value = member->value;
  if (!value.table())
    return reader.problem(value.line, "grains", "expected a table, got " + describe(value),
                          "grains = { radius = 0.1, density = 2500 }");
  to.grains.emplace();
  engine::Json& own = echo["grains"];
  reader.members(*value.table(), value.line, "grains", grains_table(), *to.grains, &own);
  reader.members(*value.table(), value.line, "grains", contact_table(),
                 static_cast<ContactParams&>(*to.grains), &own);
  std::vector<std::string> known = names_of(grains_table());
  for (const std::string& name : names_of(contact_table())) known.push_back(name);
  reader.unknown(*value.table(), value.line, "grains", known);
  const auto wrong = [&](const std::string& problem, const std::string& remedy) {
    reader.problem(value.line, "grains", problem, remedy);
  };
  if (to.integrator.name != "leapfrog")
    wrong("are for the leapfrog integrator, not for " + to.integrator.name, "use it");
  if (to.fluid && to.fluid->dimensions == 2)
    wrong("are spheres, and a fluid of two dimensions flows about none",
          "fluid = { dimensions = 3 }");
  if (to.thermostat)
    wrong("have no temperature that a thermostat could keep", "leave the thermostat out");
  if (has_velocity_flow(to.fields))
    wrong("and fields that depend on velocities are not known yet", "leave them out");
  const Domain domain = to.domain ? domain_of(*to.domain) : Domain{};
  for (int axis = 0; axis < 3; ++axis)
    if (domain.walled[axis])
      reader.problem(scene.find("domain")->value.line, std::string("domain.") + "xyz"[axis],
                     "a wall is for molecules",
                     "walls of grains are obstacles, as plane { normal = { 0, 0, 1 } }");
}

}  // namespace mote::sim
