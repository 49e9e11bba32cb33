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
    wrong("need the leapfrog integrator, not " + to.integrator.name, "use leapfrog");
  if (to.fluid && to.fluid->dimensions == 2)
    wrong("are spheres and cannot be combined with a two-dimensional fluid",
          "fluid = { dimensions = 3 }");
  if (to.thermostat) wrong("cannot be combined with a thermostat", "leave the thermostat out");
  if (has_velocity_flow(to.fields))
    wrong("cannot be combined with velocity-dependent fields yet", "leave these fields out");
  const Domain domain = to.domain ? domain_of(*to.domain) : Domain{};
  for (int axis = 0; axis < 3; ++axis)
    if (domain.walled[axis])
      reader.problem(scene.find("domain")->value.line, std::string("domain.") + "xyz"[axis],
                     "walls act on molecules only",
                     "use obstacles for grains, as in plane { normal = { 0, 0, 1 } }");
}

}  // namespace mote::sim
