#include "app/look/compare_runs.h"

#include <algorithm>
#include <map>

#include "engine/json.h"
#include "engine/text.h"

namespace mote::app {
namespace {

using engine::Json;

/// The values of all keys in the parts of a run.json that say what was computed, by their paths.
std::map<std::string, Json> keys_of(const Json& record) {
  std::map<std::string, Json> keys;
  if (!record.is_object()) return keys;
  for (const char* part : {"scene", "parameters", "seed", "backend", "precision", "simd",
                           "stepping", "device", "devices", "threads", "version"}) {
    const auto found = record.find(part);
    if (found == record.end()) continue;
    const Json flat = found->flatten();
    for (const auto& [path, value] : flat.items()) {
      std::string name = part + path;
      std::replace(name.begin(), name.end(), '/', '.');
      keys[name] = value;
    }
  }
  return keys;
}

Json value_at(const std::map<std::string, Json>& keys, const std::string& name) {
  const auto found = keys.find(name);
  return found == keys.end() ? Json() : found->second;
}

void add_differing_keys(Json& comparison, const Json& a, const Json& b) {
  const std::map<std::string, Json> of_a = keys_of(a), of_b = keys_of(b);
  std::map<std::string, Json> all = of_a;
  all.insert(of_b.begin(), of_b.end());
  Json differing = Json::array();
  std::size_t left_out = 0;
  for (const auto& [name, ignored] : all) {
    const Json in_a = value_at(of_a, name), in_b = value_at(of_b, name);
    if (in_a == in_b) continue;
    if (differing.size() < most_differing_keys)
      differing.push_back(Json{{"key", name}, {"a", in_a}, {"b", in_b}});
    else
      ++left_out;
  }
  comparison["keys"] = std::move(differing);
  comparison["left_out"] = left_out;
}

/// A measurement of the last row; null if the series has none.
Json last_value(const StoredSeries& series, const std::string& name) {
  const std::size_t at = series.column(name);
  if (series.rows.empty() || at == series.columns.size()) return nullptr;
  return series.rows.back()[at];
}

std::string unit_at(const StoredSeries& series, const std::string& name) {
  const std::size_t at = series.column(name);
  return at == series.columns.size() ? "" : series.units[at];
}

void add_last_values(Json& comparison, const StoredRun& a, const StoredRun& b) {
  const StoredSeries of_a = a.series.empty() ? StoredSeries() : stored_series(a.series),
                     of_b = b.series.empty() ? StoredSeries() : stored_series(b.series);
  std::vector<std::string> names = of_a.columns;
  for (const std::string& name : of_b.columns)
    if (of_a.column(name) == of_a.columns.size()) names.push_back(name);
  Json last = Json::array();
  for (const std::string& name : names)
    last.push_back(Json{{"name", name},
                        {"a", last_value(of_a, name)},
                        {"b", last_value(of_b, name)},
                        {"unit_a", unit_at(of_a, name)},
                        {"unit_b", unit_at(of_b, name)}});
  comparison["last"] = std::move(last);
}

std::string hash_of(const Json& record) {
  const auto found = record.is_object() ? record.find("state_hash") : record.end();
  return record.is_object() && found != record.end() && found->is_string()
             ? found->get<std::string>()
             : "";
}

}  // namespace

Json comparison_of(const StoredRun& a, const StoredRun& b) {
  Json comparison = Json::object();
  const std::string hash_a = hash_of(a.record), hash_b = hash_of(b.record);
  comparison["same_hash"] = hash_a.empty() || hash_b.empty() ? Json() : Json(hash_a == hash_b);
  add_differing_keys(comparison, a.record, b.record);
  add_last_values(comparison, a, b);
  return comparison;
}

}  // namespace mote::app
