// A system with one distant body, on every backend: cell grids are hashed, and results are
// unchanged.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/support/backend.h"

namespace mote::test {
namespace {

using engine::Index;
using engine::Precision;
using engine::Vec3d;
using sim::Simulation;

class FarAway : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(FarAway);

std::vector<Vec3d> accelerations_of(Simulation& sim) {
  return sim.state().visit([](const auto& s) {
    std::vector<Vec3d> all;
    for (Index i = 0; i < s.count; ++i)
      all.push_back({double(s.ax[i]), double(s.ay[i]), double(s.az[i])});
    return all;
  });
}

/// Largest difference of accelerations of common bodies, relative to the largest acceleration.
double difference_of(Simulation& one, Simulation& other) {
  const std::vector<Vec3d> a = accelerations_of(one), b = accelerations_of(other);
  double apart = 0, largest = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    apart = std::max(apart, distance(a[i], b[i]));
    largest = std::max(largest, std::sqrt(dot(a[i], a[i])));
  }
  EXPECT_GT(largest, 0);
  return apart / largest;
}

const std::string outlier = ", { mass = 1, position = { 1e6, -3e5, 20 } }";

TEST_P(FarAway, MoleculesFeelTheSame) {
  const auto drop = [](const std::string& more) {
    return "return { lennard_jones = {}, integrator = { dt = 0.004 }, bodies = { lattice { counts "
           "= { 8, 8, "
           "8 "
           "}, spacing = 1.1, "
           "mass = 512, dispersion = 1 }" +
           more + " } }";
  };
  const auto alone = open(drop(""), {.precision = Precision::double_}),
             with = open(drop(outlier), {.precision = Precision::double_});
  // Sums of some 60 forces, in another order.
  EXPECT_LT(difference_of(*alone, *with), 1e-14);
  with->advance(60, {}), alone->advance(60, {});
  // Coordinates near 4 are rounded by 4e-16 sixty times, and force gradients are up to 57:
  // 2e-13 relative to some ten.
  EXPECT_LT(difference_of(*alone, *with), 2e-14);
}

TEST_P(FarAway, GrainsFeelTheSameToTheBit) {
  const auto heap = [](const std::string& more) {
    return "return { grains = { radius = 0.1, density = 1000 }, integrator = { dt = 2e-4 }, bodies "
           "= { "
           "lattice "
           "{ counts = { 7, 7, 7 }, spacing = 0.195, dispersion = 0.3, mass = 1 }, lattice { "
           "counts = { 2, "
           "2, 2 "
           "}, spacing = 1.1, radius = 0.5, mass = 1, position = { 0, 0, 1.95 }, velocity = { 0, "
           "0, -1 } }" +
           more + " } }";
  };
  const auto alone = open(heap(""), {.precision = Precision::double_}),
             with = open(heap(outlier), {.precision = Precision::double_});
  alone->advance(100, {}), with->advance(100, {});
  const std::vector<Vec3d> a = accelerations_of(*alone), b = accelerations_of(*with);
  bool pushed = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].x, b[i].x) << i;
    EXPECT_EQ(a[i].y, b[i].y) << i;
    EXPECT_EQ(a[i].z, b[i].z) << i;
    pushed = pushed || a[i].x != 0;
  }
  EXPECT_TRUE(pushed);
}

TEST_P(FarAway, AFluidFeelsTheSame) {
  const auto drop = [](const std::string& more) {
    return "return { fluid = { spacing = 0.1, density = 1000, largest_speed = 1 }, integrator = { "
           "dt = 1e-4 "
           "}, "
           "bodies = { "
           "lattice { counts = { 9, 9, 9 }, spacing = 0.1, mass = 729, dispersion = 0.1 }" +
           more + " } }";
  };
  const auto alone = open(drop(""), {.precision = Precision::double_}),
             with = open(drop(outlier), {.precision = Precision::double_});
  alone->advance(20, {}), with->advance(20, {});
  // Sums of some 60 forces in another order; twenty steps of 1e-4 do not amplify it.
  EXPECT_LT(difference_of(*alone, *with), 60 * 1.1e-16);
}

TEST_P(FarAway, ADropInALargeBoxFeelsWhatItFeelsOutside) {
  // Around a corner of a periodic box of more than a thousand times its volume. Coordinates near 60
  // are rounded by 7e-15, and by as much again when they are wrapped.
  struct Case {
    std::string what, bodies;
    double apart;
  };
  const Case cases[] = {// Force gradients are 57 at the minimum, for each of a dozen neighbours.
                        {"lennard_jones = {}, integrator = { dt = 0.004 }",
                         "spacing = 1.1, mass = 512", 57 * 1.4e-14 * 4},
                        // The overlap of grains is a hundredth of the spacing.
                        {"grains = { radius = 0.5, density = 1000 }, integrator = { dt = 1e-4 }",
                         "spacing = 0.99, mass = 512", 1e-11},
                        // Forces of some 60 neighbours with independent errors, each as large as
                        // that of its distance.
                        {"fluid = { spacing = 1, largest_speed = 1 }, integrator = { dt = 1e-3 }",
                         "spacing = 0.97, mass = 512", 1.4e-14 * 8}};
  for (const Case& c : cases) {
    const auto scene = [&](const std::string& domain) {
      return "return { " + domain + c.what + ", bodies = { lattice { counts = { 8, 8, 8 }, " +
             c.bodies + ", dispersion = 0.01, position = { 60, 60, -60 } } } }";
    };
    const auto outside = open(scene(""), {.precision = Precision::double_}),
               inside = open(scene("domain = { size = { 120, 120, 120 } }, "),
                             {.precision = Precision::double_});
    outside->advance(5, {}), inside->advance(5, {});
    const double apart = difference_of(*outside, *inside);
    RecordProperty("apart", std::to_string(apart * 1e15));
    EXPECT_LT(apart, c.apart) << c.what;
  }
}

}  // namespace
}  // namespace mote::test
