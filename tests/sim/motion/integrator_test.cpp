#include "sim/motion/scheme.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/gravity/direct.h"
#include "sim/motion/motion.h"
#include "tests/support/backend.h"
#include "tests/support/sanitized.h"
#include "tests/support/states.h"

namespace mote::test {
namespace {

using engine::Host;
using engine::Index;
using engine::Precision;

class Integrators : public LongOnEveryBackend {
 protected:
  /// Largest relative energy error over 20 Kepler orbits with e = 0.9.
  double kepler_error(const std::string& scheme, int steps) {
    sim::SceneDescription scene = shipped_scene("kepler", {{"steps", std::to_string(steps)}});
    scene.integrator.name = scheme;
    auto simulation = open(scene);
    simulation->measure();
    double worst = 0;
    for (int i = 0; i < 20 * steps; ++i) {
      simulation->advance(1, {});
      worst = std::max(worst, std::fabs(simulation->measure().energy_error));
    }
    return worst;
  }
};

MOTE_ON_EVERY_BACKEND(Integrators);

// Largest relative energy errors over 20 orbits, e = 0.9, fixed step; from an independent
// implementation.
TEST_P(Integrators, LeapfrogMeetsTheKeplerTable) {
  MOTE_SKIP_IF_SANITIZED("long; Integrators.KeepAngularMomentumOfAKeplerOrbit takes such steps");
  const struct {
    int steps;
    double leapfrog, first_order;
  } table[] = {{500, 3.5e-1, 1.5},
               {1000, 9.1e-2, 7.2e-1},
               {2000, 2.3e-2, 3.5e-1},
               {4000, 5.8e-3, 1.7e-1},
               {8000, 1.4e-3, 8.6e-2}};
  double previous = 0;
  for (const auto& row : table) {
    const double error = kepler_error("leapfrog", row.steps);
    EXPECT_NEAR(error, row.leapfrog, 0.05 * row.leapfrog) << row.steps << " steps per orbit";
    EXPECT_LT(error, 0.5 * row.first_order) << "a first-order integrator";
    // Second order: halving the step quarters the error; tolerance 0.1 in the exponent.
    if (previous > 0) {
      EXPECT_NEAR(std::log2(previous / error), 2, 0.1);
    }
    previous = error;
  }
}

// While the error is far above round-off, halving the step divides it by 2^order. The next term of
// the series contributes to the measured exponent: a tenth of the order is allowed.
TEST_P(Integrators, YoshidaHasItsOrder) {
  MOTE_SKIP_IF_SANITIZED("long; Integrators.KeepAngularMomentumOfAKeplerOrbit takes such steps");
  const double fourth = kepler_error("yoshida4", 8000) / kepler_error("yoshida4", 16000);
  EXPECT_NEAR(std::log2(fourth), 4, 0.4);
  const double sixth = kepler_error("yoshida6", 8000) / kepler_error("yoshida6", 16000);
  EXPECT_NEAR(std::log2(sixth), 6, 0.6);
}

TEST_P(Integrators, KeepAngularMomentumOfAKeplerOrbit) {
  for (const sim::Scheme& scheme : sim::schemes()) {
    sim::SceneDescription scene = shipped_scene("kepler");
    scene.integrator.name = scheme.name;
    auto simulation = open(scene);
    const double start = simulation->measure().angular_momentum.z;
    EXPECT_NEAR(start, 0.435889894354067e-12, 1e-27);
    simulation->advance(20 * 2000, {});
    // Kicks along the radius and drifts along the velocity conserve it. Round-off of 40,000 steps
    // accumulates as sqrt(40,000 forces) u = 2e-14, and as much again at pericentre passages.
    EXPECT_NEAR(simulation->measure().angular_momentum.z / start, 1, 1e-12);
  }
}

TEST(Schemes, AreSymmetricAndConsistent) {
  for (const sim::Scheme& scheme : sim::schemes()) {
    double kicks = 0, drifts = 0;
    for (std::size_t i = 0; i < scheme.step.size(); ++i) {
      const sim::Stage& stage = scheme.step[i];
      if (stage.kind == sim::StageKind::kick) kicks += stage.fraction;
      if (stage.kind == sim::StageKind::drift) drifts += stage.fraction;
    }
    EXPECT_NEAR(kicks, 1, 1e-15) << scheme.name;
    EXPECT_NEAR(drifts, 1, 1e-15) << scheme.name;
    EXPECT_EQ(scheme.step.front().kind, sim::StageKind::kick);
    EXPECT_EQ(scheme.step.front().fraction, scheme.step.back().fraction);
  }
  EXPECT_EQ(sim::scheme_named("leapfrog")->forces(), 1);
  EXPECT_EQ(sim::scheme_named("yoshida4")->forces(), 3);
  EXPECT_EQ(sim::scheme_named("yoshida6")->forces(), 7);
  EXPECT_EQ(sim::scheme_named("euler"), nullptr);
}

/// Advances a state by steps of a scheme, stage by stage.
void take_steps(engine::Backend backend, sim::State<engine::Host>& state, const sim::Scheme& scheme,
                double dt, int steps) {
  const sim::Gravity parameters{.softening = 0.1};
  if (backend == engine::Backend::cuda) return device_steps(state, parameters, scheme, dt, steps);
  const engine::Cpu cpu{2, engine::best_simd_level()};
  sim::DirectGravity gravity(parameters, 1.0, state.count(), state.precision());
  sim::StepReport report;
  const auto force = [&] {
    clear_accelerations(cpu, state);
    gravity.run(cpu, state, report);
  };
  force();
  for (int i = 0; i < steps; ++i)
    for (const sim::Stage& stage : scheme.step) {
      if (stage.kind == sim::StageKind::kick) kick(cpu, state, stage.fraction * dt);
      if (stage.kind == sim::StageKind::drift) drift(cpu, state, stage.fraction * dt);
      if (stage.kind == sim::StageKind::force) force();
    }
}

class SchemesOn : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(SchemesOn);

// Time reversal: steps with -dt return to the start up to round-off, in double 2 x 100 steps of u,
// amplified by the chaos of a softened cloud over less than one crossing time.
TEST_P(SchemesOn, ForwardAndBackwardReturns) {
  MOTE_SKIP_IF_SANITIZED("long; Integrators.* and SteppingKinds.* take such steps");
  const Index bodies = gpu_is_emulated() ? 60 : 200;
  for (const sim::Scheme& scheme : sim::schemes()) {
    auto state = random_state(bodies, Precision::double_);
    const auto start = random_state(bodies, Precision::double_);
    for (double dt : {0.005, -0.005}) take_steps(GetParam(), state, scheme, dt, 100);
    double worst = 0, moved = 0;
    state.visit([&](auto now) {
      start.visit([&](auto then) {
        for (Index i = 0; i < now.count; ++i) {
          worst = std::max({worst, std::fabs(double(now.x[i] - then.x[i])),
                            std::fabs(double(now.vz[i] - then.vz[i]))});
          moved = std::max(moved, std::fabs(0.5 * double(then.vx[i])));
        }
      });
    });
    EXPECT_GT(moved, 0.4);
    EXPECT_LT(worst, 1e-12) << scheme.name;
  }
}

}  // namespace
}  // namespace mote::test
