// How exactly a single pair is evaluated: what integrators to machine precision build on.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/support/backend.h"

namespace mote::test {
namespace {

class GravityOfAPair : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(GravityOfAPair);

// In units of 2^-53: the root is within two, and enters three times; two products make its cube,
// two the acceleration; r^2 has two, of which three halves count; the difference of positions one.
TEST_P(GravityOfAPair, IsRoundedByItsRootAndAFewOperations) {
  constexpr double unit = 0x1p-53, bound = 3 * 2 + 2 + 2 + 3 + 1;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  double worst = 0;
  for (int k = 0; k < 30; ++k) {
    const engine::Vec3d d{uniform(random), uniform(random), uniform(random)};
    const auto pair = open(fmt::format(
        "return {{ precision = 'double', gravity = {{}}, integrator = {{ 'leapfrog', dt = 1e-9 }}, "
        "bodies = {{ {{ mass = 1, position = {{ 0, 0, 0 }} }}, {{ mass = 1, position = {{ {:.17g}, "
        "{:.17g}, {:.17g} }} }} }} }}",
        d.x, d.y, d.z));
    const engine::Vec3d a = pair->body(0).acceleration;
    using Exact = long double;
    const Exact x = d.x, y = d.y, z = d.z, r2 = x * x + y * y + z * z,
                factor = 1 / (r2 * std::sqrt(r2));
    for (const auto& [found, along] : {std::pair(a.x, x), {a.y, y}, {a.z, z}}) {
      const auto error = static_cast<double>(std::fabs(found / (along * factor) - 1));
      worst = std::max(worst, error / unit);
    }
  }
  RecordProperty("largest_error_in_units_of_2^-53", std::to_string(worst));
  EXPECT_LT(worst, bound);
  EXPECT_GT(worst, 0);
}

}  // namespace
}  // namespace mote::test
