// Two-way coupling of grains and fluid, compared with known solutions.
#include "sim/mixture/mixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

#include "tests/sim/mixture/suspension.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

using engine::Vec3d;
using sim::FluidKind;

constexpr double pi = 3.14159265358979;

/// A periodic cube of n^3 fluid particles with a spacing of 1.
template <class Real>
Suspension<Real> cube_of_water(engine::Backend backend, int n, double viscosity) {
  Suspension<Real> s;
  s.backend = backend;
  s.fluid.spacing = 1, s.fluid.largest_speed = 1, s.fluid.viscosity = viscosity;
  const auto length = static_cast<double>(n);
  s.domain = {{0, 0, 0}, {length, length, length}, {true, true, true}};
  s.fill(n, n, n, FluidKind::fluid, {0, 0, 0}, 0.1);
  return s;
}

template <class Real>
void stir_grains(Suspension<Real>& s, int count, int n) {
  engine::Random random(7, 2, 0);
  const auto within = [&](double low, double high) { return random.uniform(low, high); };
  for (std::size_t i = 0; i < s.size(); ++i)
    s.vx[i] = static_cast<Real>(within(-1, 1)),
    s.density[i] = static_cast<Real>(within(0.98, 1.02));
  for (int k = 0; k < count; ++k)
    s.add_grain({within(0, n), within(0, n), within(0, n)}, within(0.1, 0.4), 2.5,
                {within(-1, 1), within(-1, 1), within(-1, 1)});
}

TEST(Drag, FollowsDallavalleAndDiFelice) {
  const double d = 0.01, rho = 1000, nu = 1e-6;
  // 4.8^2 / 24 of Stokes' 3 pi rho nu d at low Re; C = 0.63^2 at high Re.
  EXPECT_NEAR(sim::drag_rate(rho, nu, d, 1.0, 0.0) / (3 * pi * rho * nu * d), 0.96, 1e-12);
  const double fast = 1e6;
  EXPECT_NEAR(sim::drag_rate(rho, nu, d, 1.0, fast) / (pi / 8 * rho * d * d * fast), 0.63 * 0.63,
              1e-4);
  // Re = 100: C = (0.63 + 0.48)^2 = 1.2321; a sphere's is 1.09 (Clift, Grace & Weber 1978).
  EXPECT_NEAR(sim::drag_rate(rho, nu, d, 1.0, 0.01) / (pi / 8 * rho * d * d * 0.01), 1.2321, 1e-4);
  EXPECT_NEAR(sim::drag_exponent(std::pow(10, 1.5)), 3.05, 1e-12);
  EXPECT_NEAR(sim::drag_exponent(1e-9), 3.7, 1e-9);
  // In a suspension, at the same superficial velocity, by a factor eps^-3.7; over the slip, by one
  // more factor eps.
  EXPECT_NEAR(sim::drag_rate(rho, nu, d, 0.5, 0.0) / sim::drag_rate(rho, nu, d, 1.0, 0.0),
              std::pow(0.5, 1 - 3.7), 1e-9);
}

class Mixture : public OnEveryBackend {};
class SettledMixture : public LongOnEveryBackend {};

TEST_P(Mixture, PorositiesSumToTheVolumeOfGrains) {
  Suspension<double> s = cube_of_water<double>(GetParam(), 8, 0.1);
  stir_grains(s, 120, 8);
  std::fill(s.density.begin(), s.density.end(), 1.0);
  s.evaluate(0);
  double grains = 0, taken = 0, least = 1;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (s.is_grain(i)) grains += s.mass[i] / 2.5;
    if (s.is_fluid(i))
      taken += s.mass[i] * (1 - s.porosity[i]), least = std::min(least, s.porosity[i]);
    if (!s.is_fluid(i)) {
      EXPECT_EQ(s.porosity[i], 1);
    }
  }
  // Sums of W over positions a tenth of a spacing off a lattice are 1 to a few percent.
  EXPECT_NEAR(taken, grains, 0.02 * grains);
  EXPECT_LT(least, 0.98);
}

template <class Real>
void expect_momentum(engine::Backend backend, double tolerance) {
  Suspension<Real> s = cube_of_water<Real>(backend, 8, 0.1);
  stir_grains(s, 120, 8);
  s.evaluate(0);
  Vec3d sum{0, 0, 0};
  double size = 0, of_grains = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    const Vec3d f = double(s.mass[i]) * Vec3d{double(s.ax[i]), double(s.ay[i]), double(s.az[i])};
    sum += f;
    size += length(f);
    if (s.is_grain(i)) of_grains += length(f);
  }
  EXPECT_GT(of_grains, 0.01 * size);
  EXPECT_LT(length(sum), tolerance * size);
}

TEST_P(Mixture, ForcesOnGrainsAndFluidSumToZero) {
  expect_momentum<double>(GetParam(), 1e-14);
  expect_momentum<float>(GetParam(), 1e-6);
}

TEST_P(Mixture, AGrainAtRestInStillWaterIsBuoyant) {
  // Water 12 spacings deep over a floor, periodic to the sides, compressed by its weight: rho g H /
  // c^2 = 5e-5.
  Suspension<double> s;
  s.backend = GetParam();
  s.fluid.spacing = 1, s.fluid.largest_speed = 50, s.fluid.viscosity = 0.1;
  s.domain = {{0, 0, 0}, {8, 8, 0}, {true, true, false}};
  s.gravity = {0, 0, -1};
  s.fill(8, 8, 12, FluidKind::fluid, {0, 0, 0});
  s.fill(8, 8, 4, FluidKind::wall, {0, 0, -4});
  for (const double z : {0.3, 4.1, 6.5, 12.0}) s.add_grain({4.2, 3.9, z}, 0.2, 2.5);
  s.displace_fluid();
  const sim::TaitFormula<double> tait = sim::equation_of_state(s.fluid);
  for (std::size_t i = 0; i < s.size(); ++i)
    if (s.is_fluid(i)) s.density[i] *= tait.density_at(12 - s.z[i]);
  s.evaluate(0);
  const std::size_t first = s.size() - 4;
  const double buoyancy = 1 / 2.5;  // over weight
  // The kernel sum of the gradient on a lattice is accurate to 6e-4, and the porosity varies; at
  // the floor the fluid is on one side only.
  EXPECT_NEAR(s.az[first + 1], -1 + buoyancy, 2e-3 * buoyancy);
  EXPECT_NEAR(s.az[first + 2], -1 + buoyancy, 2e-3 * buoyancy);
  EXPECT_NEAR(s.az[first], -1 + buoyancy, 0.01 * buoyancy);
  EXPECT_NEAR(s.az[first + 3], -1 + 0.5 * buoyancy, 0.1 * buoyancy);  // half immersed
  EXPECT_NEAR(s.ax[first + 1], 0, 0.01 * buoyancy);
}

TEST_P(Mixture, AGrainAboveTheWaterFeelsNoForceFromIt) {
  Suspension<double> s = cube_of_water<double>(GetParam(), 8, 0.1);
  s.domain = {};
  s.add_grain({4, 4, 11.2}, 0.3, 2.5);
  s.add_grain({4, 4, 4}, 0.3, 2.5, {1, 0, 0});
  s.evaluate(0);
  const std::size_t out = s.size() - 2;
  EXPECT_EQ(s.ax[out], 0);
  EXPECT_EQ(s.az[out], 0);
  EXPECT_LT(s.ax[out + 1], 0);
}

/// Terminal slip of grains under this force each; the opposite total force acts on the fluid.
double slip_under(Suspension<double>& s, double force, double time) {
  double one = 0, grains = 0;
  for (std::size_t i = 0; i < s.size(); ++i)
    if (s.is_grain(i)) one = s.mass[i], ++grains;
  s.grain_acceleration = {0, 0, -force / one};
  s.fluid_acceleration = {0, 0, force * grains / s.mass_of(false)};
  s.evaluate(0);
  const double dt = 0.5 * s.largest_step;
  for (double t = 0; t < time; t += dt) s.step(dt);
  return s.mean_vz(false) - s.mean_vz(true);
}

TEST_P(Mixture, OneGrainFallsByTheDragLaw) {
  for (const double wanted : {0.02, 0.5}) {
    Suspension<double> s = cube_of_water<double>(GetParam(), 8, 0.05);
    const double r = 0.1;
    s.add_grain({4, 4, 4}, r, 2.5);
    s.displace_fluid();
    const double force = sim::drag_rate(1.0, 0.05, 2 * r, 1.0, wanted) * wanted;
    const double response = s.mass.back() * wanted / force;
    // The fluid dragged along by a grain moves at about d / (4 h) of its slip: 3 %.
    EXPECT_NEAR(slip_under(s, force, 6 * response) / wanted, 1, 0.04) << wanted;
  }
}

TEST_P(SettledMixture, SuspensionsSettleByRichardsonAndZaki) {
  // Slow grains with a solid fraction of 0.3: a suspension settles, against the upward flow that it
  // drives, at eps^4.65 of the speed of one grain. Of the buoyant weight W of a grain, the pressure
  // gradient bears (1 - eps) W, and drag eps W.
  const int n = 8, across = 12;
  const double r = 0.5 * 0.55,
               porosity = 1 - std::pow(across / double(n), 3) * 4 * pi / 3 * r * r * r;
  Suspension<double> s = cube_of_water<double>(GetParam(), n, 0.5);
  for (int k = 0; k < across * across * across; ++k)
    s.add_grain(n / double(across) *
                    Vec3d{k % across + 0.5, k / across % across + 0.5, k / across / across + 0.5},
                r, 2.5);
  s.displace_fluid();
  const double alone = 0.05, weight = sim::drag_rate(1.0, 0.5, 2 * r, 1.0, alone) * alone;
  const double slip = slip_under(s, porosity * weight, 1);
  EXPECT_NEAR(porosity * slip / alone, std::pow(porosity, 4.65), 0.05 * std::pow(porosity, 4.65));
}

TEST_P(Mixture, TheLargestStepIsThatOfDrag) {
  // Light grains in a viscous fluid: beyond the reported step the slip grows, below it decays.
  const auto slip_after = [](double fraction) {
    Suspension<double> s = cube_of_water<double>(GetParam(), 6, 5.0);
    s.fluid.viscosity = 5;
    s.add_grain({3, 3, 3}, 0.05, 0.01, {0, 0, 1});
    s.evaluate(0);
    const double dt = fraction * s.drag_step;
    EXPECT_LT(s.drag_step, 1e-3);
    for (int k = 0; k < 12; ++k) s.step(dt);
    return std::abs(s.mean_vz(true) - s.mean_vz(false));
  };
  EXPECT_LT(slip_after(1), 1e-3);
  EXPECT_GT(slip_after(2.4), 1);
}

TEST(MixtureOnTheCpu, HasTheSameBitsForAnyNumberOfThreads) {
  Suspension<float> one = cube_of_water<float>(engine::Backend::cpu, 8, 0.1),
                    two = cube_of_water<float>(engine::Backend::cpu, 8, 0.1);
  stir_grains(one, 120, 8), stir_grains(two, 120, 8);
  two.threads = 3;
  one.evaluate(0), two.evaluate(0);
  EXPECT_EQ(one.ax, two.ax);
  EXPECT_EQ(one.az, two.az);
  EXPECT_EQ(one.rate, two.rate);
  EXPECT_EQ(one.largest_step, two.largest_step);
}

MOTE_ON_EVERY_BACKEND(Mixture);
MOTE_ON_EVERY_BACKEND(SettledMixture);

/// Largest differences between the backends, relative to the largest magnitude of each quantity.
struct MixtureDifference {
  double a = 0, grain_a = 0, rate = 0, u = 0, porosity = 0, step = 0, drag_step = 0;
};
template <class Real>
MixtureDifference difference_of(Suspension<Real> here, Suspension<Real> there, int lanes,
                                double ahead) {
  here.evaluate(0), there.evaluate(0);  // on the CPU, for the rates that extrapolate the pressure
  there.backend = engine::Backend::cuda, there.lanes = lanes;
  here.evaluate(ahead), there.evaluate(ahead);
  const auto largest = [&](std::initializer_list<std::vector<Real> Suspension<Real>::*> columns,
                           bool grains) {
    double size = 0, error = 0;
    for (const auto column : columns)
      for (std::size_t i = 0; i < here.size(); ++i) {
        if (grains && !here.is_grain(i)) continue;
        size = std::max(size, std::abs(double((here.*column)[i])));
        error = std::max(error, std::abs(double((here.*column)[i]) - double((there.*column)[i])));
      }
    return size > 0 ? error / size : error;
  };
  using S = Suspension<Real>;
  return {largest({&S::ax, &S::ay, &S::az}, false),
          largest({&S::ax, &S::ay, &S::az}, true),
          largest({&S::rate}, false),
          largest({&S::ux, &S::uy, &S::uz}, false),
          largest({&S::porosity}, false),
          std::abs(there.largest_step / here.largest_step - 1),
          std::abs(there.drag_step / here.drag_step - 1)};
}

class MixtureOnBoth : public testing::Test {
 protected:
  void SetUp() override {
    if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  }
  /// Grains among water and walls, some of them outside the domain, which is open along z.
  template <class Real>
  static Suspension<Real> mixed_box(double tension) {
    Suspension<Real> s = cube_of_water<Real>(engine::Backend::cpu, 8, 0.1);
    s.fluid.artificial_viscosity = 0.1, s.fluid.xsph = 0.3, s.fluid.surface_tension = tension;
    s.gravity = {0, 0, -1};
    s.domain = {{0, 0, 0}, {8, 8, 0}, {true, true, false}};
    stir_grains(s, 60, 8);
    for (std::size_t i = 0; i < 512; i += 9) s.kind[i] = 1;
    s.fill(2, 2, 2, FluidKind::fluid, {3, 3, 8.5}, 0.1);  // higher indices than the grains
    stir_grains(s, 60, 8);
    s.x[520] -= 8, s.y[530] += 16;
    return s;
  }
};

TEST_F(MixtureOnBoth, HaveTheSameForces) {
  // Sums of some hundred terms in another order; the fluid's own terms are up to 1000 times the
  // sum, as without grains.
  for (const int lanes : {1, 8})
    for (const double tension : {0.0, 0.5}) {
      const MixtureDifference close =
          difference_of(mixed_box<double>(tension), mixed_box<double>(tension), lanes, 1e-3);
      for (const double error : {close.a, close.grain_a, close.rate, close.u, close.porosity,
                                 close.step, close.drag_step})
        EXPECT_LT(error, 1e-12) << lanes << tension;
      const MixtureDifference single =
          difference_of(mixed_box<float>(tension), mixed_box<float>(tension), lanes, 1e-3);
      for (const double error : {single.a, single.grain_a, single.rate, single.u, single.porosity,
                                 single.step, single.drag_step})
        EXPECT_LT(error, 2e-5) << lanes << tension;
    }
}

TEST_F(MixtureOnBoth, HandleGrainsWithoutFluidAndFluidWithoutGrains) {
  Suspension<double> dry;
  dry.backend = engine::Backend::cuda;
  dry.fluid.spacing = 1, dry.fluid.largest_speed = 1;
  dry.add_grain({0, 0, 0}, 0.3, 2.5, {1, 0, 0});
  dry.evaluate(0);
  EXPECT_EQ(dry.ax[0], 0);
  EXPECT_EQ(dry.drag_step, std::numeric_limits<double>::infinity());
  const auto wet = [] { return cube_of_water<double>(engine::Backend::cpu, 6, 0.1); };
  const MixtureDifference close = difference_of(wet(), wet(), 8, 1e-3);
  EXPECT_LT(close.a, 1e-12);
  EXPECT_LT(close.step, 1e-12);
}

}  // namespace
}  // namespace mote::test
