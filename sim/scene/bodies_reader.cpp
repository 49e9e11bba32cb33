#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "engine/text.h"
#include "sim/io/csv.h"
#include "sim/scene/body_tables.h"
#include "sim/scene/generators.h"

namespace mote::sim {
namespace {

using engine::Json;

BodySource fixed(Bodies bodies) {
  auto shared = std::make_shared<const Bodies>(std::move(bodies));
  return {shared->count(), [shared](const MakeContext&) { return *shared; }};
}

Json written_out(const Bodies& bodies) {
  Json list = Json::array();
  const auto vector = [](engine::Vec3d v) { return Json::array({v.x, v.y, v.z}); };
  for (std::size_t i = 0; i < bodies.mass.size(); ++i) {
    Json body;
    if (!bodies.names.empty() && !bodies.names[i].empty()) body["name"] = bodies.names[i];
    body["mass"] = bodies.mass[i];
    body["position"] = vector(bodies.position[i]);
    body["velocity"] = vector(bodies.velocity[i]);
    list.push_back(std::move(body));
  }
  return list;
}

/// Reads one list of bodies, groups in it included.
class BodiesReader {
 public:
  BodiesReader(Reader& reader, std::string folder, const engine::UnitSystem& units)
      : reader_(reader), folder_(std::move(folder)), units_(units) {}

  std::vector<BodySource> list(const Table& items, int line, const std::string& path, Json& echo) {
    std::vector<BodySource> sources;
    Bodies loose;  // bodies written out, until something else comes
    const auto close = [&] {
      if (loose.count() > 0) sources.push_back(fixed(std::exchange(loose, {})));
    };
    echo = Json::array();
    reader_.unknown(items, line, path, {}, items.items.size());
    for (std::size_t i = 0; i < items.items.size(); ++i) {
      const Value& item = items.items[i];
      const std::string at = joined_path(path, std::to_string(i + 1));
      const Table* table = item.table();
      if (!table) {
        reader_.problem(item.line, at, "expected a body, a generator or a group, got " + describe(item));
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
      else if (name == "csv")
        sources.push_back(csv(*table, item.line, at, echo));
      else
        sources.push_back(generated(name, *table, item.line, at, echo.emplace_back(Json::object())));
    }
    close();
    return sources;
  }

 private:
  /// The keys of a described table, and the one that says what it is.
  template <class Owner>
  static std::vector<std::string> keys(const engine::ParamTable<Owner>& table,
                                       std::vector<std::string> more) {
    for (const std::string& name : names_of(table)) more.push_back(name);
    return more;
  }

  Json body(const Table& table, int line, const std::string& path, Bodies& into) {
    Body b;
    Json echo;
    reader_.members(table, line, path, body_table(), b, &echo);
    reader_.unknown(table, line, path, keys(body_table(), {"kind"}));
    if (b.name.empty()) echo.erase("name");
    into.mass.push_back(b.mass);
    into.position.push_back(b.position);
    into.velocity.push_back(b.velocity);
    if (!b.name.empty() && into.names.empty()) into.names.resize(into.mass.size() - 1);
    if (!b.name.empty() || !into.names.empty()) into.names.push_back(b.name);
    return echo;
  }

  BodySource group(const Table& table, int line, const std::string& path, Json& echo) {
    Group g;
    echo["kind"] = "group";
    reader_.members(table, line, path, group_table(), g, &echo);
    reader_.unknown(table, line, path, keys(group_table(), {"kind", "bodies"}));
    if (dot(g.axis, g.axis) == 0) {
      const Member* axis = table.find("axis");
      reader_.problem(axis ? axis->value.line : line, joined_path(path, "axis"), "has no length",
                      "any other vector is a direction, {0, 0, 1} is the z axis");
    }
    const Member* inner = table.find("bodies");
    std::vector<BodySource> parts;
    if (!inner || !inner->value.table())
      reader_.problem(inner ? inner->value.line : line, joined_path(path, "bodies"),
                      inner ? "expected a list, got " + describe(inner->value) : "is missing",
                      "the list of bodies that the group moves");
    else if (inner->value.table()->items.empty())
      reader_.problem(inner->value.line, joined_path(path, "bodies"), "is empty",
                      "the list of bodies that the group moves");
    else
      parts = list(*inner->value.table(), inner->value.line, joined_path(path, "bodies"), echo["bodies"]);
    engine::Index count = 0;
    for (const BodySource& p : parts) count += p.count;
    return {count, [parts, g](const MakeContext& context) {
              Bodies all;
              for (const BodySource& p : parts) append(all, p.make(context));
              if (g.angle != 0) rotate(all, g.axis, g.angle);
              translate(all, g.position);
              boost(all, g.velocity);
              return all;
            }};
  }

  /// The rows of the file join the scene as bodies written out, so that the expanded scene needs no other
  /// file.
  BodySource csv(const Table& table, int line, const std::string& path, Json& echo) {
    Csv c;
    const std::size_t before = reader_.problem_count();
    reader_.members(table, line, path, csv_table(), c, nullptr);
    reader_.unknown(table, line, path, keys(csv_table(), {"kind"}));
    if (reader_.problem_count() > before) return {};
    const std::filesystem::path file = std::filesystem::path(folder_) / c.file;
    const std::filesystem::path inside = std::filesystem::weakly_canonical(file).lexically_relative(
        std::filesystem::weakly_canonical(folder_.empty() ? "." : folder_));
    const int at = table.find("file")->value.line;
    const std::string key = joined_path(path, "file");
    if (std::filesystem::path(c.file).is_absolute() || inside.empty() || *inside.begin() == "..") {
      reader_.problem(at, key, "\"" + c.file + "\" is outside the folder of the scene",
                      "put the file beside the scene or below");
      return {};
    }
    std::error_code ignored;
    if (const bool there = std::filesystem::exists(file, ignored);
        !std::filesystem::is_regular_file(file, ignored)) {
      reader_.problem(at, key, (there ? "not a file: " : "no such file: ") + file.string(),
                      "paths start at the folder of the scene");
      return {};
    }
    try {
      Bodies bodies = read_bodies_csv(file, units_, reader_.place(at, key));
      if (!std::all_of(bodies.names.begin(), bodies.names.end(), is_utf8))
        throw engine::InputError(file.string(), "is not UTF-8", "save the file with this encoding");
      for (Json& b : written_out(bodies)) echo.push_back(std::move(b));
      return fixed(std::move(bodies));
    } catch (const engine::InputError& e) {
      for (const engine::Diagnostic& d : e.diagnostics()) reader_.add(d);
    }
    return {};
  }

  BodySource generated(const std::string& name, const Table& table, int line, const std::string& path,
                       Json& echo) {
    const Generator* generator = generator_named(name);
    if (!generator) {
      std::vector<std::string> names{"body", "group", "csv"};
      for (const Generator& g : generators()) names.push_back(g.name);
      const Member* kind = table.find("kind");
      const std::string near = engine::closest(name, names);
      reader_.problem(
          kind->value.line, joined_path(path, "kind"), "no such kind of bodies: " + engine::quoted(name),
          near.empty() ? "known: " + engine::joined(names, ", ") : "did you mean '" + near + "'?");
      return {};
    }
    ++generated_;
    if (generator->random && !table.find("stream")) {
      // Tables without the call that would have numbered them: JSON, or a kind that was written out.
      Table numbered = table;
      put(numbered, "stream", Value{static_cast<std::int64_t>(generated_), line});
      return generated(*generator, numbered, line, path, echo);
    }
    return generated(*generator, table, line, path, echo);
  }

  BodySource generated(const Generator& generator, const Table& table, int line, const std::string& path,
                       Json& echo) {
    echo["kind"] = generator.name;
    std::vector<std::string> known{"kind"};
    known.insert(known.end(), generator.lists.begin(), generator.lists.end());
    for (const auto& row : generator.sheet.rows) known.push_back(row.info.name);
    BodySource source = generator.read(reader_, table, line, path, echo);
    reader_.unknown(table, line, path, known);
    return source;
  }

  Reader& reader_;
  std::string folder_;
  const engine::UnitSystem& units_;
  int generated_ = 0;  // generators so far: numbers the random streams of those that name none
};

}  // namespace

std::vector<BodySource> read_bodies(Reader& reader, const Value& list, const std::string& path,
                                    const std::string& folder, const engine::UnitSystem& units, Json& echo) {
  return BodiesReader(reader, folder, units).list(*list.table(), list.line, path, echo);
}

std::vector<engine::ParamSheet> body_sheets() {
  std::vector<engine::ParamSheet> sheets{engine::sheet_of(body_table())};
  for (const Generator& g : generators()) sheets.push_back(g.sheet);
  sheets.push_back(engine::sheet_of(csv_table()));
  sheets.push_back(engine::sheet_of(group_table()));
  return sheets;
}

}  // namespace mote::sim
