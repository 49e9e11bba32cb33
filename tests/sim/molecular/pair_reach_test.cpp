// The largest cutoff of pair forces in a periodic domain.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "engine/text.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

using engine::Precision;
using engine::Vec3d;

class PairCutoff : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(PairCutoff);

TEST(PairCutoffInput, NamesTheCutoffThatIsTooLarge) {
  const auto message_of = [](const std::string& forces) -> std::string {
    const std::string charge = forces.find("coulomb") == std::string::npos ? "0" : "1";
    try {
      scene_of(
          "return { domain = { size = { 8, 8, 8 } }, species = { ion = { charge = " + charge +
          " }, big = {} },\n" + forces +
          ",\nintegrator = { dt = 0.001 }, bodies = { { mass = 1, position = { 0, 0, 0 } } } }");
    } catch (const engine::InputError& error) {
      return error.what();
    }
    return "";
  };
  const std::string rest =
      ": a cutoff of 3.9 and a skin of 0.4875 exceed half of the periodic domain, 8 along x; use a "
      "smaller skin";
  EXPECT_NE(message_of("lennard_jones = { cutoff = 0.5 },\ncoulomb = { cutoff = 3.9 }")
                .find(":3: coulomb.cutoff" + rest),
            std::string::npos);
  EXPECT_NE(message_of("lennard_jones = { cutoff = 3.9 },\ncoulomb = { cutoff = 0.5 }")
                .find(":2: lennard_jones.cutoff" + rest),
            std::string::npos);
  EXPECT_NE(
      message_of("lennard_jones = { cutoff = 0.5 },\npairs = { { species = { \"ion\", \"big\" }, "
                 "cutoff = 3 },\n"
                 "{ species = { \"big\", \"big\" }, cutoff = 3.9 } }")
          .find(":4: pairs.2.cutoff" + rest),
      std::string::npos);
  EXPECT_NE(message_of("lennard_jones = { cutoff = 4 }")
                .find("use a smaller skin; with 0 the neighbour list is rebuilt at every step"),
            std::string::npos);
  EXPECT_EQ(message_of("lennard_jones = { cutoff = 4, skin = 0 }"), "");
  EXPECT_NE(message_of("lennard_jones = { cutoff = 4.001, skin = 0 }")
                .find("use a smaller cutoff or a larger domain"),
            std::string::npos);
}

// With a cutoff of half the box each pair counts once, by its minimum image, even at the cutoff:
// the bodies include lattice points half a box apart.
TEST_P(PairCutoff, MayBeHalfOfTheBoxWithoutASkin) {
  std::string bodies;
  std::vector<Vec3d> x;
  for (int i = 0; i < 64; ++i) {
    x.push_back({2 * (i % 4) - 3 + (i % 5 == 0 ? 0.3 : 0),
                 2 * (i / 4 % 4) - 3 + (i % 7 == 0 ? 0.25 : 0), 2.0 * (i / 16) - 3});
    bodies += "{ mass = 1, position = { " + engine::number_text(x.back().x) + ", " +
              engine::number_text(x.back().y) + ", " + engine::number_text(x.back().z) +
              " }, velocity = { " + std::to_string(i % 3) + ", 0, 0 } }, ";
  }
  double energy = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      double q = 0;
      for (double d : {x[i].x - x[j].x, x[i].y - x[j].y, x[i].z - x[j].z}) {
        d -= 8 * std::round(d / 8);
        q += d * d;
      }
      const double u3 = 1 / (q * q * q), at_cutoff = std::pow(4.0, -6);
      if (q < 16) energy += 4 * (u3 * u3 - u3) - 4 * (at_cutoff * at_cutoff - at_cutoff);
    }
  for (const Precision precision : {Precision::single, Precision::double_}) {
    const auto sim = open(
        "return { domain = { size = { 8, 8, 8 } }, lennard_jones = { cutoff = 4, skin = 0 }, "
        "integrator = { dt = 0.002 }, bodies = { " +
            bodies + "} }",
        {.precision = precision});
    // Sums of 2016 pairs; in single precision positions are rounded to 2e-7.
    const double tolerance = precision == Precision::double_ ? 1e-12 : 2e-5;
    EXPECT_NEAR(sim->measure().potential, energy, tolerance * std::abs(energy));
    sim->advance(200, {});
    EXPECT_LT(std::abs(sim->measure().energy_error), 2e-3)
        << "the force of the shifted potential is discontinuous by 0.006 at the cutoff";
  }
}

}  // namespace
}  // namespace mote::test
