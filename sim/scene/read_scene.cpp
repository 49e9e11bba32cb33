#include "sim/scene/read_scene.h"

#include <algorithm>
#include <utility>

#include "engine/json.h"
#include "engine/log.h"
#include "engine/read_process.h"
#include "engine/rounded_text.h"
#include "engine/text.h"
#include "sim/body_links.h"
#include "sim/io/xyz_read.h"
#include "sim/model/matter.h"
#include "sim/model/modules.h"
#include "sim/motion/integrators.h"
#include "sim/scene/color.h"
#include "sim/scene/generators.h"
#include "sim/scene/misplaced.h"
#include "sim/scene/obstacles_reader.h"
#include "sim/scene/quantity_check.h"
#include "sim/scene/scene_settings.h"
#include "sim/scene/tables.h"
#include "sim/source/param_call.h"
#include "sim/source/scene_folder.h"

namespace mote::sim {
namespace {

using engine::Json;

/// Species numbers are bytes; 0 means none.
constexpr std::size_t max_species = 254;  // and no species, and hidden bodies: a byte

/// True if points of light would hide the shape of what bodies are, or are parts of.
bool have_shapes(const Model& scene) {
  BodyLinks links;
  for (const Physics& p : scene.physics) p.add_links(links);
  // Links of soft bodies are known only when the bodies are made.
  return has_radii(scene) || has_constraint_energy(scene) || !links.rods.empty();
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

    integrator(scene, echo["integrator"]);
    species(scene, echo);
    SceneFolder folder(source_.file.parent_path(), source_.trust);
    if (const Value* value = find("domain")) domain(*value, folder, scene, echo["domain"]);
    if (const Value* obstacles = find("obstacles"))
      scene.obstacles = read_obstacles(reader_, *obstacles, folder, echo["obstacles"]);
    const SceneReading reading{reader_, root_, scene, scene.bodies, folder, echo};
    modules(scene, reading, false);
    if (const Value* wanted = find("radial_distribution"))
      radial_distribution(*wanted, scene, echo["radial_distribution"]);
    bodies(scene, folder, echo["bodies"]);
    modules(scene, reading, true);
    scene.physics.sort(rank_of);
    check_rules(reading);
    check_matter(reading);
    for (const Physics& p : scene.physics) p.check(reading);
    scene.files.insert(scene.files.end(), folder.files().begin(), folder.files().end());
    optional("stop", stop_table(), scene.stop, echo);
    optional("series", series_table(), scene.series, echo);
    optional("snapshots", snapshots_table(), scene.snapshots, echo);
    std::sort(scene.snapshots.times.begin(), scene.snapshots.times.end());
    if (scene.snapshots.contacts && !any(scene, [](const ModuleInfo& m) { return m.has_contacts; }))
      reader_.problem(root_.find("snapshots")->value.line, "snapshots.contacts",
                      "is for " + joined_subjects([](const ModuleInfo& m) {
                        return m.has_contacts;
                      }) + ", which the scene does not have",
                      "leave it out");
    if (const std::string problem = problem_of_columns(scene); !problem.empty())
      reader_.problem(root_.find("snapshots")->value.line, "snapshots.columns", problem,
                      "leave it out");
    optional("checkpoints", checkpoints_table(), scene.checkpoints, echo);
    optional("health", health_table(), scene.health, echo);
    // A limit on the energy error is meaningless where the energy may rise by itself.
    if (scene.health.energy_error)
      for (const std::string& why : energy_gains(scene))
        reader_.problem(find("health")->line, "health.energy_error", why, "leave the limit out");
    view(scene, echo["view"]);
  }

 private:
  const Value* find(const std::string& name) const {
    const Member* member = root_.find(name);
    return member ? &member->value : nullptr;
  }

  /// Reads the modules that follow the bodies, or the others.
  static void modules(SceneDescription& scene, const SceneReading& from, bool follow_bodies) {
    for (const PhysicsModule& m : sim::modules())
      if (m.info().follows_bodies == follow_bodies)
        if (auto physics = m.read(from)) scene.physics.add(std::move(physics));
  }

  template <class Is>
  static bool any(const Model& model, const Is& is) {
    for (const Physics& p : model.physics)
      if (is(p.info())) return true;
    return false;
  }

  /// Line of the first key of a module that the scene has.
  int line_of(const ModuleInfo& module) const {
    for (const SceneKey& key : module.keys)
      if (const Value* value = find(key.name)) return value->line;
    return source_.root.line;
  }

  /// Reports what modules exclude and need, and tables that have no effect.
  void check_rules(const SceneReading& from) {
    const Model& model = from.model;
    const std::vector<std::string> features = features_of(model);
    const auto has = [&](const std::string& what) {
      return std::find(features.begin(), features.end(), what) != features.end();
    };
    for (const Physics& p : model.physics)
      for (const auto* rules : {&p.info().excludes, &p.info().needs})
        for (const ModuleRule& rule : *rules)
          if ((rule.when.empty() || has(rule.when)) &&
              has(rule.what) == (rules == &p.info().excludes))
            reader_.problem(line_of(p.info()), p.info().subject, rule.problem, rule.remedy);
    for (const IntegratorRule& rule : info_of(model.integrator).excludes) {
      bool of_a_module = false;
      for (const Physics& p : model.physics) {
        const std::vector<std::string> own = features_of(p);
        if (std::find(own.begin(), own.end(), rule.feature) == own.end()) continue;
        of_a_module = true;
        reader_.problem(line_of(p.info()), p.info().subject,
                        "cannot be combined with the integrator " + model.integrator.name,
                        rule.remedy);
      }
      if (!of_a_module && has(rule.feature))
        reader_.problem(find("integrator")->line, "integrator",
                        model.integrator.name + " cannot be combined with a " + rule.feature,
                        rule.remedy);
    }
    const auto without_effect = [&](const std::string& key, const auto& uses) {
      if (find(key))
        reader_.problem(find(key)->line, key, "has no effect without " + joined_subjects(uses),
                        "add one of these, or leave it out");
    };
    bool domain_used = false;
    for (const Physics& p : model.physics) domain_used = domain_used || p.uses_domain();
    if (!domain_used) without_effect("domain", [](const ModuleInfo& m) { return m.uses_domain; });
    const auto uses_obstacles = [](const ModuleInfo& m) { return m.uses_obstacles; };
    // Only modules that need no others for it.
    const auto by_itself = [](const ModuleInfo& m) { return m.uses_obstacles && m.needs.empty(); };
    if (!any(model, uses_obstacles)) without_effect("obstacles", by_itself);
    const auto limits = [](const ModuleInfo& m) { return m.limits_step; };
    if (flow_of(model.integrator).courant && !any(model, limits))
      reader_.problem(find("integrator")->line, "integrator.courant",
                      "is for " + joined_subjects(limits) + ", which the scene does not have",
                      "leave it out");
  }

  void domain(const Value& value, SceneFolder& folder, SceneDescription& scene, Json& echo) {
    DomainTable& to = scene.domain.emplace();
    table(value, domain_table(), to, echo);
    if (to.file && !read_box(value, folder, to, echo)) return;
    const Domain domain = domain_of(to);
    const double lengths[3] = {domain.length.x, domain.length.y, domain.length.z};
    for (int axis = 0; axis < 3; ++axis)
      if ((domain.periodic[axis] || domain.walled[axis]) && !(lengths[axis] > 0)) {
        const std::string name(1, "xyz"[axis]);
        return reader_.problem(value.line, "domain.size",
                               "is not greater than 0 along " + name + ", which is not open",
                               "size = { 10, 10, 10 }, or " + name + " = \"open\"");
      }
  }

  /// Reads size and center from a file; false after a problem. The expanded scene has them and
  /// needs no file.
  bool read_box(const Value& value, SceneFolder& folder, DomainTable& to, Json& echo) {
    constexpr std::uintmax_t max_bytes = 1u << 30;
    const std::string key = "domain.file", file = *std::exchange(to.file, std::nullopt);
    echo.erase("file");
    const std::size_t before = reader_.problem_count();
    const int line = value.table()->find("file")->value.line;
    for (const char* other : {"size", "center"})
      if (value.table()->find(other) || !value.table()->items.empty()) {
        reader_.problem(line, key, "gives size and center, which the scene sets too",
                        "remove one of them");
        return false;
      }
    const SceneFolder::Found found = folder.find(file, max_bytes);
    if (!found.problem.empty()) {
      reader_.problem(line, key, found.problem, found.remedy);
      return false;
    }
    try {
      const XyzBox box = read_xyz_box(found.bytes, reader_.location(line, key));
      folder.keep(file, found);
      to.size = box.size, to.center = box.center;
      for (int axis = 0; axis < 3; ++axis) {
        // An axis along which the file is not periodic is open, unless the scene says what it is.
        const std::string name(1, "xyz"[axis]);
        if (box.periodic[axis] || value.table()->find("boundary") || value.table()->find(name))
          continue;
        (axis == 0 ? to.x : axis == 1 ? to.y : to.z) = "open";
        echo[name] = "open";
      }
      echo["size"] = to_json(box.size), echo["center"] = to_json(box.center);
    } catch (const engine::InputError& e) {
      for (const engine::Diagnostic& d : e.diagnostics()) reader_.add(d);
    } catch (const engine::SystemError& e) {
      reader_.problem(line, key, e.what());
    }
    return reader_.problem_count() == before;
  }

  void radial_distribution(const Value& value, SceneDescription& scene, Json& echo) {
    RadialDistribution& wanted = scene.radial_distribution.emplace();
    const std::size_t before = reader_.problem_count();
    table(value, radial_distribution_table(), wanted, echo);
    if (reader_.problem_count() > before) return;
    const Domain domain = domain_of(scene);
    if (!domain.closed())
      return reader_.problem(
          value.line, "radial_distribution",
          "needs the mean density of a closed domain, which the scene does not have",
          "add domain = { size = { 10, 10, 10 } }");
    const double lengths[3] = {domain.length.x, domain.length.y, domain.length.z};
    for (int axis = 0; axis < 3; ++axis)
      if (domain.periodic[axis] && lengths[axis] > 0 && 2 * wanted.range > lengths[axis])
        return reader_.problem(value.line, "radial_distribution.range",
                               engine::number_text(wanted.range) +
                                   " is more than half of the periodic domain, " +
                                   engine::rounded_text(lengths[axis]) + " along " + "xyz"[axis],
                               "beyond that, only some of the images of a body would be counted");
    if (wanted.species && (scene.species.empty() || scene.species.size() > most_radial_species))
      reader_.problem(
          value.line, "radial_distribution.species",
          "needs 1 to 8 species, but the scene has " + std::to_string(scene.species.size()),
          "leave it out");
  }

  /// Reads one subtable; `positional` items are allowed where a parameter is positional.
  template <class Owner>
  void table(const Value& value, const engine::ParamTable<Owner>& described, Owner& out, Json& echo,
             std::vector<std::string> more = {}) {
    const std::string remedy =
        value.table() ? "" : written_as_table(engine::sheet_of(described), value);
    read_table(reader_, value, described, out, echo, remedy, std::move(more));
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

  /// The table depends on the name in it.
  void integrator(SceneDescription& scene, Json& echo) {
    const Value* value = find("integrator");
    const IntegratorInfo* found = integrator_named(scene.integrator.name);
    if (const Table* given = value ? value->table() : nullptr) {
      const Member* named = given->find("name");
      const Value* name = named ? &named->value : given->items.empty() ? nullptr : &given->items[0];
      if (name && name->text())
        if (const IntegratorInfo* other = integrator_named(*name->text())) found = other;
    }
    required("integrator", table_of(*found), scene.integrator, echo);
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
                             "expected a table of at most 254 names, got " + describe(*all),
                             "as in species = { star = { color = \"#ffcc88\" } }");
    for (const Member& m : all->table()->members) {
      const std::string path = joined_path("species", m.name);
      Species one;
      one.name = m.name;
      if (!m.value.table())
        reader_.problem(m.value.line, path, "expected a table, got " + describe(m.value));
      else if (!engine::is_utf8(m.name))
        reader_.problem(m.value.line, "species", "has a name that is not UTF-8");
      else {
        reader_.members(*m.value.table(), m.value.line, path, species_table(), one,
                        &echo["species"][m.name]);
        module_keys(*m.value.table(), m.value.line, path);
        check_color(reader_, one.color, *m.value.table(), path);
      }
      scene.species.push_back(std::move(one));
    }
  }

  /// Reports keys of a species that nothing in the scene gives a meaning, unless they have their
  /// default, as in expanded scenes of older versions.
  void module_keys(const Table& species, int line, const std::string& path) {
    std::vector<std::string> known = names_of(species_table());
    for (const PhysicsModule& m : sim::modules())
      for (const engine::ParamSheet& sheet : m.info().species)
        for (const engine::ParamSheet::Row& row : sheet.rows) {
          known.push_back(row.info.name);
          if (const Member* key = species.find(row.info.name);
              key && !find(sheet.name) &&
              to_param_value(key->value, row.type) != std::optional(row.standard))
            reader_.problem(key->value.line, joined_path(path, row.info.name),
                            "is for " + sheet.name + ", which the scene does not have",
                            "add " + sheet.name + " = { ... }, or leave it out");
        }
    reader_.unknown(species, line, path, known);
  }

  void bodies(SceneDescription& scene, SceneFolder& folder, Json& echo) {
    const Value* list = find("bodies");
    const bool others_bring_some =
        std::any_of(scene.physics.begin(), scene.physics.end(),
                    [&](const Physics& p) { return p.body_events(scene) != nullptr; });
    if (!list && others_bring_some) return;
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
    table(given ? *given : empty, view_table(), scene.view, echo, {"camera", "clip"});
    const auto member = [&](const char* name) {
      return given && given->table() ? given->table()->find(name) : nullptr;
    };
    if (!member("bodies") && have_shapes(scene)) echo["bodies"] = scene.view.bodies = "spheres";
    const auto key = [](const Member& of, const char* name) {
      return of.value.line == command_line ? "" : name;
    };
    if (const Member* color = member("color"))
      if (auto problem = quantity_problem(traits_for_quantities(scene), scene.view.color,
                                          reader_.location(color->value.line, "view.color"),
                                          key(*color, "view.color")))
        reader_.add(std::move(*problem));
    if (const Member* show = member("show"))
      if (auto problem =
              show_problem(scene.view.show, reader_.location(show->value.line, "view.show"),
                           key(*show, "view.show")))
        reader_.add(std::move(*problem));
    const Member* clip = member("clip");
    table(clip ? clip->value : empty, clip_table(), scene.view, echo["clip"]);
    if (const auto& normal = scene.view.clip_normal; normal && !(length(*normal) > 0))
      reader_.problem(clip->value.line, "view.clip.normal", "has no length",
                      "a direction, such as {0, 0, 1}");
    const Member* camera = member("camera");
    table(camera ? camera->value : empty, camera_table(), scene.camera, echo["camera"]);
  }

  const SceneSource& source_;
  const Table& root_;
  Reader reader_;
  bool units_known_ = true;
};

/// Reports values of `live` that a running simulation or its view cannot change.
void check_live(const std::vector<SceneParam>& params, const Model& model,
                std::vector<engine::Diagnostic>& problems) {
  std::vector<std::string> simulated;
  for (const PhysicsParam& p : params_of(model))
    if (p.info->live) simulated.push_back(p.path);
  for (const auto& p : table_of(info_of(model.integrator)).params)
    if (p.info.live) simulated.push_back("integrator." + p.info.name);
  std::vector<std::string> can = simulated;
  // The camera belongs to the user once a window has opened.
  for (const ViewParam& p : view_params()) can.push_back(p.path);
  for (const SceneParam& p : params)
    for (const std::string& path : p.paths)
      if (std::find(can.begin(), can.end(), path) == can.end())
        problems.push_back(
            {p.location, p.info.name,
             "is the value of " + path + ", which cannot change while the scene runs",
             "use param instead of live; live values can be those of " +
                 engine::joined(simulated, ", ") + " and of `view`"});
}

/// Names the table that has a key, in place of the keys that the table has in which it was found.
void find_homes(std::vector<engine::Diagnostic>& problems) {
  const std::string option = "--set ";
  std::vector<engine::ParamSheet> sheets;
  for (engine::Diagnostic& d : problems) {
    if (d.problem != "unknown key" || !d.remedy.starts_with("known here: ")) continue;
    if (sheets.empty()) sheets = scene_sheets();
    const std::string path = d.place.starts_with(option) ? d.place.substr(option.size()) : d.key;
    const std::size_t dot = path.rfind('.');
    const std::string home =
        dot == path.npos ? belongs_elsewhere(sheets, "", path)
                         : belongs_elsewhere(sheets, path.substr(0, dot), path.substr(dot + 1));
    // The keys of this table help more than a list of several other tables that have such a key.
    if (dot != path.npos && home.find(" or ") != home.npos)
      d.remedy +=
          "; elsewhere: " + home.substr(std::string_view("did you mean ").size(),
                                        home.size() - std::string_view("did you mean ?").size());
    else if (!home.empty())
      d.remedy = home;
  }
}

SceneDescription checked(SceneSource source, std::vector<engine::Diagnostic> problems) {
  const engine::ReadSession one_reader;
  make_lists(*source.root.table());
  find_live_values(source.params, source.root);
  apply_settings(source, problems);
  SceneDescription scene;
  scene.files = source.read;
  scene.files.insert(scene.files.begin(), source.file);
  SceneReader reader(source, problems);
  reader.read(scene);
  if (reader.units_known()) resolve_units(source.params, scene.units, problems);
  // Only a scene without other problems has all of its parameters.
  if (problems.empty()) check_live(source.params, scene, problems);
  if (!problems.empty()) {
    find_homes(problems);
    sort_by_line(problems, source.file.string());
    throw engine::InputError(std::move(problems));
  }
  scene.file = source.file;
  scene.text = std::move(source.text);
  scene.trust = source.trust;
  scene.included = std::move(source.included);
  scene.params = std::move(source.params);
  scene.hooks = std::move(source.hooks);
  scene.has_hooks = !scene.hooks.empty();
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
  if (auto problem = quantity_problem(traits_for_quantities(scene), scalar, location, ""))
    throw engine::InputError(std::vector{std::move(*problem)});
}

std::vector<engine::ParamSheet> scene_sheets() {
  std::vector<engine::ParamSheet> sheets{engine::sheet_of(scene_table()), integrator_sheet(),
                                         engine::sheet_of(domain_table()),
                                         engine::sheet_of(radial_distribution_table())};
  for (const PhysicsModule& m : sim::modules())
    sheets.insert(sheets.end(), m.info().sheets.begin(), m.info().sheets.end());
  for (engine::ParamSheet& s : obstacle_sheets()) sheets.push_back(std::move(s));
  for (engine::ParamSheet& s : body_sheets()) sheets.push_back(std::move(s));
  engine::ParamSheet species = engine::sheet_of(species_table());
  for (const PhysicsModule& m : sim::modules())
    for (const engine::ParamSheet& more : m.info().species)
      species.rows.insert(species.rows.end(), more.rows.begin(), more.rows.end());
  sheets.push_back(std::move(species));
  sheets.push_back(engine::sheet_of(stop_table()));
  sheets.push_back(engine::sheet_of(series_table()));
  sheets.push_back(engine::sheet_of(snapshots_table()));
  sheets.push_back(engine::sheet_of(checkpoints_table()));
  sheets.push_back(engine::sheet_of(health_table()));
  sheets.push_back(engine::sheet_of(step_hook_table()));
  sheets.push_back(engine::sheet_of(time_hook_table()));
  sheets.push_back(engine::sheet_of(view_table()));
  sheets.push_back(engine::sheet_of(clip_table()));
  sheets.push_back(engine::sheet_of(camera_table()));
  return sheets;
}

}  // namespace mote::sim
