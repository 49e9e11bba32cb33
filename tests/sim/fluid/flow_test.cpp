// Flows with known solutions: still water, Poiseuille, Taylor-Green, sound.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/math/random.h"
#include "tests/support/fluid_flow.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

class Flows : public LongOnEveryBackend {
 protected:
  void SetUp() override {
    MOTE_SKIP_IF_SANITIZED("long; BriefFlows.* take such steps");
    LongOnEveryBackend::SetUp();
  }
};
MOTE_ON_EVERY_BACKEND(Flows);
class BriefFlows : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(BriefFlows);

constexpr double flow_pi = 3.14159265358979323846;

/// A lattice position, displaced by at most a tenth of the spacing: a perfect lattice has modes
/// that only round-off excites.
double near_lattice(int i, double dx, engine::Random& random) {
  return (i + 0.5 + random.uniform(-0.1, 0.1)) * dx;
}

/// Four layers of wall particles along x, below or above `y` (`side` -1 or 1), moving with `speed`.
void add_wall(FluidFlow& box, int width, double y, int side, double speed = 0) {
  const double dx = box.fluid.spacing;
  for (int i = 0; i < width; ++i)
    for (int j = 0; j < 4; ++j)
      box.add({(i + 0.5) * dx, y + side * (j + 0.5) * dx, 0}, {speed, 0, 0}, sim::FluidKind::wall);
}

struct StillWater {
  double error = 0, speed = 0, rise = 0;
};

/// A column of depth 1 under g = 1, `n` particles deep, at rest for a time 4.
StillWater still_water(int n, engine::Backend backend) {
  FluidFlow box(backend);
  const double dx = 1.0 / n;
  box.fluid = {.spacing = dx,
               .largest_speed = std::sqrt(2.0),
               .dimensions = 2,
               .artificial_viscosity = 0.05};
  const int width = 12;
  box.domain.periodic[0] = true;
  box.domain.length.x = width * dx;
  box.gravity = {0, -1, 0};
  const auto tait = sim::equation_of_state(box.fluid);
  double before = 0;
  for (int i = 0; i < width; ++i)
    for (int j = 0; j < n; ++j) {
      const double y = (j + 0.5) * dx;
      box.add({(i + 0.5) * dx, y, 0});
      box.density.back() = tait.density_at(1 - y);
      before += y;
    }
  add_wall(box, width, 0, -1);
  box.run_until(4);
  StillWater found;
  double after = 0, fluid = 0;
  for (std::size_t i = 0; i < box.size(); ++i)
    if (box.is_fluid(i)) {
      const double error = tait.pressure(box.density[i]) - (1 - box.y[i]);
      found.error += error * error;
      found.speed = std::max(found.speed, std::hypot(box.vx[i], box.vy[i]));
      after += box.y[i];
      ++fluid;
    }
  found.error = std::sqrt(found.error / fluid);
  found.rise = (after - before) / fluid;
  return found;
}

TEST_P(Flows, AtRestHasThePressureOfItsDepth) {
  // The position of the surface is uncertain by half a spacing, a pressure error of 1 / (2 n). It
  // falls as 1 / n, and so does the swelling by shifting.
  const StillWater coarse = still_water(10, GetParam()), middle = still_water(20, GetParam()),
                   fine = still_water(40, GetParam());
  RecordProperty("coarse", std::to_string(coarse.error));
  RecordProperty("middle", std::to_string(middle.error));
  RecordProperty("fine", std::to_string(fine.error));
  EXPECT_LT(coarse.error, 0.5 / 10);
  EXPECT_LT(middle.error, 0.5 / 20);
  EXPECT_LT(fine.error, 0.5 / 40);
  EXPECT_LT(fine.error, 0.7 * coarse.error);
  for (const StillWater& w : {coarse, middle, fine}) {
    EXPECT_LT(w.speed, 0.01);  // compared with 1.4 of a fall from the surface
    EXPECT_LT(std::abs(w.rise), 0.01);
  }
}

/// u(y, t) between plates at 0 and 1 (Morris, Fox & Zhu 1997, eq. 31), for g = 8 nu, which gives a
/// final speed of 1 in the middle.
double poiseuille(double y, double nu_t) {
  double u = 4 * y * (1 - y);
  for (int n = 0; n < 40; ++n) {
    const double k = flow_pi * (2 * n + 1);
    u -= 32 / (k * k * k) * std::sin(k * y) * std::exp(-k * k * nu_t);
  }
  return u;
}

TEST_P(Flows, BetweenPlatesFlowsAsPoiseuilleSaid) {
  // Second order in the bulk, first order at walls: 1 / n is 4 % with 24 particles across; the mean
  // error is less than half of that.
  FluidFlow box(GetParam());
  const int n = 24, width = 12;
  const double dx = 1.0 / n, nu = 0.5;
  box.fluid = {.spacing = dx, .largest_speed = 1, .dimensions = 2, .viscosity = nu};
  box.domain.periodic[0] = true;
  box.domain.length.x = width * dx;
  box.gravity = {8 * nu, 0, 0};
  for (int i = 0; i < width; ++i)
    for (int j = 0; j < n; ++j) box.add({(i + 0.5) * dx, (j + 0.5) * dx, 0});
  add_wall(box, width, 0, -1);
  add_wall(box, width, 1, 1);
  for (double nu_t : {0.02, 0.1, 0.6}) {
    box.run_until(nu_t / nu);
    double square = 0, most = 0, fluid = 0;
    for (std::size_t i = 0; i < box.size(); ++i)
      if (box.is_fluid(i)) {
        const double error = box.vx[i] - poiseuille(box.y[i], nu_t);
        square += error * error;
        most = std::max(most, std::abs(error));
        ++fluid;
      }
    RecordProperty("rms_" + std::to_string(nu_t).substr(0, 4),
                   std::to_string(std::sqrt(square / fluid)));
    EXPECT_LT(std::sqrt(square / fluid), 0.01) << nu_t;
    EXPECT_LT(most, 0.03) << nu_t;
  }
}

TEST_P(BriefFlows, BetweenPlatesWithoutFrictionFallFree) {
  FluidFlow box(GetParam());
  const int n = 10, width = 10;
  const double dx = 1.0 / n;
  box.fluid = {
      .spacing = dx, .largest_speed = 1, .dimensions = 2, .viscosity = 0.5, .walls = "free_slip"};
  box.domain.periodic[0] = true;
  box.domain.length.x = width * dx;
  box.gravity = {1, 0, 0};
  for (int i = 0; i < width; ++i)
    for (int j = 0; j < n; ++j) box.add({(i + 0.5) * dx, (j + 0.5) * dx, 0});
  add_wall(box, width, 0, -1);
  add_wall(box, width, 1, 1);
  box.run_until(0.2);
  // All particles have the same acceleration. They slide over a lattice of wall particles, whose
  // sums differ from an integral by less than 1e-6 here, for a kernel with three continuous
  // derivatives.
  double error = 0;
  for (std::size_t i = 0; i < box.size(); ++i)
    if (box.is_fluid(i)) error = std::max(error, std::abs(box.vx[i] - 0.2));
  EXPECT_LT(error, 1e-6);
}

TEST_P(Flows, OfTaylorAndGreenLosesTheEnergyThatViscosityTakes) {
  const int n = 64;
  const double nu = 0.01 /* Reynolds number 100 */, k = 2 * flow_pi;
  FluidFlow box(GetParam());
  box.fluid = {.spacing = 1.0 / n, .largest_speed = 1, .dimensions = 2, .viscosity = nu};
  box.domain.length = {1, 1, 0};
  box.domain.periodic[0] = box.domain.periodic[1] = true;
  const auto tait = sim::equation_of_state(box.fluid);
  engine::Random random(1, 0, 0);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const double x = near_lattice(i, 1.0 / n, random), y = near_lattice(j, 1.0 / n, random);
      box.add({x, y, 0},
              {-std::cos(k * x) * std::sin(k * y), std::sin(k * x) * std::cos(k * y), 0});
      box.density.back() = tait.density_at(-0.25 * (std::cos(2 * k * x) + std::cos(2 * k * y)));
    }
  const double energy = box.kinetic_energy();
  double worst = 0;
  for (double t : {0.1, 0.2, 0.3, 0.4, 0.5}) {
    box.run_until(t);
    const double exact = std::exp(-16 * flow_pi * flow_pi * nu * t);
    worst = std::max(worst, std::abs(box.kinetic_energy() / energy / exact - 1));
  }
  RecordProperty("worst", std::to_string(worst));
  // h / L is 1/32: smoothing has an error of about (k h)^2 / 12, 0.3 %; the rest is particle
  // disorder.
  EXPECT_LT(worst, 0.02);
}

TEST_P(Flows, CarriesSoundWithoutLossOrGain) {
  // A standing wave of 16 particles over 10 periods, without diffusion, omega dt = 0.05. With
  // extrapolated densities the energy of sound grows by (omega dt)^4 a step, 0.8 % in 1300 steps;
  // without, by (omega dt)^2, twentyfold in the end.
  const int n = 16;
  FluidFlow box(GetParam());
  box.fluid = {
      .spacing = 1.0 / n, .largest_speed = 1, .dimensions = 2, .diffusion = 0, .shifting = 0};
  box.domain.length = {1, 1, 0};
  box.domain.periodic[0] = box.domain.periodic[1] = true;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const double x = (i + 0.5) / n;
      box.add({x, (j + 0.5) / n, 0}, {1e-3 * std::sin(2 * flow_pi * x), 0, 0});
    }
  box.evaluate(0);
  const double energy = box.kinetic_energy() + box.internal_energy();
  box.run_until(1.0, 0.25);
  EXPECT_NEAR((box.kinetic_energy() + box.internal_energy()) / energy, 1, 0.02);
}

}  // namespace
}  // namespace mote::test
