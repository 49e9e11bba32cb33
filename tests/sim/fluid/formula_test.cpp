// Formulas of a fluid: the kernel, the equation of state, forces of pairs.
#include "sim/fluid/fluid_formula.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/fluid/fluid.h"

namespace mote::test {
namespace {

using engine::Vec3d;
using sim::KernelPoint;
using sim::SmoothingKernel;

constexpr double fluid_pi = 3.14159265358979323846;

double kernel_at(const SmoothingKernel<double>& k, double r) {
  return sim::kernel_value(k, sim::kernel_point(k, Vec3d{r, 0, 0}));
}

TEST(FluidKernel, IsNormalised) {
  // Midpoint rule over a kernel with three continuous derivatives at its edge: the error is of
  // second order in the step, (h / 1000)^2 / 24 times the slope at the ends, less than 1e-6.
  const double h = 0.37;
  const int steps = 2000;
  for (int dimensions : {2, 3}) {
    const auto k = sim::smoothing_kernel<double>(h, dimensions);
    double sum = 0;
    for (int n = 0; n < steps; ++n) {
      const double dr = 2 * h / steps, r = (n + 0.5) * dr;
      sum += kernel_at(k, r) * dr * (dimensions == 2 ? 2 * fluid_pi * r : 4 * fluid_pi * r * r);
    }
    EXPECT_NEAR(sum, 1, 1e-6) << dimensions;
    EXPECT_EQ(kernel_at(k, 2 * h), 0);
    EXPECT_EQ(kernel_at(k, 3 * h), 0);
    EXPECT_TRUE(std::isfinite(sim::kernel_gradient(k, sim::kernel_point(k, Vec3d{0, 0, 0}))));
  }
}

TEST(FluidKernel, HasTheGradientThatItsValuesShow) {
  // Central differences with step e: an error of e^2/6 W''' ~ 1e-10 / h^(d+1) and round-off of
  // 1e-16 / e = 1e-11.
  const double h = 1, e = 1e-5;
  for (int dimensions : {2, 3}) {
    const auto k = sim::smoothing_kernel<double>(h, dimensions);
    for (double r = 0.1; r < 2; r += 0.13) {
      const double slope = (kernel_at(k, r + e) - kernel_at(k, r - e)) / (2 * e);
      const Vec3d d{0.6 * r, 0, 0.8 * r};
      EXPECT_NEAR(sim::kernel_gradient(k, sim::kernel_point(k, d)) * r, slope, 1e-9) << r;
    }
  }
}

TEST(FluidState, HasAnInverse) {
  sim::Fluid fluid{.spacing = 1, .largest_speed = 2, .density = 1000};
  fluid.background_pressure = 3e4;
  for (int gamma : {1, 4, 7}) {
    fluid.gamma = gamma;
    const auto tait = sim::equation_of_state(fluid);
    for (double rho : {950.0, 999.9, 1000.0, 1000.1, 1050.0}) {
      const double p = 1000 * 400.0 / gamma * (std::pow(rho / 1000, gamma) - 1) + 3e4;
      EXPECT_NEAR(tait.pressure(rho), p,
                  1e-10 * 4e5);  // pow and the difference from one lose a few bits of B.
      EXPECT_NEAR(tait.density_at(tait.pressure(rho)), rho, 1e-12 * 1000);
    }
  }
}

TEST(FluidState, KeepsTheDigitsOfASmallCompressionInSinglePrecision) {
  // rho - rho0 is exact there, and each of the 7 products and sums adds no more than 2^-24 of the
  // result: 1e-6.
  const sim::TaitFormula<float> tait{1, 1, 100.0f / 7, 0, 7};
  const float rho = 1.0f + 0x1p-20f;
  EXPECT_NEAR(tait.pressure(rho) / (100.0 / 7 * std::expm1(7 * std::log1p(0x1p-20))), 1, 1e-6);
}

TEST(FluidState, StoresTheWorkOfCompression) {
  // du/drho = p / rho^2, by central differences: e^2/6 u''' and round-off, both below 1e-9 of c^2.
  for (int gamma : {1, 2, 7}) {
    const sim::TaitFormula<double> tait{2, 0.5, 50, 3, gamma};
    EXPECT_EQ(tait.energy(2), 0);
    for (double rho : {1.9, 2.0, 2.2}) {
      const double e = 1e-5, slope = (tait.energy(rho + e) - tait.energy(rho - e)) / (2 * e);
      EXPECT_NEAR(slope, tait.pressure(rho) / (rho * rho), 1e-8) << gamma << " " << rho;
    }
  }
}

TEST(FluidShifting, IsLimitedAndStopsAtASurface) {
  const Vec3d minus_grad_c{3, 4, 0};
  EXPECT_EQ(length(sim::shift_velocity(minus_grad_c, 0.85, 1.0, 2.0)), 0);
  EXPECT_NEAR(length(sim::shift_velocity(minus_grad_c, 1.0, 1.0, 2.0)), 1.0, 1e-14);
  EXPECT_NEAR(length(sim::shift_velocity(minus_grad_c, 1.1, 0.01, 2.0)), 0.1, 1e-14);
}

TEST(FluidStep, IsThatOfTheStrictestLimit) {
  EXPECT_DOUBLE_EQ(sim::largest_fluid_step({0.1, 9, 1, 0, 0}), 0.0025);
  EXPECT_DOUBLE_EQ(sim::largest_fluid_step({0.1, 9, 1, 1e5, 0}), 0.25 * std::sqrt(1e-6));
  EXPECT_DOUBLE_EQ(sim::largest_fluid_step({0.1, 9, 1, 0, 10}), 0.125 * 0.01 / 10);
  EXPECT_DOUBLE_EQ(sim::largest_fluid_step({0.1, 9, 1, 0, 0, 10}),
                   0.25 * std::sqrt(1e-3 / (20 * 3.14159265358979323846)));
}

}  // namespace
}  // namespace mote::test
