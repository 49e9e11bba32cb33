#include "sim/model/body_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "engine/check.h"
#include "engine/json.h"

namespace mote::sim {
namespace {

using engine::Json;
using engine::Vec3d;

const char* const body_edit_remedy = "as run.json of a run with changed bodies has it";

bool is_number(const Json& json) {
  return json.is_number() && std::isfinite(json.get<double>());
}

bool is_vector(const Json& json) {
  return json.is_array() && json.size() == 3 && is_number(json[0]) && is_number(json[1]) &&
         is_number(json[2]);
}

Json vectors_json(const std::vector<Vec3d>& vectors) {
  Json list = Json::array();
  for (const Vec3d& v : vectors) list.push_back(Json::array({v.x, v.y, v.z}));
  return list;
}

/// Reads lists of one object and collects their problems.
class ListReader {
 public:
  ListReader(const Json& json, std::string key) : json_(json), key_(std::move(key)) {}

  /// Items for which `is(item)`; `what` they are otherwise expected to be. Empty if there is no
  /// such list.
  template <class T, class Is, class Make>
  std::vector<T> list(const std::string& name, const char* what, const Is& is, const Make& make) {
    std::vector<T> items;
    if (!json_.contains(name)) return items;
    const Json& list = json_[name];
    if (!list.is_array()) {
      problem(name, "expected a list");
      return items;
    }
    for (std::size_t i = 0; i < list.size(); ++i)
      if (is(list[i]))
        items.push_back(make(list[i]));
      else
        problem(fmt::format("{}.{}", name, i + 1), std::string("expected ") + what);
    return items;
  }

  void expect_size(const std::string& name, std::size_t size, std::size_t expected) {
    if (size != expected)
      problem(name, fmt::format("has {} items, and mass has {}", size, expected));
  }

  void unknown(const std::vector<std::string>& known) {
    for (const auto& [name, ignored] : json_.items())
      if (std::find(known.begin(), known.end(), name) == known.end()) problem(name, "unknown key");
  }

  void problem(const std::string& name, std::string what) {
    problems_.push_back({"", key_ + "." + name, std::move(what), body_edit_remedy});
  }

  std::vector<engine::Diagnostic> problems() { return std::move(problems_); }

 private:
  const Json& json_;
  std::string key_;
  std::vector<engine::Diagnostic> problems_;
};

Vec3d vector_of(const Json& json) {
  return {json[0], json[1], json[2]};
}

Bodies read_added(const Json& json, const std::string& key,
                  std::vector<engine::Diagnostic>& problems) {
  ListReader read(json, key);
  const auto positive = [](const Json& n) { return is_number(n) && n.get<double>() >= 0; };
  const auto number = [](const Json& n) { return n.get<double>(); };
  Bodies bodies;
  bodies.mass = read.list<double>("mass", "a number >= 0", positive, number);
  bodies.position = read.list<Vec3d>("position", "three numbers", is_vector, vector_of);
  bodies.velocity = read.list<Vec3d>("velocity", "three numbers", is_vector, vector_of);
  bodies.radius = read.list<double>("radius", "a number >= 0", positive, number);
  bodies.species = read.list<std::uint8_t>(
      "species", "a whole number up to 255",
      [](const Json& n) { return n.is_number_unsigned() && n.get<std::uint64_t>() < 256; },
      [](const Json& n) { return n.get<std::uint8_t>(); });
  bodies.fixed = read.list<std::uint8_t>(
      "fixed", "0 or 1",
      [](const Json& n) { return n.is_number_unsigned() && n.get<std::uint64_t>() < 2; },
      [](const Json& n) { return n.get<std::uint8_t>(); });
  bodies.spin = read.list<Vec3d>("spin", "three numbers", is_vector, vector_of);
  bodies.names = read.list<std::string>(
      "names", "a text", [](const Json& n) { return n.is_string(); },
      [](const Json& n) { return n.get<std::string>(); });
  bodies.looks = read.list<BodyLook>(
      "looks", "a list of a colour and a radius",
      [](const Json& n) {
        return n.is_array() && n.size() == 2 && n[0].is_string() && n[1].is_number();
      },
      [](const Json& n) {
        return BodyLook{n[0].get<std::string>(), n[1].get<double>()};
      });
  read.unknown(
      {"mass", "position", "velocity", "radius", "species", "fixed", "spin", "names", "looks"});
  std::vector<engine::Diagnostic> found = read.problems();
  if (found.empty()) {
    const std::size_t count = bodies.mass.size();
    read.expect_size("position", bodies.position.size(), count);
    read.expect_size("velocity", bodies.velocity.size(), count);
    if (!bodies.radius.empty()) read.expect_size("radius", bodies.radius.size(), count);
    if (!bodies.species.empty()) read.expect_size("species", bodies.species.size(), count);
    if (!bodies.fixed.empty()) read.expect_size("fixed", bodies.fixed.size(), count);
    if (!bodies.spin.empty()) read.expect_size("spin", bodies.spin.size(), count);
    if (!bodies.names.empty()) read.expect_size("names", bodies.names.size(), count);
    if (!bodies.looks.empty()) read.expect_size("looks", bodies.looks.size(), count);
    found = read.problems();
  }
  problems.insert(problems.end(), found.begin(), found.end());
  return bodies;
}

}  // namespace

Json body_change_json(const BodyChange& change) {
  Json json = Json::object();
  if (!change.removed.empty()) json["removed"] = change.removed;
  const Bodies& added = change.added;
  if (added.count() == 0) return json;
  Json& to = json["added"];
  to = Json{{"mass", added.mass},
            {"position", vectors_json(added.position)},
            {"velocity", vectors_json(added.velocity)}};
  if (!added.radius.empty()) to["radius"] = added.radius;
  if (!added.species.empty()) to["species"] = added.species;
  if (!added.fixed.empty()) to["fixed"] = added.fixed;
  if (!added.spin.empty()) to["spin"] = vectors_json(added.spin);
  if (!added.names.empty()) to["names"] = added.names;
  for (const BodyLook& look : added.looks)
    to["looks"].push_back(Json::array({look.color, look.radius}));
  return json;
}

BodyChange read_body_change(const Json& json, const std::string& key) {
  BodyChange change;
  ListReader read(json, key);
  change.removed = read.list<std::uint32_t>(
      "removed", "the number of a body",
      [](const Json& n) { return n.is_number_unsigned() && n.get<std::uint64_t>() < 0xffffffffu; },
      [](const Json& n) { return n.get<std::uint32_t>(); });
  std::vector<engine::Diagnostic> problems = read.problems();
  if (json.contains("added")) {
    if (json["added"].is_object())
      change.added = read_added(json["added"], key + ".added", problems);
    else
      problems.push_back({"", key + ".added", "expected an object", body_edit_remedy});
  }
  if (problems.empty() && change.empty())
    problems.push_back({"", key, "neither adds nor removes bodies", "leave it out"});
  if (!problems.empty()) throw engine::InputError(std::move(problems));
  return change;
}

}  // namespace mote::sim
