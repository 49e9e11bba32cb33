// The longest steps of springs, and of hands.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "engine/check.h"
#include "sim/history/history.h"
#include "sim/motion/integrators.h"
#include "sim/stability.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

const sim::Step& stages_of(const char* integrator) {
  return sim::integrator_named(integrator)->stages;
}

/// Phases are sought in intervals of this length.
constexpr double thousandth = 1e-3;

// The trace of a composition is a polynomial in (w h)^2: that of leapfrog, 2 - (w h)^2, leaves
// (-2, 2) at 2. The others are those of docs/physics/fields.md.
TEST(LongestSteps, OfAnOscillatorAreThoseOfTheTrace) {
  EXPECT_NEAR(sim::largest_phase(stages_of("leapfrog")), 2, thousandth);
  EXPECT_NEAR(sim::largest_phase(stages_of("yoshida4")), 1.573, thousandth);
  EXPECT_NEAR(sim::largest_phase(stages_of("yoshida6")), 2.269, thousandth);
  EXPECT_NEAR(sim::longest_damped_step(stages_of("yoshida4"), 25, 0), 1.573 / 5, thousandth);
}

// k h^2 + 2 c h = 4 for leapfrog, whose step of (x, v) has the determinant 1 - c h and the trace
// 2 - c h - k h^2. The search ends within 2^-20 of an interval; a growth by less than 1e-4 a step
// is not seen, which is a relative error of that size.
TEST(LongestSteps, OfADampedOscillatorAreThoseOfTraceAndDeterminant) {
  for (const double k : {1.0, 37.0, 1e6})
    for (const double ratio : {0.01, 0.3, 2.0, 10.0}) {
      const double c = ratio * std::sqrt(k), exact = 4 / (c + std::sqrt(c * c + 4 * k));
      EXPECT_NEAR(sim::longest_damped_step(stages_of("leapfrog"), k, c) / exact, 1, 1e-3)
          << k << ' ' << ratio;
      EXPECT_TRUE(sim::is_stable_step(stages_of("leapfrog"), k, c, 0.99 * exact));
      EXPECT_FALSE(sim::is_stable_step(stages_of("leapfrog"), k, c, 1.01 * exact));
    }
}

class HandSteps : public OnEveryBackend {
 protected:
  std::unique_ptr<sim::Simulation> pulled(const std::string& integrator, double stiffness,
                                          double damping, double dt) {
    return open("return { precision = 'double', integrator = { '" + integrator +
                "', dt = " + std::to_string(dt) + " }, hand = { body = 0, stiffness = " +
                std::to_string(stiffness) + ", damping = " + std::to_string(damping) +
                " }, bodies = { { mass = 1, position = { 1, 0, 0 } } } }");
  }
};
MOTE_ON_EVERY_BACKEND(HandSteps);

/// Just within the limit nothing grows but by the distance of the invariant ellipse from a circle,
/// of which the long axis is 1 / sqrt(1 - (w h / 2)^2) = 5 for w h = 1.96; a damped one decays.
TEST_P(HandSteps, StayWithinTheLimitsOfTheirIntegrators) {
  const int steps = on_gpu() && gpu_is_emulated() ? 100 : 2000;
  for (const char* const integrator : {"leapfrog", "yoshida4", "yoshida6"})
    for (const double damping : {0.0, 0.5, 2.0}) {
      const double longest = std::min(sim::longest_damped_step(stages_of(integrator), 1, damping),
                                      damping > 0 ? 1 / damping : 9);
      const auto sim = pulled(integrator, 1, damping, 0.98 * longest);
      sim->advance(static_cast<std::uint64_t>(steps), {});
      EXPECT_LT(std::fabs(body(*sim, 0).position.x), damping > 0 && steps > 100 ? 1e-3 : 20)
          << integrator << ' ' << damping;
      EXPECT_THROW(pulled(integrator, 1, damping, 1.02 * longest), engine::InputError)
          << integrator << ' ' << damping;
    }
}

TEST_P(HandSteps, ThatWouldBeTooLongChangeNothing) {
  const auto sim = pulled("leapfrog", 100, 1, 0.1);
  sim::History history(*sim, 1 << 20);
  history.advance(5, 0, {}, {});
  const std::uint64_t hash = sim->hash();
  history.edit("hand.x", 0.5);
  for (const auto& [path, value] :
       {std::pair("hand.stiffness", 500.0), std::pair("hand.damping", 11.0),
        std::pair("integrator.dt", 0.3)}) {
    const std::string why = message_of<engine::InputError>([&] { history.edit(path, value); });
    EXPECT_NE(why.find("hand: a step of "), std::string::npos) << path << ": " << why;
    EXPECT_EQ(history.edits().size(), 1u);
  }
  EXPECT_EQ(sim->hash(), hash);
  history.edit("hand.stiffness", 0.0);
  history.edit("integrator.dt", 0.3);  // nothing is pulled
  history.edit("hand.damping", 11.0);
  EXPECT_EQ(history.edits().size(), 4u);
}

}  // namespace
}  // namespace mote::test
