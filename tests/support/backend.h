#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <string>

#include "engine/files.h"
#include "engine/types.h"
#include "sim/run/simulation.h"
#include "sim/scene/read_scene.h"
#include "tests/support/on_device.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"

namespace mote::test {

/// Reads a scene from Lua text.
inline sim::SceneDescription scene_of(const std::string& lua) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "scene.lua";
  engine::write_file(file, lua);
  return sim::read_scene(file);
}

/// Reads a scene that comes with mote.
inline sim::SceneDescription shipped_scene(const std::string& name,
                                           const sim::Settings& settings = {}) {
  return sim::read_scene(std::string(test::source_dir() + "/scenes/") + name + ".lua", settings);
}

/// Fixture of physics tests, which run on every backend: TEST_P, instantiated with
/// MOTE_ON_EVERY_BACKEND. Backends that this build or machine lacks are skipped, with the reason.
class OnEveryBackend : public testing::TestWithParam<engine::Backend> {
 protected:
  void SetUp() override {
    if (on_gpu() && !no_gpu().empty()) GTEST_SKIP() << no_gpu();
  }
  static bool on_gpu() { return GetParam() == engine::Backend::cuda; }
  std::unique_ptr<sim::Simulation> open(const sim::SceneDescription& scene,
                                        sim::RunOptions options = {}) {
    options.backend = GetParam();
    return sim::open_simulation(scene, sim::make_plan(scene, options));
  }
  std::unique_ptr<sim::Simulation> open(const std::string& lua,
                                        const sim::RunOptions& options = {}) {
    return open(scene_of(lua), options);
  }
};

inline const auto every_backend = testing::Values(engine::Backend::cpu, engine::Backend::cuda);
inline std::string backend_name(const testing::TestParamInfo<engine::Backend>& info) {
  return std::string(engine::name_of(info.param));
}
#define MOTE_ON_EVERY_BACKEND(suite) \
  INSTANTIATE_TEST_SUITE_P(Backend, suite, ::mote::test::every_backend, ::mote::test::backend_name)

/// The same for long runs, which are skipped on the emulated device.
class LongOnEveryBackend : public OnEveryBackend {
 protected:
  void SetUp() override {
    OnEveryBackend::SetUp();
    if (on_gpu() && gpu_is_emulated()) GTEST_SKIP() << "too long for the emulated device";
  }
};

/// Position and velocity of one body, in double.
struct Orbit {
  engine::Vec3d position, velocity;
};

inline Orbit body(sim::Simulation& simulation, engine::Index i) {
  return simulation.state().visit([&](auto s) {
    return Orbit{{double(s.x[i]), double(s.y[i]), double(s.z[i])},
                 {double(s.vx[i]), double(s.vy[i]), double(s.vz[i])}};
  });
}

/// Steps past a time.
inline void pass(sim::Simulation& simulation, double time) {
  for (int k = 0; k < 1'000'000 && simulation.time() < time; ++k)
    ASSERT_EQ(simulation.advance(1, {}).health, sim::Health::good) << simulation.time();
  ASSERT_GE(simulation.time(), time);
}

inline double distance(engine::Vec3d a, engine::Vec3d b) {
  return std::sqrt(dot(a - b, a - b));
}

}  // namespace mote::test
