// Emitters and drains of fluids.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "sim/fluid/emitter.h"
#include "tests/sim/script/hooked_run.h"

namespace mote::test {
namespace {

using engine::Index;
using engine::Vec3d;

/// Fluid of spacing 0.05 at steps of 0.001, without shifting, with one initial particle far away.
std::string fed_fluid(int dimensions, const std::string& more, const std::string& bodies = "") {
  return "return { fluid = { spacing = 0.05, largest_speed = 1, shifting = 0, dimensions = " +
         std::to_string(dimensions) +
         " }, integrator = { dt = 0.001 }, species = { floor = { wall = true }, dye = {} }, " +
         more + ", bodies = { { mass = " + (dimensions == 2 ? "0.0025" : "0.000125") +
         ", position = { 50, 50, 0 } }, " + bodies + " } }";
}
std::string segment_emitter(const std::string& more = "") {
  return "emitters = { position = { 0, 0, 0 }, direction = { 3, 0, 0 }, radius = 0.2, speed = 1" +
         more + " }";
}

class FedFluids : public OnEveryBackend {
 protected:
  static HookedRun make(const std::string& lua) { return HookedRun(scene_of(lua), GetParam()); }
};
MOTE_ON_EVERY_BACKEND(FedFluids);

/// Positions by body index.
std::vector<Vec3d> positions_of(HookedRun& run) {
  std::vector<Vec3d> positions;
  run.simulation().state().visit([&](const auto& s) {
    for (Index i = 0; i < s.count; ++i)
      positions.push_back(
          {static_cast<double>(s.x[i]), static_cast<double>(s.y[i]), static_cast<double>(s.z[i])});
  });
  return positions;
}

double least_distance(HookedRun& run) {
  const std::vector<Vec3d> positions = positions_of(run);
  double least = 1e30;
  for (std::size_t i = 0; i < positions.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      least = std::min(least, length(positions[i] - positions[j]));
  return least;
}

TEST_P(FedFluids, FlowInWithAreaTimesSpeed) {
  struct Face {
    int dimensions;
    std::string more;
    double area;
  };
  // Layers of 8 and of 4 x 4 particles, one every 50 steps: four in 200 steps.
  for (const Face& face :
       {Face{2, segment_emitter(), 0.4},
        {3,
         "emitters = { { position = { 0, 0, 0 }, direction = { 0, 0, -1 }, radius = 0.1, shape = "
         "\"square\", speed = 1 } }",
         0.04}}) {
    HookedRun run = make(fed_fluid(face.dimensions, face.more));
    run.to(60);
    const Index before = run.simulation().count();
    run.to(260);
    const double volume =
        static_cast<double>(run.simulation().count() - before) * std::pow(0.05, face.dimensions);
    EXPECT_NEAR(volume, face.area * 1 * 0.2, 1e-12);
  }
}

TEST_P(FedFluids, AreEvenlySpacedAsTheyComeOut) {
  // No force acts on a jet in free flight: its layers stay one spacing apart, whatever the step.
  for (const std::string dt : {"0.001", "0.0013"}) {
    std::string lua = fed_fluid(2, segment_emitter());
    lua.replace(lua.find("0.001 }"), 5, dt);
    HookedRun run = make(lua);
    run.to(300);
    EXPECT_GT(run.simulation().count(), 20);
    EXPECT_NEAR(least_distance(run), 0.05, 1e-9) << dt;
  }
}

TEST_P(FedFluids, ComeOutAroundTheMiddleOfTheFaceWithItsSpeed) {
  HookedRun run = make(fed_fluid(
      2,
      "emitters = { position = { 1, 2, 0 }, direction = { -1, -1, 0 }, radius = 0.1, speed = "
      "0.5, species = \"dye\", start = 0.1, stop = 0.15 }"));
  run.to(99);
  EXPECT_EQ(run.simulation().count(), 1);
  run.to(100);
  ASSERT_EQ(run.simulation().count(), 5);
  // At the step of its time the layer is on the face.
  for (Index k = 0; k < 4; ++k) {
    const sim::BodyState body = run.simulation().body(k + 1);
    const double along = (static_cast<double>(k) - 1.5) * 0.05 * std::sqrt(0.5);
    EXPECT_NEAR(body.position.x, 1 + along, 1e-12);
    EXPECT_NEAR(body.position.y, 2 - along, 1e-12);
    EXPECT_NEAR(body.velocity.x, -0.5 * std::sqrt(0.5), 1e-12);
    EXPECT_NEAR(body.velocity.y, -0.5 * std::sqrt(0.5), 1e-12);
    EXPECT_NEAR(body.mass, 0.0025, 1e-12);
    EXPECT_EQ(run.simulation().state().species()[k + 1], 1);  // dye, before floor
  }
  run.to(400);  // the next layer would leave at 0.2
  EXPECT_EQ(run.simulation().count(), 5);
}

TEST_P(FedFluids, SkipOccupiedPositions) {
  const std::string upper_half =
      "translate(lattice { counts = { 1, 4, 1 }, spacing = 0.05, mass = 0.01 }, { 0, 0.1, 0 })";
  HookedRun run = make(fed_fluid(2, segment_emitter(", stop = 0.02"), upper_half));
  run.to(2);
  EXPECT_EQ(run.simulation().count(), 1 + 4 + 4);
}

TEST_P(FedFluids, AreLimitedByMostOfTheirEmitter) {
  HookedRun run = make(fed_fluid(2, segment_emitter(", most = 30")));
  run.to(260);
  EXPECT_EQ(run.simulation().count(), 1 + 3 * 8);
}

const std::string floor_in_drain =
    "translate(lattice { counts = { 4, 4, 1 }, spacing = 0.05, mass = 0.04, species = \"floor\" }, "
    "{ 0.6, "
    "0.6, 0 })";

TEST_P(FedFluids, AreGoneWhereTheyHaveEnteredADrain) {
  HookedRun run =
      make(fed_fluid(2,
                     segment_emitter() + ", drains = { { low = { 0.25, -1, -1 }, high = { 1, 1, 1 "
                                         "}, every = 5 }, { position = { 0, -0.175, "
                                         "0 }, radius = 0.2, every = 7 } }",
                     floor_in_drain));
  run.to(420);
  ASSERT_EQ(run.simulation().step() % 35, 0u);  // both have just checked
  Index walls = 0;
  for (const Vec3d& at : positions_of(run)) {
    if (at.y > 0.5) {
      ++walls;
      continue;
    }
    EXPECT_FALSE(at.x >= 0.25 && at.x <= 1) << at.x;
    EXPECT_GT(std::hypot(at.x, at.y + 0.175), 0.2);
  }
  EXPECT_EQ(walls, 16 + 1);
  EXPECT_GT(run.simulation().count(), 17);  // the upper part of the jet is still in flight
  // Ids are not reused.
  EXPECT_GT(run.simulation().next_id(), static_cast<std::uint32_t>(run.simulation().count()) + 20);
}

TEST_P(FedFluids, GoOnFromACheckpointWithTheSameBits) {
  const TemporaryFolder folder;
  const std::string lua = fed_fluid(
      2,
      segment_emitter() +
          ", drains = { low = { 0.2, -1, -1 }, high = { 1, 1, 1 } }, fields = { uniform { "
          "acceleration = { 0, -1, 0 } } }",
      floor_in_drain);
  HookedRun uninterrupted = make(lua), slices = make(lua);
  uninterrupted.to(320);
  slices.to(200, 3);
  // At a step at which a layer has left and the drain has checked.
  slices.save(folder.path() / "middle.h5");
  HookedRun again(sim::read_checkpoint(folder.path() / "middle.h5"), GetParam());
  EXPECT_EQ(again.simulation().count(), slices.simulation().count());
  for (HookedRun* run : {&slices, &again}) {
    run->to(320, 7);
    EXPECT_EQ(run->simulation().hash(), uninterrupted.simulation().hash());
    EXPECT_EQ(run->simulation().next_id(), uninterrupted.simulation().next_id());
  }
}

TEST(Emitters, FillADiscToItsEdge) {
  // Lattice squares whose centre is inside: the area, except for a fraction of those at the edge.
  sim::Emitter emitter;
  emitter.direction = {1, 2, 3};
  emitter.position = {5, 6, 7};
  emitter.radius = 1;
  const double spacing = 0.1, circle = 3.14159265358979323846;
  const std::vector<Vec3d> positions = sim::layer_of(emitter, spacing, 3);
  EXPECT_NEAR(static_cast<double>(positions.size()) * spacing * spacing, circle, 0.5 * spacing);
  for (const Vec3d& at : positions) {
    EXPECT_NEAR(dot(at - emitter.position, emitter.direction), 0, 1e-12);
    EXPECT_LE(length(at - emitter.position), 1 + 1e-12);
  }
}

TEST(Emitters, AndDrainsAreRefusedWhereTheyMakeNoSense) {
  const auto emitter = [](const std::string& key, const std::string& value) {
    std::map<std::string, std::string> keys{{"position", "{ 0, 0, 0 }"},
                                            {"speed", "1"},
                                            {"radius", "0.1"},
                                            {"direction", "{ 1, 0, 0 }"}};
    keys[key] = value;
    std::string text;
    for (const auto& [name, what] : keys) text += name + " = " + what + ", ";
    return "emitters = { " + text + " }";
  };
  struct Case {
    std::string more, expected;
  };
  for (const Case& c :
       {Case{"emitters = 5", "expected a list"},
        {"emitters = { { speed = 1 } }", "is missing"},
        {emitter("direction", "{ 0, 0, 0 }"), "has zero length"},
        {emitter("direction", "{ 0, 0, 1 }"), "leaves the x-y plane"},
        {emitter("speed", "2"), "is above fluid.largest_speed, 1"},
        {emitter("radius", "0.01"), "is too small for a particle"},
        {emitter("stop", "0"), "is not after"},
        {emitter("species", "\"ink\""), "no such species"},
        {emitter("species", "\"floor\""), "is a species of walls"},
        {emitter("shape", "\"square\""), "is for three dimensions"},
        {emitter("width", "1"), "width"},
        {"drains = { every = 3 }", "is neither a box nor a sphere"},
        {"drains = { low = { 0, 0, 0 }, radius = 1 }", "is neither a box nor a sphere"},
        {"drains = { low = { 0, 0, 0 }, high = { 1, -1, 0 } }", "is below `low`"}}) {
    std::string message = "nothing";
    try {
      scene_of(fed_fluid(2, c.more));
    } catch (const engine::InputError& error) {
      message = error.diagnostics().front().text() + error.diagnostics().front().key;
    }
    EXPECT_NE(message.find(c.expected), std::string::npos) << c.more << ": " << message;
  }
  try {
    scene_of(
        "return { gravity = {}, integrator = { dt = 1 }, drains = {}, bodies = { { mass = 1 } } }");
    ADD_FAILURE() << "drains without fluid";
  } catch (const engine::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("are for fluid"), std::string::npos) << error.what();
  }
}

TEST(Emitters, MakeFluidOnlyWhereThereAreGrainsToo) {
  const auto message_of = [](const std::string& species) {
    try {
      scene_of(R"(return {
        species = { water = { matter = "fluid" }, sand = { matter = "grains" } },
        fluid = { spacing = 0.1, largest_speed = 1 }, grains = { radius = 0.03, density = 2, young_modulus = 1e4 },
        integrator = { dt = 1e-3 }, bodies = { { species = "sand", position = { 0, 0, 1 } } },
        emitters = { position = { 0, 0, 0 }, direction = { 0, 0, 1 }, radius = 0.2, speed = 1 )" +
               species + " } }");
    } catch (const engine::InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(message_of(", species = \"water\""), "accepted");
  EXPECT_NE(message_of(", species = \"sand\"").find("is not a fluid species"), std::string::npos);
  EXPECT_NE(message_of("").find("several kinds of matter"), std::string::npos);
}

// The face is on the boundary; half a spacing beyond the boundary, in front of it, is fluid at
// rest.
TEST_P(FedFluids, SeeFluidAcrossAPeriodicBoundary) {
  HookedRun run = make(R"(return {
    domain = { size = { 2, 2, 0 }, x = "periodic", y = "periodic", z = "open" },
    fluid = { spacing = 0.1, largest_speed = 1, dimensions = 2 }, integrator = { dt = 0.001 },
    bodies = { lattice { counts = { 20, 20, 1 }, spacing = 0.1, mass = 4 } },
    emitters = { position = { 1, 0, 0 }, direction = { 1, 0, 0 }, radius = 0.2, speed = 1 } })");
  run.to(5);
  EXPECT_EQ(run.simulation().count(), 400);
}

}  // namespace
}  // namespace mote::test
