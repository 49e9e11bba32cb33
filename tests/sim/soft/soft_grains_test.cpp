// Soft bodies with grains, and contacts of soft bodies with each other and with themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "engine/text.h"
#include "sim/contact/exempt_pairs.h"
#include "sim/output/checkpoint.h"
#include "sim/space/ball_fields.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

using engine::Precision;
using engine::Vec3d;

class SoftAndGrains : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(SoftAndGrains);

/// Species: `sheet` is soft, `sand` grains.
std::string soft_and_grains(const std::string& soft, const std::string& grains,
                            const std::string& bodies, const std::string& dt,
                            const std::string& more = "") {
  return "return { species = { sheet = { matter = \"soft\" }, sand = { matter = \"grains\" } }, "
         "soft = { " +
         soft + " }, grains = { " + grains + " }, bodies = { " + bodies +
         " }, integrator = { dt = " + dt + " }, " + more + " }";
}

const char* const with_gravity = "fields = { uniform { acceleration = { 0, 0, -9.81 } } },";

TEST_P(SoftAndGrains, ConserveMomentumWhenGrainsFallOnAFreeCloth) {
  const auto sim = open(
      soft_and_grains(
          "thickness = 0.04, iterations = 2", "radius = 0.05, density = 1000, young_modulus = 1e5",
          "cloth { counts = { 13, 13 }, size = { 0.6, 0.6 }, mass = 0.3, species = \"sheet\" }, "
          "boost(translate(lattice { counts = { 3, 3, 2 }, spacing = 0.11, mass = 1, species = "
          "\"sand\" }, { 0, 0, 0.2 }), { 0.3, 0, -2 })",
          "2e-4"),
      {.precision = Precision::double_});
  const sim::Measurement before = sim->measure();
  sim->advance(600, {});
  const sim::Measurement after = sim->measure();
  // The cloth has received much of it, in some 1e4 impulses below 1e-2 with round-off of random
  // sign.
  double cloth = 0;
  for (engine::Index i = 0; i < 169; ++i) cloth += body(*sim, i).velocity.z * 0.3 / 169;
  EXPECT_LT(cloth, -0.3);
  EXPECT_NEAR(after.momentum.x, before.momentum.x, 1e-13);
  EXPECT_NEAR(after.momentum.y, before.momentum.y, 1e-13);
  EXPECT_NEAR(after.momentum.z, before.momentum.z, 1e-13);
}

/// 27 grains above a cloth pinned along its border, with a spacing of half a grain.
std::string hammock() {
  return soft_and_grains("thickness = 0.03, damping = 0.01, drag = 1, iterations = 4",
                         "radius = 0.05, density = 200, young_modulus = 1e5, restitution = 0.3, "
                         "rolling_friction = 0.3",
                         "cloth { counts = { 17, 17 }, size = { 0.64, 0.64 }, mass = 2, pinned = { "
                         "\"left\", \"right\", "
                         "\"bottom\", \"top\" }, species = \"sheet\" }, "
                         "translate(lattice { counts = { 3, 3, 3 }, spacing = 0.105, mass = 1, "
                         "species = \"sand\" }, { 0, 0, "
                         "0.2 })",
                         "5e-4", with_gravity);
}

TEST_P(SoftAndGrains, RestOnAPinnedClothOfFinerSpacing) {
  const auto sim = open(hammock(), {.precision = Precision::single});
  sim->advance(2000, {});
  // After one second a grain that fell through would be 4 m below.
  double lowest = 1, sag = 0;
  for (engine::Index i = 289; i < sim->count(); ++i)
    lowest = std::min(lowest, body(*sim, i).position.z);
  for (engine::Index i = 0; i < 289; ++i) sag = std::min(sag, body(*sim, i).position.z);
  EXPECT_GT(lowest, sag - 0.01);
  EXPECT_LT(sag, -0.01);
  EXPECT_GT(sag, -0.3);
}

TEST_P(SoftAndGrains, ResumeFromCheckpointsBitForBit) {
  const TemporaryFolder folder;
  const sim::SceneDescription scene = scene_of(hammock());
  const sim::Plan plan =
      sim::make_plan(scene, {.backend = GetParam(), .precision = Precision::single});
  const auto sim = sim::open_simulation(scene, plan);
  sim->advance(700, {});
  EXPECT_GT(sim->force_state().size(), 1000u);
  sim::write_checkpoint(folder.path() / "state.h5", *sim, scene, plan, {});
  const auto saved = sim->save();
  sim->advance(100, {});
  const auto resumed = sim::open_checkpoint(sim::read_checkpoint(folder.path() / "state.h5"),
                                            sim::RunOptions{.backend = GetParam(), .threads = 2});
  resumed->advance(100, {});
  EXPECT_EQ(resumed->hash(), sim->hash());
  const std::uint64_t hash = sim->hash();
  sim->restore(*saved);
  sim->advance(100, {});
  EXPECT_EQ(sim->hash(), hash);
}

TEST(SoftAndGrainsOnAGpu, MoveAsOnTheCpu) {
  if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  const sim::SceneDescription scene = scene_of(hammock());
  std::unique_ptr<sim::Simulation> sims[2];
  for (const engine::Backend backend : {engine::Backend::cpu, engine::Backend::cuda}) {
    auto& sim = sims[backend == engine::Backend::cuda ? 1 : 0];
    sim = sim::open_simulation(
        scene, sim::make_plan(scene, {.backend = backend, .precision = Precision::double_}));
    sim->advance(300, {});
  }
  // Grains touch the cloth after 180 steps. The other 120 add round-off of positions near 1, which
  // contacts amplify.
  for (engine::Index i = 0; i < sims[0]->count(); ++i)
    EXPECT_LT(distance(body(*sims[0], i).position, body(*sims[1], i).position), 1e-11) << i;
}

TEST(SoftAndGrainsOnAGpu, RepeatNoStepAfterAContactBufferOverflow) {
  if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  // The springs of a grain in a funnel of six planes overflow their buffer within a graph of many
  // steps. The following steps must not move the rope until the buffer has grown.
  std::string funnel;
  for (int k = 0; k < 6; ++k) {
    const double a = 3.14159265359 / 3 * k;
    funnel += "plane { normal = { " + engine::number_text(0.8 * std::cos(a)) + ", " +
              engine::number_text(0.8 * std::sin(a)) + ", 0.6 } }, ";
  }
  const sim::SceneDescription scene = scene_of(
      soft_and_grains("thickness = 0.02, drag = 2", "radius = 0.1, density = 2500, friction = 0.3",
                      "rope { n = 6, pinned = \"start\", mass = 3, position = { 0, 0, 9 }, species "
                      "= \"sheet\" }, { position = { 0, 0, 0.17 }, "
                      "velocity = { 0.01, 0.02, 0 }, species = \"sand\" }",
                      "2e-4", std::string(with_gravity) + "obstacles = { " + funnel + " },"));
  const auto on = [&](engine::Backend backend) {
    return sim::open_simulation(
        scene, sim::make_plan(scene, {.backend = backend, .precision = Precision::double_}));
  };
  const auto cpu = on(engine::Backend::cpu), gpu = on(engine::Backend::cuda);
  for (int k = 0; k < 6; ++k) {
    cpu->advance(100, {});
    gpu->advance(100, {});
    // 600 steps of round-off of positions near 9.
    for (engine::Index i = 0; i < cpu->count(); ++i)
      EXPECT_LT(distance(body(*cpu, i).position, body(*gpu, i).position), 1e-11) << i;
  }
}

TEST_P(SoftAndGrains, RotateGrainsButNotSoftBodies) {
  const auto sim =
      open(soft_and_grains(
               "thickness = 0.06", "radius = 0.05, density = 1000, young_modulus = 1e5",
               "cloth { counts = { 9, 9 }, size = { 0.6, 0.6 }, mass = 0.5, pinned = { "
               "\"left\", \"right\", \"bottom\", \"top\" }, species = \"sheet\" }, { position = "
               "{ 0.01, 0, 0.079 }, velocity "
               "= { 1, 0, 0 }, species = \"sand\" }",
               "2e-4", with_gravity),
           {.precision = Precision::double_});
  sim->advance(1000, {});
  sim->state().visit([&](const auto& s) {
    for (engine::Index i = 0; i + 1 < s.count; ++i) EXPECT_EQ(s[sim::fields::spin[1]][i], 0);
    EXPECT_GT(s[sim::fields::spin[1]][s.count - 1], 1);
  });
}

TEST_P(SoftAndGrains, ApplyNoSoftParametersToGrains) {
  // Drag and thickness belong to soft bodies: a grain falls freely and touches the floor at its own
  // radius.
  const auto sim =
      open(soft_and_grains(
               "thickness = 0.2, drag = 5", "radius = 0.05, density = 1000, young_modulus = 1e6",
               "rope { n = 3, pinned = \"start\", position = { 0, 5, 1 }, species = \"sheet\" }, "
               "{ position = { 0, "
               "0, 1 }, species = \"sand\" }",
               "2e-4", std::string(with_gravity) + "obstacles = { plane {} },"),
           {.precision = Precision::double_});
  sim->advance(500, {});
  // Round-off of 500 sums near 1.
  EXPECT_NEAR(body(*sim, 3).velocity.z, -0.981, 1e-13);
  double lowest = 1;
  for (int k = 0; k < 3500; k += 10) {
    sim->advance(10, {});
    lowest = std::min(lowest, body(*sim, 3).position.z);
  }
  EXPECT_GT(lowest, 0.02);
  EXPECT_LT(lowest, 0.05);
}

TEST_P(SoftAndGrains, HaveNoContactsBetweenBodiesThatShareAConstraint) {
  // Links are 0.1 and 0.14 long, contacts begin at 0.15, and bodies without a link are 0.2 apart.
  const auto sim =
      open(soft_and_grains(
               "thickness = 0.15", "radius = 0.05, young_modulus = 1e5",
               "cloth { counts = { 5, 5 }, size = { 0.4, 0.4 }, mass = 1, species = \"sheet\" }",
               "1e-3"),
           {.precision = Precision::double_});
  std::vector<Vec3d> start;
  for (engine::Index i = 0; i < 25; ++i) start.push_back(body(*sim, i).position);
  sim->advance(50, {});
  EXPECT_EQ(sim->contacts().size(), 0u);
  // Links keep their lengths, up to a round-off of 0.1 in each step.
  for (engine::Index i = 0; i < 25; ++i)
    EXPECT_LT(distance(body(*sim, i).position, start[static_cast<std::size_t>(i)]), 50 * 3e-17)
        << i;
}

/// Least distance of two bodies that share no constraint: in a chain (first_of_second = 0), or of
/// two different soft bodies.
double least_separation(sim::Simulation& sim, engine::Index first_of_second) {
  double nearest = 1e9;
  for (engine::Index i = 0; i < sim.count(); ++i)
    for (engine::Index j = i + 1; j < sim.count(); ++j) {
      const bool apart =
          first_of_second > 0 ? i < first_of_second && j >= first_of_second : j > i + 1;
      if (apart)
        nearest = std::min(nearest, distance(body(sim, i).position, body(sim, j).position));
    }
  return nearest;
}

TEST_P(SoftAndGrains, OfTwoBlocksTheUpperComesToRestOnTheLower) {
  const auto sim =
      open(soft_and_grains(
               "thickness = 0.15, damping = 0.02, drag = 2",
               "radius = 0.05, young_modulus = 1e5, restitution = 0.2",
               "soft_box { counts = { 4, 4, 3 }, size = { 0.6, 0.6, 0.4 }, mass = 1, compliance = "
               "1e-4, position "
               "= { "
               "0, 0, 0.36 }, species = \"sheet\" }, soft_box { counts = { 3, 3, 3 }, size = { "
               "0.4, 0.4, 0.4 }, "
               "mass = 0.5, compliance = 1e-4, position = { 0.05, 0.03, 1 }, species = \"sheet\" }",
               "5e-4", std::string(with_gravity) + "obstacles = { plane {} },"),
           {.precision = Precision::double_});
  sim->advance(3000, {});
  double low = 0, high = 0;
  for (engine::Index i = 0; i < 48; ++i) low += body(*sim, i).position.z / 48;
  for (engine::Index i = 48; i < 75; ++i) high += body(*sim, i).position.z / 27;
  EXPECT_GT(high - low, 0.35);
  EXPECT_GT(least_separation(*sim, 48), 0.13);  // the thickness, less compression
}

TEST_P(SoftAndGrains, KeepThePartsOfAPiledUpRopeApart) {
  const auto sim = open(
      soft_and_grains(
          "thickness = 0.03, damping = 0.02, drag = 2",
          "radius = 0.05, young_modulus = 1e5, restitution = 0.2",
          "rotate(rope { n = 80, length = 1.6, mass = 0.2, species = \"sheet\" }, { axis = { "
          "0.01, 1, 0 }, "
          "angle = 70 })",
          "5e-4", std::string(with_gravity) + "obstacles = { plane { point = { 0, 0, -0.9 } } },"),
      {.precision = Precision::double_});
  double nearest = 1;
  for (int k = 0; k < 30; ++k) {
    sim->advance(200, {});
    nearest = std::min(nearest, least_separation(*sim, 0));
  }
  EXPECT_LT(sim->measure().center_of_mass.z, -0.75);
  EXPECT_GT(nearest, 0.6 * 0.03);
}

TEST(ExemptPairsOfIds, AreFoundFromBothSidesIfBothBodiesExist) {
  const std::uint32_t ids[] = {2, 3, 5, 9};
  const sim::ExemptLists lists({{9, 2}, {2, 3}, {3, 2}, {5, 7}, {5, 5}}, ids, 4);
  std::string found;
  for (std::int32_t i = 0; i < 4; ++i)
    for (const std::uint32_t id : {2u, 3u, 5u, 7u, 9u})
      if (lists.view().has(i, id)) found += std::to_string(ids[i]) + "-" + std::to_string(id) + " ";
  EXPECT_EQ(found, "2-3 2-9 3-2 9-2 ");
  EXPECT_FALSE(sim::ExemptPairs().has(0, 2));
}

}  // namespace
}  // namespace mote::test
