#include "sim/history/edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "engine/check.h"
#include "engine/json.h"
#include "sim/model/body_edits.h"
#include "sim/source/reader.h"

namespace mote::sim {
namespace {

using engine::Json;
using engine::ParamValue;

constexpr const char
    *example = "an edit is { \"step\": 120, \"path\": \"gravity.softening\", \"value\": 0.01 }",
    *example_of_bodies =
        "a change of bodies is { \"step\": 120, \"removed\": [17], \"added\": { "
        "\"mass\": [1], \"position\": [[0, 0, 0]], \"velocity\": [[0, 0, 0]] } }";

/// A number, boolean or text; nothing for anything else. Live parameters are real, so integers
/// become real.
std::optional<ParamValue> value_of(const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  return std::nullopt;
}

/// Reads edits one by one and collects every problem with the location of its edit.
class EditsReader {
 public:
  EditsReader(std::string location, LiveSettings live)
      : location_(std::move(location)), live_(std::move(live)) {}

  std::vector<Edit> read(const Json& list) {
    if (!list.is_array()) throw engine::InputError(location_, "edits: expected a list", example);
    for (std::size_t i = 0; i < list.size(); ++i) read_one(list[i], fmt::format("edits.{}", i + 1));
    if (!problems_.empty()) throw engine::InputError(std::move(problems_));
    return std::move(edits_);
  }

 private:
  void read_one(const Json& json, const std::string& key) {
    const std::size_t before = problems_.size();
    Edit edit;
    if (!json.is_object()) return problem(key, "expected an object", example);
    const bool of_bodies = json.contains("removed") || json.contains("added");
    const std::vector<std::string> known =
        of_bodies ? std::vector<std::string>{"step", "removed", "added"}
                  : std::vector<std::string>{"step", "path", "value"};
    for (const auto& [name, ignored] : json.items())
      if (std::find(known.begin(), known.end(), name) == known.end())
        problem(key + "." + name, "unknown key", of_bodies ? example_of_bodies : example);
    read_step(json, key, edit);
    if (of_bodies) {
      try {
        edit.bodies = std::make_shared<const BodyChange>(read_body_change(json, key));
      } catch (const engine::InputError& e) {
        for (const engine::Diagnostic& d : e.diagnostics()) problem(d.key, d.problem, d.remedy);
      }
    } else {
      read_value(json, key, edit);
    }
    if (problems_.size() == before) edits_.push_back(std::move(edit));
  }

  void read_value(const Json& json, const std::string& key, Edit& edit) {
    if (!json.contains("path") || !json["path"].is_string())
      problem(key + ".path", "expected the path of a live parameter", example);
    else
      edit.path = json["path"];
    const auto value = json.contains("value") ? value_of(json["value"]) : std::nullopt;
    if (!value)
      problem(key + ".value", "expected a number", example);
    else if (edit.value = *value; !edit.path.empty())
      check_value(edit, key);
  }

  void read_step(const Json& json, const std::string& key, Edit& edit) {
    if (!json.contains("step") || !json["step"].is_number_unsigned())
      return problem(key + ".step", "expected a whole number >= 0", example);
    edit.step = json["step"];
    if (edit.step < latest_)
      problem(key + ".step",
              fmt::format("{} is before step {} of an earlier edit", edit.step, latest_),
              "sort the edits by step");
    else
      latest_ = edit.step;
  }

  void check_value(const Edit& edit, const std::string& key) {
    try {
      set_live(live_, edit.path, edit.value);
    } catch (const engine::InputError& e) {
      for (const engine::Diagnostic& d : e.diagnostics())
        problem(key + ": " + d.place, d.problem, d.remedy);
    }
  }

  void problem(const std::string& key, std::string what, std::string remedy) {
    problems_.push_back({location_, key, std::move(what), std::move(remedy)});
  }

  std::string location_;
  LiveSettings live_;
  std::uint64_t latest_ = 0;
  std::vector<Edit> edits_;
  std::vector<engine::Diagnostic> problems_;
};

}  // namespace

Json edits_json(std::span<const Edit> edits) {
  Json list = Json::array();
  for (const Edit& edit : edits) {
    if (edit.by_scene) continue;
    Json json{{"step", edit.step}};
    if (edit.bodies)
      json.update(body_change_json(*edit.bodies));
    else
      json.update(Json{{"path", edit.path}, {"value", to_json(edit.value)}});
    list.push_back(std::move(json));
  }
  return list;
}

std::vector<Edit> read_edits(const Json& list, const std::string& location, LiveSettings live) {
  return EditsReader(location, std::move(live)).read(list);
}

void check_body_changes(std::span<const Edit> edits, const SceneDescription& scene,
                        const std::string& location) {
  bool changes = !scene.hooks.empty();
  for (const Physics& p : scene.physics) changes = changes || p.body_events(scene) != nullptr;
  if (changes) return;
  std::vector<engine::Diagnostic> problems;
  std::set<std::uint32_t> gone;
  auto next = static_cast<std::uint64_t>(scene.body_count());
  for (std::size_t i = 0; i < edits.size(); ++i) {
    if (!edits[i].bodies) continue;
    const BodyChange& change = *edits[i].bodies;
    const auto problem = [&](std::string what, std::string remedy) {
      problems.push_back(
          {location, fmt::format("edits.{}", i + 1), std::move(what), std::move(remedy)});
    };
    for (const std::uint32_t id : change.removed)
      if (id >= next || !gone.insert(id).second)
        problem(fmt::format("no body has the number {} at step {}", id, edits[i].step),
                "repeat the record with the scene that it is of");
    if (const std::string what =
            problem_of_added(change.added, scene.species.size(), layout_of(scene));
        !what.empty())
      problem(what, "repeat the record with the scene that it is of");
    next += static_cast<std::uint64_t>(change.added.count());
    if (gone.size() >= next) problem("removes the last body", "keep one");
  }
  if (!problems.empty()) throw engine::InputError(std::move(problems));
}

std::uint64_t step_at(double time, Clock clock, std::span<const Edit> edits) {
  for (const Edit& edit : edits) {
    if (edit.path != "integrator.dt") continue;
    clock.step = edit.step;
    if (clock.time() >= time) break;
    clock = clock.with(std::get<double>(edit.value));
  }
  return clock.step_at(time);
}

}  // namespace mote::sim
