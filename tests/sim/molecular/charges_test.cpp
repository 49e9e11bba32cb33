// Charges that all act on each other, by expansions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "engine/check.h"
#include "engine/math/random.h"
#include "sim/gravity/solver.h"
#include "tests/support/backend.h"
#include "tests/support/ewald.h"
#include "tests/support/on_device.h"

namespace mote::test {
namespace {

using engine::Backend;
using engine::Index;
using engine::Precision;
using engine::Vec3d;
using std::numbers::pi;

class Charges : public OnEveryBackend {
 protected:
  static int bodies(int here, int emulated) {
    return on_gpu() && gpu_is_emulated() ? emulated : here;
  }
  /// A scene with charges of unit size of two species, and nothing else.
  static std::string scene(const std::string& bodies, const std::string& domain, double accuracy,
                           double dt = 1e-3, const std::string& precision = "double") {
    return "local bodies = {}\n" + bodies + "\nreturn { " + domain +
           " lennard_jones = { epsilon = 0, sigma = 0.01, skin = 0.001 }, precision = '" +
           precision + "', coulomb = { constant = 1, solver = 'multipole', accuracy = " +
           std::to_string(accuracy) +
           " }, species = { plus = { charge = 1 }, minus = { charge = -1 }, none = {} }," +
           " integrator = { dt = " + std::to_string(dt) + " }, bodies = bodies }";
  }
  /// Ions of masses 1 and `heavy` in turns on a cubic lattice, whose nearest are 1 apart, from the
  /// origin on.
  static std::string rock_salt(int side, const std::string& displacement = "0", double heavy = 1) {
    return "for i = 0, " + std::to_string(side * side * side - 1) +
           " do\n"
           "  local n = " +
           std::to_string(side) +
           "\n"
           "  local x, y, z = i % n, i // n % n, i // (n * n)\n"
           "  local even = (x + y + z) % 2 == 0\n"
           "  local d = even and " +
           displacement +
           " or 0\n"
           "  bodies[#bodies + 1] = { mass = even and 1 or " +
           std::to_string(heavy) +
           ", species = even and 'minus' or 'plus', position = { x + 0.25 + d, y + 0.25, z + 0.25 "
           "} }\n"
           "end";
  }
  static std::string box_of(int side) {
    const std::string s = std::to_string(side), half = std::to_string(0.5 * side);
    return "domain = { size = { " + s + ", " + s + ", " + s + " }, center = { " + half + ", " +
           half + ", " + half + " } },";
  }
};
MOTE_ON_EVERY_BACKEND(Charges);

// The energy of an ion of rock salt is that of Madelung (1918, Phys. Z. 19, 524).
TEST_P(Charges, OfRockSaltHaveMadelungsEnergy) {
  const int side = bodies(12, 6);
  const auto simulation = open(scene(rock_salt(side), box_of(side), 1e-6));
  const double ions = side * side * side;
  EXPECT_NEAR(simulation->measure().energy, -0.5 * 1.747564594633 * ions, 1e-6 * ions);
  // By symmetry no ion feels a force: not more than errors of the field of its neighbours.
  simulation->state().visit([](auto s) {
    for (Index i = 0; i < s.count; ++i) EXPECT_LT(std::fabs(s.ax[i]) + std::fabs(s.ay[i]), 2e-5);
  });
}

struct Ion {
  Vec3d at;
  double charge;
};

std::vector<Ion> random_ions(int n) {
  std::vector<Ion> ions;
  for (int i = 0; i < n; ++i) {
    engine::Random random(7, 0, static_cast<std::uint64_t>(i));
    const double x = random.uniform(0, 1), y = random.uniform(0, 1), z = random.uniform(0, 1);
    ions.push_back({{x, y, z}, i % 2 == 0 ? -1.0 : 1.0});
  }
  return ions;
}

std::string text_of(const std::vector<Ion>& ions) {
  std::string text;
  char line[200];
  for (const Ion& ion : ions) {
    std::snprintf(
        line, sizeof(line),
        "bodies[#bodies + 1] = { mass = 2, species = '%s', position = { %.17g, %.17g, %.17g } }\n",
        ion.charge < 0   ? "minus"
        : ion.charge > 0 ? "plus"
                         : "none",
        ion.at.x, ion.at.y, ion.at.z);
    text += line;
  }
  return text;
}

// The promise, for ions at random places: open, and with all their images.
TEST_P(Charges, KeepTheErrorThatWasAskedFor) {
  const std::vector<Ion> ions = random_ions(bodies(6'000, 400));
  for (const std::string& domain :
       {std::string(), std::string("domain = { size = { 1, 1, 1 }, center = { 0.5, 0.5, 0.5 } },")})
    for (const double accuracy : {1e-2, 1e-3, 1e-4}) {
      const auto simulation =
          open(scene(text_of(ions), domain, accuracy, 1e-6, accuracy > 1e-4 ? "single" : "double"));
      const auto errors = simulation->force_errors();
      ASSERT_TRUE(errors);
      EXPECT_EQ(errors->asked, accuracy);
      EXPECT_LT(errors->percentile_99, accuracy) << domain << errors->worst;
      if (ions.size() > 1'000) {
        EXPECT_GT(errors->percentile_99, 0.01 * accuracy) << domain << ": it does too much";
      }
    }
}

// Ions in a crystal feel small forces, those around a droplet of ions are few. Without charges
// there is nothing to keep: a solvent does not change what is summed by more than the leaves it
// fills.
TEST_P(Charges, KeepTheErrorInCrystalsDropletsAndSolvents) {
  const int n = bodies(20, 6);
  std::vector<Ion> crystal, droplet, solution;
  for (int i = 0; i < n * n * n; ++i) {
    engine::Random random(9, 0, static_cast<std::uint64_t>(i));
    const auto jiggle = [&] { return 0.1 * random.uniform(-1.7, 1.7); };
    const int x = i % n, y = i / n % n, z = i / (n * n);
    const double charge = (x + y + z) % 2 == 0 ? -1 : 1;
    const double dx = jiggle(), dy = jiggle(), dz = jiggle();
    crystal.push_back({(1.0 / n) * Vec3d{x + dx + 0.5, y + dy + 0.5, z + dz + 0.5}, charge});
    const Vec3d place{random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1)};
    droplet.push_back({i % 20 < 18 ? 0.3 * place : place, i % 2 == 0 ? -1.0 : 1.0});
    solution.push_back({place, i % 50 == 0 ? -1.0 : i % 50 == 1 ? 1.0 : 0.0});
  }
  if (n % 2 == 0 && solution.size() % 50 == 1) solution.back().charge = 0;
  double sum = 0;
  for (const Ion& ion : solution) sum += ion.charge;
  if (sum != 0) solution.push_back({{0.5, 0.5, 0.5}, -sum});
  const std::string domain = "domain = { size = { 1, 1, 1 }, center = { 0.5, 0.5, 0.5 } },";
  for (const auto* ions : {&crystal, &droplet, &solution}) {
    const auto simulation = open(scene(text_of(*ions), domain, 1e-3, 1e-6, "single"));
    const auto errors = simulation->force_errors();
    ASSERT_TRUE(errors);
    EXPECT_LT(errors->percentile_99, 1.3e-3) << errors->worst;
  }
}

// Bodies without charge do not make expansions finer: where no charge is, no field is needed.
TEST_P(Charges, OfASolutionCostLittle) {
  if (on_gpu() && gpu_is_emulated()) GTEST_SKIP() << "needs more bodies than are emulated in time";
  const int n = 5'000, ions = n / 50;
  std::vector<Ion> solution = random_ions(n);
  for (int i = ions; i < n; ++i) solution[std::size_t(i)].charge = 0;
  const auto simulation =
      open(scene(text_of(solution), "domain = { size = { 1, 1, 1 }, center = { 0.5, 0.5, 0.5 } },",
                 1e-3, 1e-6, "single"));
  const std::uint64_t before = simulation->interactions();
  simulation->advance(2, {});
  const double images = 27, all = double(n) * ions * images;
  EXPECT_LT(double(simulation->interactions() - before) / 2, 0.2 * all);
}

// Against Ewald's sum over all ions, with signs and masses.
TEST_P(Charges, AttractAndRepelAsEwaldsSumSays) {
  const std::vector<Ion> ions = random_ions(bodies(1'000, 300));
  const auto simulation = open(scene(
      text_of(ions), "domain = { size = { 1, 1, 1 }, center = { 0.5, 0.5, 0.5 } },", 1e-6, 1e-6));
  simulation->state().visit([&](auto s) {
    for (Index k = 0; k < s.count; k += s.count / 10) {
      const Ion& own = ions[s.id[k]];
      Vec3d field{0, 0, 0};
      for (const Ion& ion : ions) field += ion.charge * ewald(own.at - ion.at, {1, 1, 1});
      const Vec3d expected = (-own.charge / 2) * field;
      EXPECT_LT(length(Vec3d{s.ax[k], s.ay[k], s.az[k]} - expected), 1e-5 * length(expected));
    }
  });
}

// A longitudinal wave of light ions among heavy ones of the other sign, on the cubic sites between
// them: omega^2 = 4 pi n q^2 / m (1 - 1/3), the plasma frequency less the field of Lorentz, since
// that of heavy points has no gradient where a light one is (Born & Huang 1954, section 9). A wave
// along n lattice constants is slower: omega^2 by about (2 pi / n)^2 / 9.
TEST_P(Charges, OfACrystalSwingAsLongitudinalWavesDo) {
  const int side = bodies(12, 6);
  const double density = 0.5, omega = std::sqrt(4 * pi * density * 2 / 3), amplitude = 0.01;
  const double quarter = 0.5 * pi / omega, dt = quarter / 32;
  const std::string wave = "0.01 * math.sin(2 * math.pi * x / n)";
  const auto simulation = open(scene(rock_salt(side, wave, 1e6), box_of(side), 1e-5, dt));
  const auto amplitude_now = [&] {
    double sum = 0, of = 0;
    simulation->state().visit([&](auto s) {
      for (Index i = 0; i < s.count; ++i) {
        const unsigned x = s.id[i] % unsigned(side), y = s.id[i] / unsigned(side) % unsigned(side),
                       z = s.id[i] / unsigned(side * side);
        if ((x + y + z) % 2 != 0) continue;
        const double shape = std::sin(2 * pi * x / side);
        double d = double(s.x[i]) - (x + 0.25);
        d -= side * std::round(d / side);
        sum += d * shape, of += shape * shape;
      }
    });
    return sum / of;
  };
  EXPECT_NEAR(amplitude_now(), amplitude, 1e-9);
  simulation->advance(32, {});
  const double slower = 4 * pi * pi / (side * side) / 9;  // of omega^2
  EXPECT_NEAR(amplitude_now(), 0.5 * pi * 0.5 * slower * amplitude, 0.02 * amplitude);
  simulation->advance(32, {});
  EXPECT_NEAR(amplitude_now(), -std::cos(pi * 0.5 * slower) * amplitude, 0.02 * amplitude);
}

TEST(ChargesInScenes, WithoutMeaningAreRefused) {
  const auto problem = [](const std::string& coulomb, const std::string& domain,
                          const std::string& species = "plus") -> std::string {
    try {
      const auto scene = scene_of(
          "return { precision = 'single', domain = { " + domain +
          " }, lennard_jones = {}, coulomb = { constant = 1, " + coulomb +
          " }, species = { plus = { charge = 1 }, minus = { charge = -1 } }, integrator = " +
          "{ dt = 1e-3 }, bodies = { { mass = 1, species = 'plus', position = { 1, 0, 0 } }, { "
          "mass = 1, species = '" +
          species + "', position = { -1, 0, 0 } } } }");
      sim::open_simulation(scene, sim::make_plan(scene, {}));
    } catch (const engine::InputError& e) {
      return e.what();
    }
    return "";
  };
  const std::string expands = "solver = 'multipole'", cube = "size = { 9, 9, 9 }";
  EXPECT_EQ(problem(expands, cube, "minus"), "");
  EXPECT_NE(
      problem(expands, cube).find("the charges of all bodies in the periodic domain sum to 2"),
      std::string::npos);
  EXPECT_NE(problem(expands + ", cutoff = 2", cube, "minus")
                .find("has no effect with solver = \"multipole\""),
            std::string::npos);
  EXPECT_NE(
      problem("accuracy = 1e-3", cube, "minus").find("has no effect with solver = \"cutoff\""),
      std::string::npos);
  EXPECT_NE(problem(expands, cube + ", x = 'open'", "minus")
                .find("needs a domain that is periodic along all axes, or along none"),
            std::string::npos);
  EXPECT_NE(problem(expands + ", accuracy = 1e-6", cube, "minus")
                .find("less than single precision can keep"),
            std::string::npos);
}

}  // namespace
}  // namespace mote::test
