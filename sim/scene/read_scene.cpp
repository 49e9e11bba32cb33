#include "sim/scene/read_scene.h"

#include <algorithm>
#include <utility>

#include "engine/json.h"
#include "engine/log.h"
#include "engine/read_process.h"
#include "engine/text.h"
#include "sim/scene/bonds_reader.h"
#include "sim/scene/emitters_reader.h"
#include "sim/scene/energy.h"
#include "sim/scene/fields_reader.h"
#include "sim/scene/generators.h"
#include "sim/scene/grains_reader.h"
#include "sim/scene/matter.h"
#include "sim/scene/molecular_reader.h"
#include "sim/scene/obstacles_reader.h"
#include "sim/scene/param_call.h"
#include "sim/scene/scene_folder.h"
#include "sim/scene/soft_reader.h"
#include "sim/scene/tables.h"

namespace mote::sim {
namespace {

using engine::Json;

/// Species numbers are bytes; 0 means none.
constexpr std::size_t max_species = 255;

const std::string species_scalar = "species", no_species = "the scene has no species",
                  name_species =
                      "name them, as in species = { star = { color = \"#ffcc88\" } }, or choose "
                      "something else";

bool is_color(const std::string& text) {
  return text.size() == 7 && text[0] == '#' &&
         text.find_first_not_of("0123456789abcdefABCDEF", 1) == text.npos;
}

/// Reads a scene's table into a description, member by member.
class SceneReader {
 public:
  SceneReader(const SceneSource& source, std::vector<engine::Diagnostic>& problems)
      : source_(source), root_(*source.root.table()), reader_(source.files, nullptr, problems) {}

  /// Whether the scene's choice of units could be read.
  bool units_known() const { return units_known_; }

  void read(SceneDescription& scene) {
    Json& echo = *scene.expanded;
    reader_.members(root_, source_.root.line, "", scene_table(), scene.head, &echo);
    scene.units = *engine::unit_system_named(scene.head.units);
    const Value* units = find("units");
    const bool known = !units || (units->text() && engine::unit_system_named(*units->text()));
    reader_.use_units(&scene.units, known);
    units_known_ = known;
    std::vector<std::string> keys = names_of(scene_table());
    keys.insert(keys.end(), subtable_names().begin(), subtable_names().end());
    check_hooks_in_json(keys);
    reader_.unknown(root_, source_.root.line, "", keys);

    if (const Value* gravity = find("gravity")) {
      scene.gravity.emplace();
      table(*gravity, gravity_table(), *scene.gravity, echo["gravity"]);
    }
    if (const Value* fields = find("fields"))
      scene.fields = read_fields(reader_, *fields, echo["fields"]);
    required("integrator", integrator_table(), scene.integrator, echo["integrator"]);
    scene.integrator.longest = scene.integrator.dt;
    if (scene.integrator.courant && !find("fluid"))
      reader_.problem(find("integrator")->line, "integrator.courant",
                      "is for fluids, which the scene does not have", "leave it out");
    species(scene, echo);
    SceneFolder folder(source_.file.parent_path(), source_.trust);
    read_molecular(reader_, root_, scene, folder, echo);
    read_grains(reader_, root_, scene, echo);
    read_soft(reader_, root_, scene, echo);
    read_emitters(reader_, root_, scene, echo);
    if (scene.fluid && scene.fluid->hydrostatic && !has_uniform_field(scene))
      reader_.problem(
          find("fluid")->line, "fluid.hydrostatic",
          "needs a uniform field, which the scene does not have",
          "add fields = { uniform { acceleration = { 0, 0, -9.81 } } }, or leave it out");
    check_matter(reader_, root_, scene);
    if (const Value* obstacles = find("obstacles")) {
      scene.obstacles = read_obstacles(reader_, *obstacles, folder, echo["obstacles"]);
      if (!find("grains") && !find("soft"))
        reader_.problem(obstacles->line, "obstacles",
                        "have no effect without grains or soft bodies",
                        "add grains = { radius = 0.1 }, or soft = {} for cloth");
      for (std::size_t i = 0; scene.soft && i < scene.obstacles.size(); ++i)
        if (std::visit([](const ObstacleCommon& o) { return o.restitution.has_value(); },
                       scene.obstacles[i]))
          reader_.problem(obstacles->line, "obstacles." + std::to_string(i + 1) + ".restitution",
                          "is for grains; soft bodies have no restitution", "leave it out");
    }
    bodies(scene, folder, echo["bodies"]);
    read_bonds(reader_, root_, scene, echo);
    scene.files.insert(scene.files.end(), folder.files().begin(), folder.files().end());
    optional("stop", stop_table(), scene.stop, echo);
    optional("series", series_table(), scene.series, echo);
    optional("snapshots", snapshots_table(), scene.snapshots, echo);
    std::sort(scene.snapshots.times.begin(), scene.snapshots.times.end());
    if (scene.snapshots.contacts && !scene.grains)
      reader_.problem(root_.find("snapshots")->value.line, "snapshots.contacts",
                      "is for grains, which the scene does not have",
                      "add grains = { radius = 0.1 }");
    optional("checkpoints", checkpoints_table(), scene.checkpoints, echo);
    optional("health", health_table(), scene.health, echo);
    // A limit on the energy error is meaningless if energy is not conserved.
    if (scene.health.energy_error)
      for (const std::string& why : energy_notes(scene))
        reader_.problem(find("health")->line, "health.energy_error", why, "leave the limit out");
    view(scene, echo["view"]);
  }

 private:
  const Value* find(const std::string& name) const {
    const Member* member = root_.find(name);
    return member ? &member->value : nullptr;
  }

  static bool has_uniform_field(const SceneDescription& scene) {
    return std::any_of(scene.fields.begin(), scene.fields.end(), [](const Field& field) {
      return std::holds_alternative<UniformField>(field);
    });
  }

  /// Reads one subtable; `positional` items are allowed where a parameter is positional.
  template <class Owner>
  void table(const Value& value, const engine::ParamTable<Owner>& described, Owner& out, Json& echo,
             std::vector<std::string> more = {}) {
    if (!value.table()) {
      reader_.problem(value.line, described.name, "expected a table, got " + describe(value));
      return;
    }
    reader_.members(*value.table(), value.line, described.name, described, out, &echo);
    std::size_t items = 0;
    for (const auto& p : described.params) items += p.info.positional ? 1 : 0;
    for (const std::string& name : names_of(described)) more.push_back(name);
    reader_.unknown(*value.table(), value.line, described.name, more, items);
  }

  /// Reports hooks in JSON scenes, which have no functions, and warns of those left out when the
  /// scene was expanded.
  void check_hooks_in_json(std::vector<std::string>& known) {
    known.insert(known.end(), hook_names().begin(), hook_names().end());
    if (source_.file.extension() != ".json") return;
    known.emplace_back("hooks");
    for (const std::string& name : hook_names())
      if (const Value* given = find(name))
        reader_.problem(given->line, name, "a scene in JSON has no functions",
                        "write the scene in Lua");
    if (find("hooks"))
      engine::log().warn(
          "{}: JSON scenes do not contain the functions of hooks; running without them",
          source_.file.string());
  }

  template <class Owner>
  void optional(const std::string& name, const engine::ParamTable<Owner>& described, Owner& out,
                Json& echo) {
    Json own = Json::object();
    if (const Value* value = find(name)) table(*value, described, out, own);
    if (!own.empty()) echo[name] = std::move(own);
  }

  template <class Owner>
  void required(const std::string& name, const engine::ParamTable<Owner>& described, Owner& out,
                Json& echo) {
    const Value* value = find(name);
    Value empty{Table{}, source_.root.line};
    table(value ? *value : empty, described, out, echo);
  }

  void species(SceneDescription& scene, Json& echo) {
    const Value* all = find("species");
    if (!all) return;
    if (!all->table() || !all->table()->items.empty() || all->table()->members.size() > max_species)
      return reader_.problem(all->line, "species",
                             "expected a table of at most 255 names, got " + describe(*all),
                             "as in species = { star = { color = \"#ffcc88\" } }");
    for (const Member& m : all->table()->members) {
      const std::string path = joined_path("species", m.name);
      Species one;
      one.name = m.name;
      if (!m.value.table())
        reader_.problem(m.value.line, path, "expected a table, got " + describe(m.value));
      else if (!is_utf8(m.name))
        reader_.problem(m.value.line, "species", "has a name that is not UTF-8");
      else {
        reader_.members(*m.value.table(), m.value.line, path, species_table(), one,
                        &echo["species"][m.name]);
        reader_.unknown(*m.value.table(), m.value.line, path, names_of(species_table()));
        if (!is_color(one.color))
          reader_.problem(m.value.table()->find("color")->value.line, joined_path(path, "color"),
                          engine::quoted(one.color) + " is not a colour", "as in \"#ffcc88\"");
      }
      scene.species.push_back(std::move(one));
    }
  }

  void bodies(SceneDescription& scene, SceneFolder& folder, Json& echo) {
    const Value* list = find("bodies");
    if (!list || !list->table()) {
      reader_.problem(list ? list->line : source_.root.line, "bodies",
                      list ? "expected a list, got " + describe(*list) : "is missing",
                      "a list of bodies and generators, bodies = { plummer { n = 1000 } }");
      return;
    }
    // A single body or generator is taken as a list of one.
    Value one{Table{}, list->line};
    if (list->table()->items.empty() && !list->table()->members.empty()) {
      one.table()->items.push_back(*list);
      list = &one;
    }
    if (list->table()->items.empty()) {
      reader_.problem(list->line, "bodies", "is empty", "a scene needs at least one body");
      return;
    }
    scene.bodies =
        read_bodies(reader_, *list, "bodies", traits_of(scene), folder, scene.units, echo);
  }

  void view(SceneDescription& scene, Json& echo) {
    const Value empty{Table{}, source_.root.line};
    const Value* given = find("view");
    table(given ? *given : empty, view_table(), scene.view, echo, {"camera"});
    if (scene.view.color == species_scalar && scene.species.empty())
      reader_.problem(given->table()->find("color")->value.line, "view.color", no_species,
                      name_species);
    const Member* camera = given && given->table() ? given->table()->find("camera") : nullptr;
    table(camera ? camera->value : empty, camera_table(), scene.camera, echo["camera"]);
  }

  const SceneSource& source_;
  const Table& root_;
  Reader reader_;
  bool units_known_ = true;
};

/// Applies settings that name no `param` as paths into the scene's table.
void apply_settings(SceneSource& source, std::vector<engine::Diagnostic>& problems) {
  std::vector<std::string> names;
  for (const SceneParam& p : source.params) names.push_back(p.info.name);
  const auto known = names_of(scene_table());
  for (const auto& [path, typed] : source.unused) {
    const bool is_path = path.find('.') != std::string::npos;
    const bool top = std::find(known.begin(), known.end(), path) != known.end();
    if (is_path || top) {
      if (!put(*source.root.table(), path, parse_typed(typed)))
        problems.push_back({"--set " + path, "", "the scene has no such key",
                            "list items count from 1, as in bodies.1.n"});
      continue;
    }
    problems.push_back({"--set " + path, "", "the scene has no parameter of this name",
                        names.empty()
                            ? "it has none; a path such as integrator.dt can be set in every scene"
                            : engine::did_you_mean(path, names, "it has: ")});
  }
}

SceneDescription checked(SceneSource source, std::vector<engine::Diagnostic> problems) {
  const engine::ReadSession one_reader;
  apply_settings(source, problems);
  SceneDescription scene;
  scene.files = source.read;
  scene.files.insert(scene.files.begin(), source.file);
  SceneReader reader(source, problems);
  reader.read(scene);
  if (reader.units_known()) resolve_units(source.params, scene.units, problems);
  if (!problems.empty()) {
    sort_by_line(problems, source.file.string());
    throw engine::InputError(std::move(problems));
  }
  scene.file = source.file;
  scene.text = std::move(source.text);
  scene.trust = source.trust;
  scene.included = std::move(source.included);
  scene.params = std::move(source.params);
  scene.hooks = std::move(source.hooks);
  return scene;
}

}  // namespace

SceneDescription read_scene(const std::filesystem::path& file, const Settings& settings,
                            Trust trust) {
  std::vector<engine::Diagnostic> problems;
  SceneSource source = read_scene_source(file, settings, trust, problems);
  return checked(std::move(source), std::move(problems));
}

SceneDescription read_scene_text(const std::filesystem::path& file, std::string text,
                                 const Settings& settings) {
  std::vector<engine::Diagnostic> problems;
  SceneSource source = read_scene_source(file, std::move(text), settings, Trust::no, problems);
  return checked(std::move(source), std::move(problems));
}

void check_scalar(const SceneDescription& scene, const std::string& scalar,
                  const std::string& location) {
  if (scalar == species_scalar && scene.species.empty())
    throw engine::InputError(location, no_species, name_species);
}

std::vector<engine::ParamSheet> scene_sheets() {
  std::vector<engine::ParamSheet> sheets{engine::sheet_of(scene_table()),
                                         engine::sheet_of(gravity_table()),
                                         engine::sheet_of(domain_table()),
                                         engine::sheet_of(lennard_jones_table()),
                                         engine::sheet_of(coulomb_table()),
                                         engine::sheet_of(pair_table()),
                                         engine::sheet_of(bond_kind_table()),
                                         engine::sheet_of(angle_kind_table()),
                                         engine::sheet_of(thermostat_table()),
                                         engine::sheet_of(fluid_table()),
                                         engine::sheet_of(emitter_table()),
                                         engine::sheet_of(drain_table()),
                                         engine::sheet_of(radial_distribution_table()),
                                         grains_sheet(),
                                         engine::sheet_of(soft_table()),
                                         engine::sheet_of(integrator_table())};
  for (engine::ParamSheet& s : field_sheets()) sheets.push_back(std::move(s));
  for (engine::ParamSheet& s : obstacle_sheets()) sheets.push_back(std::move(s));
  for (engine::ParamSheet& s : body_sheets()) sheets.push_back(std::move(s));
  sheets.push_back(engine::sheet_of(species_table()));
  sheets.push_back(engine::sheet_of(stop_table()));
  sheets.push_back(engine::sheet_of(series_table()));
  sheets.push_back(engine::sheet_of(snapshots_table()));
  sheets.push_back(engine::sheet_of(checkpoints_table()));
  sheets.push_back(engine::sheet_of(health_table()));
  sheets.push_back(engine::sheet_of(step_hook_table()));
  sheets.push_back(engine::sheet_of(time_hook_table()));
  sheets.push_back(engine::sheet_of(view_table()));
  sheets.push_back(engine::sheet_of(camera_table()));
  return sheets;
}

}  // namespace mote::sim
