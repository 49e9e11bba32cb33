#pragma once

#include <string>
#include <vector>

#include "engine/json.h"
#include "sim/model/body_source.h"
#include "sim/model/model.h"
#include "sim/source/reader.h"
#include "sim/source/scene_folder.h"

namespace mote::sim {

/// The part of a scene that modules read.
struct SceneReading {
  Reader& reader;
  const Table& scene;  ///< the scene's table
  /// Units, integrator, domain and species have been read; `physics` has the modules read so far.
  const Model& model;
  const std::vector<BodySource>& bodies;  ///< needed by modules that follow them
  SceneFolder& folder;
  engine::Json& echo;  ///< receives the values

  /// A top-level value, or null.
  const Value* find(const std::string& name) const {
    const Member* member = scene.find(name);
    return member ? &member->value : nullptr;
  }
  int line_of(const std::string& name) const {
    const Value* value = find(name);
    return value ? value->line : 0;
  }

  /// Reads the top-level table of this description into `out`; false if it is no table. `example`:
  /// remedy then. `more`: further keys.
  template <class Owner>
  bool table(const Value& value, const engine::ParamTable<Owner>& described, Owner& out,
             const std::string& example = "", std::vector<std::string> more = {}) const {
    return read_table(reader, value, described, out, echo[described.name], example,
                      std::move(more));
  }

  /// Reads the keys that a module adds to species: calls use(number, values), numbers from 1.
  template <class Owner, class Use>
  void species(const engine::ParamTable<Owner>& described, const Use& use) const {
    for (std::size_t k = 0; k < model.species.size(); ++k) {
      const std::string& name = model.species[k].name;
      const Value& one = find("species")->table()->find(name)->value;
      if (!one.table()) continue;
      Owner owner;
      reader.members(*one.table(), one.line, joined_path("species", name), described, owner,
                     &echo["species"][name]);
      use(k + 1, owner);
    }
  }

  /// Reads the list `name`, each item with the names of two species, whose numbers become `a` and
  /// `b` of the owner: calls use(line and path of the names, owner). `example`: an item.
  template <class Owner, class Use>
  void species_pairs(const std::string& name, const engine::ParamTable<Owner>& described,
                     const std::string& example, const Use& use) const {
    const Value* list = find(name);
    if (!list) return;
    if (!list->table() || !list->table()->members.empty())
      return reader.problem(list->line, name, "expected a list, got " + describe(*list),
                            name + " = { " + example + " }");
    engine::Json& all = echo[name] = engine::Json::array();
    for (std::size_t i = 0; i < list->table()->items.size(); ++i) {
      const Value& item = list->table()->items[i];
      const std::string path = joined_path(name, std::to_string(i + 1));
      if (!item.table()) {
        reader.problem(item.line, path, "expected a table, got " + describe(item), example);
        continue;
      }
      Owner owner;
      engine::Json own = engine::Json::object();
      reader.members(*item.table(), item.line, path, described, owner, &own);
      std::vector<std::string> known = names_of(described);
      known.emplace_back("species");
      reader.unknown(*item.table(), item.line, path, known);
      const int line = two_species(item, joined_path(path, "species"), owner.a, owner.b);
      if (line == 0) continue;
      for (const int number : {owner.a, owner.b})
        own["species"].push_back(model.species[static_cast<std::size_t>(number) - 1].name);
      all.push_back(std::move(own));
      use(line, joined_path(path, "species"), owner);
    }
  }

  /// Line and path of a key of a species, or of the species.
  std::pair<int, std::string> at_species(std::size_t number, const std::string& key = "") const {
    const std::string& name = model.species[number - 1].name;
    const Value& one = find("species")->table()->find(name)->value;
    const std::string path = joined_path("species", name);
    return {one.line, key.empty() ? path : joined_path(path, key)};
  }

 private:
  /// Reads `species = { "a", "b" }` of an item. Returns its line, or 0 after a problem.
  int two_species(const Value& item, const std::string& path, int& a, int& b) const;
};

/// Calls use(line, path, item) for each item of an optional list; a single table counts as a list
/// of one.
template <class Owner, class Use>
void read_items(Reader& reader, const Table& scene, const std::string& name,
                const engine::ParamTable<Owner>& described, const std::string& example,
                engine::Json& echo, Use&& use) {
  const Member* const found = scene.find(name);
  if (!found) return;
  const Value& value = found->value;
  if (!value.table())
    return reader.problem(value.line, name, "expected a list, got " + describe(value), example);
  const std::vector<Value>& items = value.table()->items;
  reader.unknown(*value.table(), value.line, name, {}, items.size());
  echo[name] = engine::Json::array();
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string path = joined_path(name, std::to_string(i + 1));
    if (!items[i].table()) {
      reader.problem(items[i].line, path, "expected a table, got " + describe(items[i]), example);
      continue;
    }
    Owner owner;
    engine::Json& own = echo[name].emplace_back(engine::Json::object());
    const std::size_t before = reader.problem_count();
    reader.members(*items[i].table(), items[i].line, path, described, owner, &own);
    reader.unknown(*items[i].table(), items[i].line, path, names_of(described));
    if (reader.problem_count() == before) use(items[i].line, path, owner);
  }
}

}  // namespace mote::sim
