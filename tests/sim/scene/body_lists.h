#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tests/sim/scene/scene_text.h"

/// Scenes that are nothing but a list of bodies.
namespace mote::sim::body_lists {

inline SceneDescription scene(const std::string& bodies, const std::string& before = "") {
  return SceneText(before + "\nreturn { gravity = {}, integrator = { dt = 1 }, bodies = " + bodies +
                   " }")
      .read();
}

inline Bodies bodies(const std::string& list, const std::string& before = "") {
  return make_bodies(scene(list, before), 1);
}

/// The only problem of a list, on line 1.
inline std::string problem(const std::string& list) {
  const Lines problems =
      SceneText("return { integrator = { dt = 1 }, bodies = " + list + " }").problems();
  return problems.size() == 1 ? problems[0] : std::to_string(problems.size()) + " problems";
}

/// Up to a few round-offs of numbers of order one.
inline void expect_near(engine::Vec3d got, engine::Vec3d wanted) {
  EXPECT_NEAR(got.x, wanted.x, 1e-14);
  EXPECT_NEAR(got.y, wanted.y, 1e-14);
  EXPECT_NEAR(got.z, wanted.z, 1e-14);
}

}  // namespace mote::sim::body_lists
