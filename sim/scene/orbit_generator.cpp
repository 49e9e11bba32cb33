#include "sim/scene/orbit_generator.h"

#include <cmath>
#include <utility>

#include "engine/json.h"
#include "engine/text.h"
#include "sim/initial/orbit.h"
#include "sim/scene/color.h"

namespace mote::sim {
namespace {

using engine::Json;

struct Orbits {
  Orbit orbit;
  Placement placement;
  std::vector<Orbits> moons;
};

engine::Index count_of(const Orbits& orbits) {
  engine::Index count = 1;
  for (const Orbits& moon : orbits.moons) count += count_of(moon);
  return count;
}

Bodies make(const Orbits& orbits, const MakeContext& context) {
  Bodies bodies = make(orbits.orbit, context);
  place(bodies, orbits.placement);
  const engine::Vec3d position = bodies.position[0], velocity = bodies.velocity[0];
  for (const Orbits& moon : orbits.moons) {
    Bodies about = make(moon, context);
    translate(about, position);
    boost(about, velocity);
    append(bodies, about);
  }
  return bodies;
}

/// Reads one orbit and its moons, about a primary of mass `central`: 0 if the scene must give it,
/// NaN if the mass of the parent is invalid.
class OrbitReader {
 public:
  explicit OrbitReader(Reader& reader) : reader_(reader) {}

  Orbits orbit(const Table& from, int line, const std::string& path, double central, Json& echo) {
    const std::size_t before = reader_.problem_count();
    Orbits read;
    read.orbit.central_mass = central;
    reader_.members(from, line, path, orbit_table(), read.orbit, &echo);
    const bool good = reader_.problem_count() == before;
    if (good && !std::isnan(central))
      report_broken(reader_, broken_relations(read.orbit), from, line, path);
    reader_.members(from, line, path, placement_table(), read.placement, &echo);
    if (read.orbit.name.empty()) echo.erase("name");
    if (read.orbit.color.empty()) echo.erase("color");
    check_color(reader_, read.orbit.color, from, path);
    if (const Member* moons = from.find("moons"))
      read.moons = list(moons->value, joined_path(path, "moons"),
                        good ? read.orbit.mass : std::nan(""), echo["moons"]);
    return read;
  }

 private:
  std::vector<Orbits> list(const Value& value, const std::string& path, double central,
                           Json& echo) {
    std::vector<Orbits> moons;
    echo = Json::array();
    if (!value.table()) {
      reader_.problem(value.line, path, "expected a list, got " + describe(value),
                      "a list of orbits");
      return moons;
    }
    reader_.unknown(*value.table(), value.line, path, {}, value.table()->items.size());
    for (std::size_t i = 0; i < value.table()->items.size(); ++i) {
      const Value& item = value.table()->items[i];
      const std::string at = joined_path(path, std::to_string(i + 1));
      const Member* kind = item.table() ? item.table()->find("kind") : nullptr;
      if (!item.table() || (kind && (!kind->value.text() || *kind->value.text() != "orbit"))) {
        reader_.problem(item.line, at, "expected an orbit, got " + describe(item),
                        "moons are orbits about their parent");
        continue;
      }
      Json& echoed = echo.emplace_back(Json::object());
      echoed["kind"] = "orbit";
      moons.push_back(orbit(*item.table(), item.line, at, central, echoed));
      const Member* const own = item.table()->find("central_mass");
      if (own && !std::isnan(central) && moons.back().orbit.central_mass != central)
        reader_.problem(own->value.line, joined_path(at, "central_mass"),
                        engine::number_text(moons.back().orbit.central_mass) +
                            " is not the mass of the moon's parent, " +
                            engine::number_text(central),
                        "leave it out, or change the mass of the parent");
      std::vector<std::string> known{"kind", "moons"};
      for (const std::string& name : names_of(orbit_table())) known.push_back(name);
      for (const std::string& name : names_of(placement_table())) known.push_back(name);
      reader_.unknown(*item.table(), item.line, at, known);
    }
    return moons;
  }

  Reader& reader_;
};

}  // namespace

Generator orbit_generator() {
  Generator g{orbit_table().name, orbit_table().help, false, engine::sheet_of(orbit_table()), {}};
  for (const auto& row : engine::sheet_of(placement_table()).rows) g.sheet.rows.push_back(row);
  g.lists = {"moons"};
  g.read = [](Reader& reader, const Table& from, int line, const std::string& path, Json& echo) {
    const Orbits orbits = OrbitReader(reader).orbit(from, line, path, 0, echo);
    return BodySource{count_of(orbits),
                      [orbits](const MakeContext& context) { return make(orbits, context); }};
  };
  return g;
}

}  // namespace mote::sim
