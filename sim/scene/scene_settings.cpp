#include "sim/scene/scene_settings.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/text.h"
#include "sim/model/modules.h"
#include "sim/scene/tables.h"
#include "sim/source/reader.h"

namespace mote::sim {
namespace {

/// True if a key may be one item or a list of them.
bool is_item_or_list(const SceneKey& key) {
  return key.type.find('|') != key.type.npos;
}

/// "fields.1.linear" for "fields.linear", where the list has one item.
std::string path_in_list(const Table& scene, const std::string& path) {
  const std::size_t dot = path.find('.');
  if (dot == path.npos || (path[dot + 1] >= '0' && path[dot + 1] <= '9')) return path;
  for (const PhysicsModule& m : modules())
    for (const SceneKey& key : m.info().keys)
      if (is_item_or_list(key) && path.compare(0, dot, key.name) == 0)
        if (const Member* const member = scene.find(key.name))
          if (const Table* const list = member->value.table(); list && list->items.size() == 1)
            return key.name + ".1" + path.substr(dot);
  return path;
}

/// Appends items of a list, and those of lists in it.
void append_items(const Table& list, std::vector<Value>& items) {
  for (const Value& item : list.items)
    if (item.table() && is_list(*item.table()))
      append_items(*item.table(), items);
    else
      items.push_back(item);
}

}  // namespace

void make_lists(Table& scene) {
  for (const PhysicsModule& m : modules())
    for (const SceneKey& key : m.info().keys) {
      Member* const member = is_item_or_list(key) ? scene.find(key.name) : nullptr;
      Table* const table = member ? member->value.table() : nullptr;
      if (!table) continue;
      Table list;
      if (table->members.empty())
        append_items(*table, list.items);
      else
        list.items.push_back(member->value);
      *table = std::move(list);
    }
}

void apply_settings(SceneSource& source, std::vector<engine::Diagnostic>& problems) {
  std::vector<std::string> names;
  for (const SceneParam& p : source.params) names.push_back(p.info.name);
  const auto known = names_of(scene_table());
  for (const auto& [path, typed] : source.unused) {
    const bool is_path = path.find('.') != std::string::npos;
    const bool top = std::find(known.begin(), known.end(), path) != known.end();
    if (is_path || top) {
      if (!put(*source.root.table(), path_in_list(*source.root.table(), path), parse_typed(typed)))
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

}  // namespace mote::sim
