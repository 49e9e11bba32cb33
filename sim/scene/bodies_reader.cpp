#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "engine/json.h"
#include "engine/read_process.h"
#include "engine/text.h"
#include "sim/initial/common_params.h"
#include "sim/model/modules.h"
#include "sim/scene/body_files.h"
#include "sim/scene/body_tables.h"
#include "sim/scene/color.h"
#include "sim/scene/generators.h"
#include "sim/scene/obstacles_reader.h"

namespace mote::sim {
namespace {

using engine::Json;

/// Given bodies.
BodySource source_of(Bodies bodies) {
  auto shared = std::make_shared<const Bodies>(std::move(bodies));
  return {shared->count(),
          [shared](const MakeContext&) { return *shared; },
          {},
          !shared->fixed.empty(),
          true};
}

/// Explains a name that is an obstacle or an item of another list instead of a kind of bodies; ""
/// for others.
std::string explain_kind(const std::string& name) {
  const auto& solids = obstacle_kinds();
  if (std::find(solids.begin(), solids.end(), name) != solids.end())
    return name + " is an obstacle, as in obstacles = { " + name +
           " { ... } }; there are no rigid bodies";
  if (const ModuleInfo* const other = module_with_function(name))
    return name + " belongs to " + other->subject + ", as in " + other->subject + " = { " + name +
           " { ... } }";
  return "";
}

/// The keys `species` and `fixed` of bodies.
struct SpeciesKey {
  std::string species;
};
struct FixedKey {
  bool fixed = false;
};

const engine::ParamTable<FixedKey>& fixed_key_table() {
  static const engine::ParamTable<FixedKey> table{
      "held",
      "",
      {engine::param(
          &FixedKey::fixed,
          {.name = "fixed", .help = "whether it keeps its velocity, whatever acts on it"})}};
  return table;
}

const engine::ParamTable<SpeciesKey>& species_key_table() {
  static const engine::ParamTable<SpeciesKey> table{
      "belongs",
      "",
      {engine::param(&SpeciesKey::species,
                     {.name = "species", .help = "name of one of the scene's species"})}};
  return table;
}

/// The key `radius` of bodies. Generators whose own `radius` means something else lack it; their
/// bodies have that of the scene's grains.
struct RadiusKey {
  std::optional<double> radius;
};

const engine::ParamTable<RadiusKey>& radius_key_table() {
  static const engine::ParamTable<RadiusKey> table{
      "ball",
      "",
      {engine::param(&RadiusKey::radius, {.name = "radius",
                                          .help = "of spheres: radius of each body",
                                          .unit = "length",
                                          .minimum = 0,
                                          .minimum_excluded = true})}};
  return table;
}

/// The key `angular_velocity` of bodies.
struct SpinKey {
  engine::Vec3d angular_velocity{0, 0, 0};
};

const engine::ParamTable<SpinKey>& spin_key_table() {
  static const engine::ParamTable<SpinKey> table{
      "turns",
      "",
      {engine::param(&SpinKey::angular_velocity,
                     {.name = "angular_velocity",
                      .help = "of grains: rotation of each body at the start, in radians / time",
                      .unit = "angular velocity"})}};
  return table;
}

bool has_radius(const engine::ParamSheet& sheet) {
  return std::any_of(sheet.rows.begin(), sheet.rows.end(),
                     [](const engine::ParamSheet::Row& row) { return row.info.name == "radius"; });
}

/// Properties of bodies besides mass, position and velocity.
struct Traits {
  std::uint8_t species = 0;  ///< number of the scene's species
  double radius = 0;         ///< 0: that of the scene's grains
  bool fixed = false;
  engine::Vec3d spin{0, 0, 0};

  bool spins() const { return !(spin == engine::Vec3d{0, 0, 0}); }
};

/// Reads a list of bodies, including nested groups.
class BodiesReader {
 public:
  BodiesReader(Reader& reader, const BodyTraits& known, SceneFolder& folder,
               const engine::UnitSystem& units)
      : reader_(reader),
        species_(known.species),
        with_radius_(known.radius),
        with_constraints_(known.constraints),
        with_fixed_(known.fixed),
        mass_from_density_(known.mass_from_density),
        folder_(folder),
        units_(units) {}

  std::vector<BodySource> list(const Table& items, int line, const std::string& path, Json& echo) {
    std::vector<BodySource> sources;
    Bodies loose;
    echo = Json::array();
    add(items, line, path, echo, sources, loose);
    if (loose.count() > 0) sources.push_back(source_of(std::move(loose)));
    return sources;
  }

 private:
  /// Appends the items of a list to `sources`. Consecutive explicit bodies are collected in `loose`
  /// and become one source.
  void add(const Table& items, int line, const std::string& path, Json& echo,
           std::vector<BodySource>& sources, Bodies& loose) {
    const auto close = [&] {
      if (loose.count() > 0) sources.push_back(source_of(std::exchange(loose, {})));
    };
    reader_.unknown(items, line, path, {}, items.items.size());
    for (std::size_t i = 0; i < items.items.size(); ++i) {
      const Value& item = items.items[i];
      const std::string at = joined_path(path, std::to_string(i + 1));
      const Table* table = item.table();
      if (!table) {
        reader_.problem(item.line, at,
                        "expected a body, a generator or a group, got " + describe(item),
                        is_function(item) ? "call the function, as in plummer { n = 1000 }" : "");
        continue;
      }
      if (is_list(*table)) {  // from include or copy
        add(*table, item.line, at, echo, sources, loose);
        continue;
      }
      const Member* kind = table->find("kind");
      if (kind && !kind->value.text()) {
        reader_.problem(kind->value.line, joined_path(at, "kind"),
                        "expected text, got " + describe(kind->value));
        continue;
      }
      const std::string name = kind ? *kind->value.text() : "body";
      if (name == "body") {
        echo.push_back(body(*table, item.line, at, loose));
        continue;
      }
      close();
      if (name == "group")
        sources.push_back(group(*table, item.line, at, echo.emplace_back(Json::object())));
      else if (const BodyFileFormat* format = body_file_format(name))
        sources.push_back(from_file(*format, *table, item.line, at, echo));
      else
        sources.push_back(
            generated(name, *table, item.line, at, echo.emplace_back(Json::object())));
    }
  }

  /// The number of the species that a table names; 0 for none.
  std::uint8_t species(const Table& table, int line, const std::string& path, Json& echo) {
    const Member* given = table.find("species");
    if (!given) return 0;
    SpeciesKey belongs;
    reader_.members(table, line, path, species_key_table(), belongs, &echo);
    const auto found = std::find(species_.begin(), species_.end(), belongs.species);
    if (found != species_.end()) return static_cast<std::uint8_t>(found - species_.begin() + 1);
    if (!given->value.text()) return 0;
    reader_.problem(given->value.line, joined_path(path, "species"),
                    "no such species: " + engine::quoted(belongs.species),
                    species_.empty()
                        ? "the scene has none; as in species = { star = { color = \"#ffcc88\" } }"
                        : engine::did_you_mean(belongs.species, species_, "it has: "));
    return 0;
  }

  double radius(const Table& table, int line, const std::string& path, Json& echo) {
    const Member* given = table.find("radius");
    if (!given) return 0;
    RadiusKey ball;
    reader_.members(table, line, path, radius_key_table(), ball, &echo);
    if (!with_radius_)
      reader_.problem(given->value.line, joined_path(path, "radius"),
                      "is for " + joined_subjects([](const ModuleInfo& m) { return m.has_radii; }) +
                          ", which the scene does not have",
                      "add that table, or leave it out");
    return ball.radius.value_or(0);
  }

  bool fixed(const Table& table, int line, const std::string& path, Json& echo) {
    const Member* given = table.find("fixed");
    if (!given) return false;
    FixedKey held;
    reader_.members(table, line, path, fixed_key_table(), held, &echo);
    if (held.fixed && !with_fixed_) refuse_fixed(given->value.line, joined_path(path, "fixed"));
    return held.fixed;
  }

  void refuse_fixed(int line, const std::string& path) {
    reader_.problem(line, path, "fixed bodies are for scenes that start with one",
                    "give a body of the scene fixed = true, or leave it out");
  }

  engine::Vec3d turning(const Table& table, int line, const std::string& path, Json& echo) {
    const Member* given = table.find("angular_velocity");
    if (!given) return {0, 0, 0};
    SpinKey turns;
    reader_.members(table, line, path, spin_key_table(), turns, &echo);
    if (!with_radius_)
      reader_.problem(given->value.line, joined_path(path, "angular_velocity"),
                      "is for " + joined_subjects([](const ModuleInfo& m) { return m.has_radii; }) +
                          ", which the scene does not have",
                      "add that table, or leave it out");
    return turns.angular_velocity;
  }

  Traits traits(const Table& table, int line, const std::string& path, Json& echo) {
    return {species(table, line, path, echo), radius(table, line, path, echo),
            fixed(table, line, path, echo), turning(table, line, path, echo)};
  }

  static BodySource with_traits(BodySource source, const Traits& traits) {
    const bool none = traits.species == 0 && traits.radius == 0 && !traits.fixed && !traits.spins();
    if (none || !source.make) return source;
    return {source.count,
            [make = source.make, traits](const MakeContext& context) {
              Bodies bodies = make(context);
              if (traits.species > 0) bodies.species.assign(bodies.mass.size(), traits.species);
              if (traits.radius > 0) bodies.radius.assign(bodies.mass.size(), traits.radius);
              if (traits.fixed) bodies.fixed.assign(bodies.mass.size(), 1);
              if (traits.spins()) bodies.spin.assign(bodies.mass.size(), traits.spin);
              return bodies;
            },
            std::move(source.chains), source.fixed || traits.fixed};
  }

  /// The keys of a described table, and `more`.
  template <class Owner>
  static std::vector<std::string> keys(const engine::ParamTable<Owner>& table,
                                       std::vector<std::string> more) {
    for (const std::string& name : names_of(table)) more.push_back(name);
    return more;
  }

  Json body(const Table& table, int line, const std::string& path, Bodies& into) {
    Body b;
    Json echo;
    const bool weighs = mass_from_density_ && !table.find("mass");
    Table with_mass;  // mass 1 stands for that of the density
    if (weighs) with_mass = table, put(with_mass, "mass", Value{std::int64_t{1}, line});
    reader_.members(weighs ? with_mass : table, line, path, body_table(), b, &echo);
    if (weighs) echo.erase("mass");
    reader_.unknown(table, line, path,
                    keys(body_table(), {"kind", "species", "radius", "fixed", "angular_velocity"}));
    if (b.name.empty()) echo.erase("name");
    if (b.color.empty()) echo.erase("color");
    if (b.display_radius == 0) echo.erase("display_radius");
    check_color(reader_, b.color, table, path);
    const Traits own = traits(table, line, path, echo);
    const auto [number, size, is_fixed, rotation] = own;
    if (number > 0 && into.species.empty()) into.species.resize(into.mass.size());
    if (number > 0 || !into.species.empty()) into.species.push_back(number);
    if (size > 0 && into.radius.empty()) into.radius.resize(into.mass.size());
    if (size > 0 || !into.radius.empty()) into.radius.push_back(size);
    if (is_fixed && into.fixed.empty()) into.fixed.resize(into.mass.size());
    if (is_fixed || !into.fixed.empty()) into.fixed.push_back(is_fixed ? 1 : 0);
    if (own.spins() && into.spin.empty()) into.spin.resize(into.mass.size());
    if (own.spins() || !into.spin.empty()) into.spin.push_back(rotation);
    into.mass.push_back(b.mass);
    into.position.push_back(b.position);
    into.velocity.push_back(b.velocity);
    if (!b.name.empty() && into.names.empty()) into.names.resize(into.mass.size() - 1);
    if (!b.name.empty() || !into.names.empty()) into.names.push_back(b.name);
    const BodyLook look = look_of(b);
    if (look != BodyLook{} && into.looks.empty()) into.looks.resize(into.mass.size() - 1);
    if (look != BodyLook{} || !into.looks.empty()) into.looks.push_back(look);
    return echo;
  }

  BodySource group(const Table& table, int line, const std::string& path, Json& echo) {
    Group g;
    echo["kind"] = "group";
    reader_.members(table, line, path, group_table(), g, &echo);
    reader_.unknown(table, line, path, keys(group_table(), {"kind", "bodies", "scale", "spin"}));
    direction(g.axis, table, line, path);
    part("scale", table, path, scale_table(), g.scale, echo);
    if (const Table* spin = part("spin", table, path, spin_table(), g.spin, echo))
      direction(g.spin.axis, *spin, line, joined_path(path, "spin"));
    const Member* inner = table.find("bodies");
    std::vector<BodySource> parts;
    if (!inner || !inner->value.table())
      reader_.problem(inner ? inner->value.line : line, joined_path(path, "bodies"),
                      inner ? "expected a list, got " + describe(inner->value) : "is missing",
                      "a group needs a list of bodies");
    else if (inner->value.table()->items.empty())
      reader_.problem(inner->value.line, joined_path(path, "bodies"), "is empty",
                      "a group needs a list of bodies");
    else
      parts = list(*inner->value.table(), inner->value.line, joined_path(path, "bodies"),
                   echo["bodies"]);
    engine::Index count = 0;
    std::vector<ChainLinks> chains;
    bool any_fixed = false;
    for (const BodySource& p : parts) {
      any_fixed = any_fixed || p.fixed;
      for (ChainLinks links : p.chains) {
        links.first += count;
        chains.push_back(std::move(links));
      }
      count += p.count;
    }
    return {count,
            [parts, g](const MakeContext& context) {
              Bodies all;
              for (const BodySource& p : parts) append(all, p.make(context));
              change(all, g, context.threads);
              return all;
            },
            std::move(chains), any_fixed, parts.size() != 1 || parts.front().needs_copy};
  }

  /// The order is documented in group_table().
  static void change(Bodies& bodies, const Group& g, int threads) {
    scale(bodies, g.scale.length, g.scale.velocity, g.scale.mass);
    if (g.angle != 0) rotate(bodies, g.axis, g.angle, threads);
    if (g.inclination != 0) rotate(bodies, {1, 0, 0}, g.inclination, threads);
    if (g.node != 0) rotate(bodies, {0, 0, 1}, g.node, threads);
    if (g.spin.rate != 0) spin(bodies, g.spin.axis, g.spin.rate);
    translate(bodies, g.position, threads);
    boost(bodies, g.velocity, threads);
  }

  /// Reads a subtable of a group; null if it is absent or invalid.
  template <class Owner>
  const Table* part(const std::string& name, const Table& group, const std::string& path,
                    const engine::ParamTable<Owner>& described, Owner& out, Json& echo) {
    const Member* member = group.find(name);
    if (!member) return nullptr;
    const Value& value = member->value;
    const std::string at = joined_path(path, name);
    if (!value.table()) {
      reader_.problem(value.line, at, "expected a table, got " + describe(value));
      return nullptr;
    }
    reader_.members(*value.table(), value.line, at, described, out, &echo[name]);
    reader_.unknown(*value.table(), value.line, at, names_of(described));
    return value.table();
  }

  void direction(engine::Vec3d axis, const Table& table, int line, const std::string& path) {
    if (const double square = dot(axis, axis); square > 0 && std::isfinite(square)) return;
    const Member* given = table.find("axis");
    reader_.problem(given ? given->value.line : line, joined_path(path, "axis"),
                    dot(axis, axis) == 0 ? "has zero length" : "is too long",
                    "any non-zero vector gives a direction, as {0, 0, 1} for the z axis");
  }

  /// Adds the bodies of the file to the expanded scene as explicit bodies, so that it needs no
  /// other file.
  BodySource from_file(const BodyFileFormat& format, const Table& table, int line,
                       const std::string& path, Json& echo) {
    BodyFile from;
    const std::size_t before = reader_.problem_count();
    reader_.members(table, line, path, format.table(), from, nullptr);
    reader_.unknown(
        table, line, path,
        keys(format.table(), {"kind", "species", "radius", "fixed", "angular_velocity"}));
    Json of_all = Json::object();
    const Traits of_each = traits(table, line, path, of_all);
    if (reader_.problem_count() > before) return {};
    const int at = table.find("file")->value.line;
    const std::string key = joined_path(path, "file");
    const SceneFolder::Found found = folder_.find(from.file, format.max_bytes);
    if (!found.problem.empty()) {
      reader_.problem(at, key, found.problem, found.remedy);
      return {};
    }
    try {
      const std::vector<std::string> none;
      const std::string location = reader_.location(at, key);
      Bodies bodies = format.read(
          {found.bytes, from, units_, table.find("species") ? none : species_, location});
      if (!std::all_of(bodies.names.begin(), bodies.names.end(), engine::is_utf8))
        throw engine::InputError(found.file.string(), "is not UTF-8",
                                 "save the file with this encoding");
      if (bodies.count() == 0) throw engine::InputError(found.file.string(), "holds no bodies");
      folder_.keep(from.file, found);
      for (Json& b : bodies_json(bodies, of_all, species_)) echo.push_back(std::move(b));
      return with_traits(source_of(std::move(bodies)), of_each);
    } catch (const engine::InputError& e) {
      for (const engine::Diagnostic& d : e.diagnostics()) reader_.add(d);
    } catch (const engine::ReaderFailure&) {
      throw;
    } catch (const engine::SystemError& e) {
      reader_.problem(at, key, e.what());
    }
    return {};
  }

  BodySource generated(const std::string& name, const Table& table, int line,
                       const std::string& path, Json& echo) {
    const Generator* generator = generator_named(name);
    if (!generator) {
      std::vector<std::string> names{"body", "group"};
      for (const BodyFileFormat& f : body_file_formats()) names.push_back(f.name);
      for (const Generator& g : generators()) names.push_back(g.name);
      const Member* kind = table.find("kind");
      const std::string explanation = explain_kind(name);
      reader_.problem(
          kind->value.line, joined_path(path, "kind"),
          "no such kind of bodies: " + engine::quoted(name),
          explanation.empty() ? engine::did_you_mean(name, names, "known: ") : explanation);
      return {};
    }
    ++generated_;
    if (generator->random && !table.find("stream")) {
      // No generator call has set a stream: JSON, or an explicit `kind`.
      Table numbered = table;
      put(numbered, "stream", Value{static_cast<std::int64_t>(generated_), line});
      return generated(*generator, numbered, line, path, echo);
    }
    return generated(*generator, table, line, path, echo);
  }

  BodySource generated(const Generator& generator, const Table& table, int line,
                       const std::string& path, Json& echo) {
    echo["kind"] = generator.name;
    if (generator.constrained && !with_constraints_)
      reader_.problem(line, path, "makes bodies with constraints, which are not allowed here",
                      "add " + joined_subjects([](const ModuleInfo& m) {
                        return m.has_constraints;
                      }) + " = {} to the scene; hooks cannot add such bodies");
    std::vector<std::string> known{"kind", "species", "fixed", "angular_velocity"};
    known.insert(known.end(), generator.lists.begin(), generator.lists.end());
    for (const auto& row : generator.sheet.rows) known.push_back(row.info.name);
    if (!has_radius(generator.sheet)) known.emplace_back("radius");
    BodySource source = generator.read(reader_, table, line, path, echo);
    reader_.unknown(table, line, path, known);
    if (source.fixed && !with_fixed_) refuse_fixed(line, path);
    Traits of_each{species(table, line, path, echo), 0, fixed(table, line, path, echo),
                   turning(table, line, path, echo)};
    if (!has_radius(generator.sheet)) of_each.radius = radius(table, line, path, echo);
    return with_traits(std::move(source), of_each);
  }

  Reader& reader_;
  const std::vector<std::string>& species_;
  bool with_radius_, with_constraints_, with_fixed_, mass_from_density_;
  SceneFolder& folder_;
  const engine::UnitSystem& units_;
  int generated_ = 0;  // generators so far; the default random stream
};

}  // namespace

std::vector<BodySource> read_bodies(Reader& reader, const Value& list, const std::string& path,
                                    const BodyTraits& known, SceneFolder& folder,
                                    const engine::UnitSystem& units, Json& echo) {
  return BodiesReader(reader, known, folder, units).list(*list.table(), list.line, path, echo);
}

std::vector<engine::ParamSheet> body_sheets() {
  std::vector<engine::ParamSheet> sheets{engine::sheet_of(body_table())};
  for (const Generator& g : generators()) sheets.push_back(g.sheet);
  for (const BodyFileFormat& f : body_file_formats()) sheets.push_back(engine::sheet_of(f.table()));
  for (engine::ParamSheet& s : sheets) {
    s.rows.push_back(engine::sheet_of(species_key_table()).rows.front());
    s.rows.push_back(engine::sheet_of(fixed_key_table()).rows.front());
    s.rows.push_back(engine::sheet_of(spin_key_table()).rows.front());
    if (!has_radius(s)) s.rows.push_back(engine::sheet_of(radius_key_table()).rows.front());
  }
  sheets.push_back(engine::sheet_of(group_table()));
  sheets.push_back(engine::sheet_of(scale_table()));
  sheets.push_back(engine::sheet_of(spin_table()));
  return sheets;
}

}  // namespace mote::sim
