#include "sim/scene/emitters_reader.h"

#include <algorithm>

#include "engine/json.h"
#include "engine/text.h"
#include "sim/scene/matter.h"

namespace mote::sim {
namespace {

using engine::Json;

/// Calls use(line, path, item) for each item of an optional list; a single table counts as a list
/// of one.
template <class Owner, class Use>
void read_items(Reader& reader, const Table& scene, const std::string& name,
                const engine::ParamTable<Owner>& described, const std::string& example, Json& echo,
                Use&& use) {
  const Member* const found = scene.find(name);
  if (!found) return;
  const Value& value = found->value;
  const bool one = value.table() && !value.table()->members.empty();
  if (!value.table())
    return reader.problem(value.line, name, "expected a list, got " + describe(value), example);
  const std::vector<Value> items = one ? std::vector<Value>{value} : value.table()->items;
  echo[name] = Json::array();
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string path = joined_path(name, std::to_string(i + 1));
    if (!items[i].table()) {
      reader.problem(items[i].line, path, "expected a table, got " + describe(items[i]), example);
      continue;
    }
    Owner owner;
    Json& own = echo[name].emplace_back(Json::object());
    const std::size_t before = reader.problem_count();
    reader.members(*items[i].table(), items[i].line, path, described, owner, &own);
    reader.unknown(*items[i].table(), items[i].line, path, names_of(described));
    if (reader.problem_count() == before) use(items[i].line, path, owner);
  }
}

const std::string emitter_example =
    "emitters = { { position = { 0, 0, 1 }, direction = { 1, 0, 0 }, radius = 0.1, speed = 1 } }";
const std::string drain_example = "drains = { { low = { -1, -1, -1 }, high = { 1, 1, 0 } } }";

class EmittersReader {
 public:
  EmittersReader(Reader& reader, SceneDescription& to) : reader_(reader), to_(to) {}

  void emitter(int line, const std::string& path, Emitter& e) {
    if (!to_.fluid) return;
    const bool flat = to_.fluid->dimensions == 2;
    if (!(length(e.direction) > 0))
      return reader_.problem(line, joined_path(path, "direction"), "has zero length");
    if (flat && (e.direction.z != 0 || e.position.z != 0))
      return reader_.problem(line, path, "leaves the x-y plane of the two-dimensional fluid");
    if (flat && e.shape != "disc")
      return reader_.problem(line, joined_path(path, "shape"), "is for three dimensions",
                             "leave it out");
    if (e.speed > to_.fluid->largest_speed)
      return reader_.problem(
          line, joined_path(path, "speed"),
          "is above fluid.largest_speed, " + engine::number_text(to_.fluid->largest_speed),
          "reduce it, or raise fluid.largest_speed");
    if (2 * e.radius < to_.fluid->spacing)
      return reader_.problem(line, joined_path(path, "radius"), "is too small for a particle",
                             "use half of fluid.spacing or more");
    if (e.stop && !(*e.stop > e.start))
      return reader_.problem(line, joined_path(path, "stop"), "is not after `start`");
    if (e.species.empty() && is_mixed(to_))
      return reader_.problem(line, joined_path(path, "species"),
                             "is missing, which scenes with several kinds of matter need",
                             "name a fluid species");
    if (!e.species.empty() && !species(line, path, e)) return;
    to_.emitters.push_back(e);
  }

  void drain(int line, const std::string& path, const Drain& d) {
    if (d.radius ? d.low || d.high : !d.low || !d.high)
      return reader_.problem(line, path, "is neither a box nor a sphere",
                             "give low and high, or position and radius");
    if (!d.radius && (d.low->x > d.high->x || d.low->y > d.high->y || d.low->z > d.high->z))
      return reader_.problem(line, joined_path(path, "high"), "is below `low`");
    to_.drains.push_back(d);
  }

 private:
  bool species(int line, const std::string& path, Emitter& e) {
    const std::string key = joined_path(path, "species");
    const auto found = std::find_if(to_.species.begin(), to_.species.end(),
                                    [&](const Species& s) { return s.name == e.species; });
    if (found == to_.species.end())
      reader_.problem(line, key, "no such species: " + engine::quoted(e.species),
                      "define it in species = { ... }");
    else if (found->wall)
      reader_.problem(line, key, "is a species of walls, which cannot be emitted");
    else if (matter_of(to_, static_cast<std::uint8_t>(found - to_.species.begin() + 1)) !=
             Matter::fluid)
      reader_.problem(line, key, "is not a fluid species: " + engine::quoted(e.species),
                      "name one that is");
    else
      e.species_number = static_cast<std::uint8_t>(found - to_.species.begin() + 1);
    return e.species_number != 0;
  }

  Reader& reader_;
  SceneDescription& to_;
};

}  // namespace

void read_emitters(Reader& reader, const Table& scene, SceneDescription& description, Json& echo) {
  EmittersReader of(reader, description);
  read_items(reader, scene, "emitters", emitter_table(), emitter_example, echo,
             [&](int line, const std::string& path, Emitter& e) { of.emitter(line, path, e); });
  read_items(reader, scene, "drains", drain_table(), drain_example, echo,
             [&](int line, const std::string& path, const Drain& d) { of.drain(line, path, d); });
  for (const char* name : {"emitters", "drains"})
    if (const Member* found = scene.find(name); found && !scene.find("fluid"))
      reader.problem(found->value.line, name, "are for fluid, which the scene does not have",
                     "add fluid = { spacing = 0.05, largest_speed = 1 }");
}

}  // namespace mote::sim
