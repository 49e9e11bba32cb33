#include <algorithm>

#include "engine/json.h"
#include "sim/source/scanner.h"
#include "sim/source/source.h"
#include "sim/source/source_map.h"

namespace mote::sim {
namespace {

using engine::Json;

/// Limit on the nesting of lists and objects.
constexpr int max_depth = 32;
/// Limit on the number of values in a file.
constexpr std::size_t most_json_values = 5'000'000;

/// Rejects a text with too many or too deeply nested values before it is parsed.
void expect_bounded(const SceneSource& source) {
  // Only scenes in checkpoints, expanded by mote itself, exceed the limit on the size of a file.
  std::size_t values = 0;
  const std::size_t most = source.code().size() > max_scene_bytes ? SIZE_MAX : most_json_values;
  int depth = 0, line = 1;
  bool quoted = false;
  const std::string_view text = source.code();
  const auto location = [&] { return source.file.string() + ":" + std::to_string(line); };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (quoted && c == '\\') ++i;
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > 2 * max_depth)
      throw engine::InputError(location(), "nests too deep",
                               "a scene needs no more than 32 levels");
    if ((c == ',' || c == '[' || c == '{') && ++values > most)
      throw engine::InputError(location(), "the scene has more than 5,000,000 values",
                               "put bodies into a csv file");
  }
}

Value convert(const Json& json, const SourceMap::Node* node, int line, int depth = 0) {
  Value value{{}, line};
  if (json.is_boolean())
    value.data = json.get<bool>();
  else if (json.is_number_unsigned() && json.get<std::uint64_t>() > INT64_MAX)
    value.data = json.get<double>();
  else if (json.is_number_integer())
    value.data = json.get<std::int64_t>();
  else if (json.is_number())
    value.data = json.get<double>();
  else if (json.is_string())
    value.data = json.get<std::string>();
  else if (json.is_null())
    value.data = Unusable{"null"};
  else if (depth > max_depth)
    value.data = Unusable{"a table that nests too deep"};
  else {
    Table table;
    const auto child = [&](const Json& part, const SourceMap::Node::Entry* entry) {
      return convert(part, entry ? entry->table : nullptr, entry ? entry->line : line, depth + 1);
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

/// The error of the parser, at the line where it stopped.
engine::InputError syntax_error(const SceneSource& source, const Json::parse_error& e) {
  const std::string_view read = source.code().substr(0, e.byte > 0 ? e.byte - 1 : 0);
  const auto line = 1 + std::count(read.begin(), read.end(), '\n');
  const std::string what = e.what();
  if (what.find("unexpected end of input") != what.npos) {
    const Token open = unclosed_bracket(source.code(), SceneLanguage::json);
    if (open.kind == Token::Kind::symbol)
      return {source.file.string() + ":" + std::to_string(open.line), unclosed_text(open)};
  }
  const auto detail = what.find("syntax error");
  return {source.file.string() + ":" + std::to_string(line),
          detail == std::string::npos ? what : what.substr(detail)};
}

}  // namespace

void read_json(SceneSource& source, Settings settings, std::vector<engine::Diagnostic>& problems) {
  source.unused = std::move(settings);
  expect_bounded(source);
  Json json;
  try {
    json = engine::parse_json(std::string(source.code()));
  } catch (const Json::parse_error& e) {
    throw syntax_error(source, e);
  } catch (const Json::out_of_range& e) {
    throw engine::InputError(source.file.string(),
                             "holds a number beyond the range of double precision");
  }
  const SourceMap map(source.code(), SceneLanguage::json);
  report_repeated_keys(map, source.files, problems);
  source.root = convert(json, map.root(), 1);
  if (!source.root.table() || json.is_array())
    throw engine::InputError(
        source.file.string(),
        "holds " + (json.is_array() ? "a list" : describe(source.root)) + " instead of an object",
        "a scene is { \"bodies\": [ ... ], ... }");
}

}  // namespace mote::sim
