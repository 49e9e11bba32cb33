#include "api/bodies.h"

#include <cmath>
#include <string>

#include "engine/check.h"
#include "engine/json.h"
#include "engine/math/hash.h"
#include "engine/text.h"
#include "sim/scene/read_scene.h"

namespace mote::api {

sim::Bodies checked_bodies(const Bodies& given, const char* place) {
  const auto expect = [&](bool good, const std::string& key, const std::string& problem,
                          const std::string& remedy = "") {
    if (!good) throw InputError({Diagnostic{place, key, problem, remedy}});
  };
  const auto expect_finite = [&](const char* key, std::span<const double> numbers,
                                 std::size_t per_body) {
    for (std::size_t i = 0; i < numbers.size(); ++i)
      expect(std::isfinite(numbers[i]), key,
             "of body " + std::to_string(i / per_body) + " is not finite");
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
  expect_finite("mass", given.mass, 1);
  expect_finite("position", given.position, 3);
  expect_finite("velocity", given.velocity, 3);
  sim::Bodies bodies;
  bodies.mass.assign(given.mass.begin(), given.mass.end());
  bodies.names.assign(given.names.begin(), given.names.end());
  bodies.position.reserve(n), bodies.velocity.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    expect(given.mass[i] >= 0, "mass", "of body " + std::to_string(i) + " is negative", ">= 0");
    bodies.position.push_back(
        {given.position[3 * i], given.position[3 * i + 1], given.position[3 * i + 2]});
    bodies.velocity.push_back(
        {given.velocity[3 * i], given.velocity[3 * i + 1], given.velocity[3 * i + 2]});
  }
  return bodies;
}

sim::Bodies bodies_of_tables(const sim::SceneDescription& scene, const std::string& tables,
                             std::uint32_t next_id, int threads) {
  engine::Json full = *scene.expanded;
  try {
    full["bodies"] = engine::parse_json(tables);
  } catch (const engine::Json::exception& e) {
    throw InputError("add", std::string("the bodies are not JSON: ") + e.what(),
                     "give a list of tables; numbers must be finite");
  }
  // In the folder of the scene, whose files it may name.
  const sim::SceneDescription read = sim::read_scene_text(
      (scene.file.parent_path() / "add.json").string(), engine::json_text(full, 1));
  for (const sim::BodySource& source : read.bodies)
    if (!source.chains.empty())
      throw InputError("add", "bodies added during a run cannot have bonds",
                       "add a chain without bond and angle");
  sim::MakeContext context = sim::make_context(read, threads);
  context.seed = engine::hash_word(engine::hash_word(1, context.seed), next_id);
  sim::Bodies bodies = sim::make_bodies(read.bodies, context);
  if (!bodies.soft.empty()) throw InputError("add", "soft bodies cannot be added during a run");
  return bodies;
}

}  // namespace mote::api
