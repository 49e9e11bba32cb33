#include "api/bodies.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/check.h"
#include "engine/json.h"
#include "engine/math/hash.h"
#include "engine/text.h"
#include "sim/scene/read_scene.h"

namespace mote::api {

sim::Bodies checked_bodies(const Bodies& given, const char* place) {
  std::vector<Diagnostic> problems;
  const auto expect = [&](bool good, const std::string& key, const std::string& problem,
                          const std::string& remedy = "") {
    if (!good) problems.push_back({place, key, problem, remedy});
  };
  /// The first body for which it does not hold, for each key.
  const auto expect_each = [&](const char* key, std::span<const double> numbers,
                               std::size_t per_body, auto good, const char* problem,
                               const char* remedy = "") {
    const auto bad = std::find_if_not(numbers.begin(), numbers.end(), good);
    const auto body = static_cast<std::size_t>(bad - numbers.begin()) / per_body;
    expect(bad == numbers.end(), key, "of body " + std::to_string(body) + problem, remedy);
  };
  const auto expect_finite = [&](const char* key, std::span<const double> numbers,
                                 std::size_t per_body) {
    expect_each(
        key, numbers, per_body, [](double x) { return std::isfinite(x); }, " is not finite");
  };
  const std::size_t n = given.mass.size();
  expect(n > 0, "mass", "is empty", "give at least one body");
  const auto size = [&](const char* key, std::size_t actual, std::size_t per_body,
                        const char* what = "number") {
    expect(actual == per_body * n, key,
           "has " + engine::counted(static_cast<long long>(actual), what) + ", for " +
               (n == 1 ? "1 mass" : std::to_string(n) + " masses"),
           std::to_string(per_body) + " for each body");
  };
  size("position", given.position.size(), 3);
  size("velocity", given.velocity.size(), 3);
  if (!given.names.empty()) size("names", given.names.size(), 1, "name");
  if (!problems.empty()) throw InputError(std::move(problems));
  expect_finite("mass", given.mass, 1);
  expect_finite("position", given.position, 3);
  expect_finite("velocity", given.velocity, 3);
  // A mass that is not a number has been found above.
  expect_each(
      "mass", given.mass, 1, [](double m) { return !(m < 0); }, " is negative", ">= 0");
  if (!problems.empty()) throw InputError(std::move(problems));
  sim::Bodies bodies;
  bodies.mass.assign(given.mass.begin(), given.mass.end());
  bodies.names.assign(given.names.begin(), given.names.end());
  bodies.position.reserve(n), bodies.velocity.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    bodies.position.push_back(
        {given.position[3 * i], given.position[3 * i + 1], given.position[3 * i + 2]});
    bodies.velocity.push_back(
        {given.velocity[3 * i], given.velocity[3 * i + 1], given.velocity[3 * i + 2]});
  }
  return bodies;
}

namespace {

/// The scene with these bodies in place of its own. In its folder, whose files they may name.
sim::SceneDescription scene_with(const sim::SceneDescription& scene, engine::Json tables) {
  engine::Json full = *scene.expanded;
  full["bodies"] = std::move(tables);
  const std::string name = (scene.file.parent_path() / "add.json").string();
  try {
    return sim::read_scene_text(name, engine::json_text(full));
  } catch (const InputError& e) {
    std::vector<Diagnostic> problems = e.diagnostics();
    for (Diagnostic& problem : problems)  // the line is none of the caller's
      if (problem.place.starts_with(name)) problem.place = "add";
    throw InputError(std::move(problems));
  }
}

}  // namespace

sim::Bodies bodies_of_tables(const sim::SceneDescription& scene, const std::string& text,
                             const std::optional<sim::BodyState>& center, std::uint32_t next_id,
                             int threads) {
  engine::Json tables;
  try {
    tables = engine::parse_json(text);
  } catch (const engine::Json::exception& e) {
    throw InputError("add", std::string("the bodies are not JSON: ") + e.what(),
                     "give a list of tables; numbers must be finite");
  }
  if (tables.is_object()) tables = engine::Json::array({tables});
  if (center && tables.is_array())
    for (engine::Json& table : tables)
      if (table.is_object() && table.value("kind", engine::Json()) == "orbit" &&
          !table.contains("central_mass"))
        table["central_mass"] = center->mass;
  const sim::SceneDescription read = scene_with(scene, std::move(tables));
  for (const sim::BodySource& source : read.bodies)
    if (!source.chains.empty())
      throw InputError("add", "bodies added during a run cannot have bonds",
                       "add a chain without bond and angle");
  sim::MakeContext context = sim::make_context(read, threads);
  context.seed = engine::hash_word(engine::hash_word(1, context.seed), next_id);
  sim::Bodies bodies = sim::make_bodies(read.bodies, context);
  if (!bodies.soft.empty()) throw InputError("add", "soft bodies cannot be added during a run");
  if (center) {
    sim::translate(bodies, center->position);
    sim::boost(bodies, center->velocity);
  }
  return bodies;
}

}  // namespace mote::api
