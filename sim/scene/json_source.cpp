#include <algorithm>

#include "engine/json.h"
#include "sim/scene/source.h"
#include "sim/scene/source_map.h"

namespace mote::sim {
namespace {

using engine::Json;

Value convert(const Json& json, const SourceMap::Node* node, int line) {
  Value value{{}, line};
  if (json.is_boolean()) value.data = json.get<bool>();
  else if (json.is_number_integer()) value.data = json.get<std::int64_t>();
  else if (json.is_number()) value.data = json.get<double>();
  else if (json.is_string()) value.data = json.get<std::string>();
  else if (json.is_null()) value.data = Unusable{"null"};
  else {
    Table table;
    const auto child = [&](const Json& part, const SourceMap::Node::Entry* entry) {
      return convert(part, entry ? entry->table : nullptr, entry ? entry->line : line);
    };
    if (json.is_array())
      for (std::size_t i = 0; i < json.size(); ++i)
        table.items.push_back(child(json[i], node ? node->item(i) : nullptr));
    else
      for (const auto& [name, part] : json.items())
        table.members.push_back({name, child(part, node ? node->key(name) : nullptr)});
    std::sort(table.members.begin(), table.members.end(),
              [](const Member& a, const Member& b) { return a.name < b.name; });
    value.data = std::move(table);
  }
  return value;
}

}  // namespace

void read_json(SceneSource& source, Settings settings) {
  source.unused = std::move(settings);
  const SourceMap map(source.text);
  try {
    source.root = convert(Json::parse(source.text), map.root(), 1);
  } catch (const Json::parse_error& e) {
    const auto end = source.text.begin() + static_cast<std::ptrdiff_t>(std::min(e.byte, source.text.size()));
    const auto line = 1 + std::count(source.text.begin(), end, '\n');
    const std::string what = e.what();
    const auto detail = what.find("syntax error");
    throw engine::InputError(source.file.string() + ":" + std::to_string(line),
                             detail == std::string::npos ? what : what.substr(detail));
  }
  if (!source.root.table())
    throw engine::InputError(source.file.string(), "holds " + describe(source.root) + " instead of an object");
}

}  // namespace mote::sim
