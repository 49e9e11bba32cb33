// Fluid pair terms: conservation laws, threads and instruction sets.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/fluid_box.h"

namespace mote::test {
namespace {

using engine::Index;
using engine::Vec3d;

template <class Real>
void expect_momentum_kept(int dimensions, int n) {
  FluidBox<Real> box = stirred_box<Real>(dimensions, n, all_fluid_terms);
  box.evaluate(0);
  Vec3d sum{0, 0, 0};
  double size = 0;
  for (std::size_t i = 0; i < box.size(); ++i) {
    const Vec3d force = double(box.mass[i]) * Vec3d{box.ax[i], box.ay[i], box.az[i]};
    sum += force;
    size += length(force);
  }
  ASSERT_GT(size, 0);
  // Terms of a pair are bitwise opposite. What remains is the round-off of sums over about 100
  // neighbours with terms up to 100 times the sum: 100 ULP of each force, random over particles.
  const double unit = sizeof(Real) == 4 ? 0x1p-24 : 0x1p-53;
  EXPECT_LT(length(sum), 100 * unit * size / std::sqrt(static_cast<double>(box.size())))
      << dimensions;
}

TEST(FluidPairs, KeepMomentumToRounding) {
  for (int dimensions : {2, 3}) {
    expect_momentum_kept<double>(dimensions, 16);
    expect_momentum_kept<float>(dimensions, 16);
  }
}

TEST(FluidPairs, KeepEnergyWithoutViscosityAndDiffusion) {
  // The work of pressure equals the stored energy: sum m (v.a + p / rho^2 drho/dt) vanishes to
  // round-off, 1e-13 of the sum of absolute terms.
  sim::Fluid fluid;
  fluid.diffusion = 0;
  fluid.smoothing = 1.5;
  fluid.background_pressure = 2;
  FluidBox<double> box = stirred_box<double>(3, 12, fluid);
  box.evaluate(0);
  double sum = 0, size = 0;
  for (std::size_t i = 0; i < box.size(); ++i) {
    const double work =
        box.mass[i] * (box.vx[i] * box.ax[i] + box.vy[i] * box.ay[i] + box.vz[i] * box.az[i]);
    const double stored =
        box.mass[i] * box.pressure[i] / (box.density[i] * box.density[i]) * box.rate[i];
    sum += work + stored;
    size += std::abs(work) + std::abs(stored);
  }
  EXPECT_LT(std::abs(sum), 1e-13 * size);
}

TEST(FluidPairs, GiveTheSameBitsOnAnyNumberOfThreads) {
  for (int dimensions : {2, 3}) {
    FluidBox<float> one = box_with_walls<float>(dimensions, 12, 1),
                    two = box_with_walls<float>(dimensions, 12, 2),
                    five = box_with_walls<float>(dimensions, 12, 5);
    for (int step = 0; step < 3; ++step)
      for (FluidBox<float>* box : {&one, &two, &five}) box->step(1e-4);
    for (FluidBox<float>* box : {&two, &five}) {
      EXPECT_EQ(one.x, box->x);
      EXPECT_EQ(one.vz, box->vz);
      EXPECT_EQ(one.density, box->density);
      EXPECT_EQ(one.ux, box->ux);
      EXPECT_EQ(one.report.interactions, box->report.interactions);
      EXPECT_EQ(one.report.largest_step, box->report.largest_step);
    }
  }
}

TEST(FluidPairs, AreTheSameForEveryInstructionSet) {
  FluidBox<double> reference = box_with_walls<double>(3, 10, 1);
  reference.exec.simd = engine::SimdLevel::scalar;
  reference.evaluate(0);
  for (engine::SimdLevel level : engine::supported_simd_levels()) {
    FluidBox<double> box = box_with_walls<double>(3, 10, 1);
    box.exec.simd = level;
    box.evaluate(0);
    EXPECT_EQ(box.report.interactions, reference.report.interactions) << engine::name_of(level);
    double size = 0, error = 0;
    for (std::size_t i = 0; i < box.size(); ++i) {
      size = std::max(size, std::abs(reference.ax[i]));
      error = std::max({error, std::abs(box.ax[i] - reference.ax[i]),
                        std::abs(box.az[i] - reference.az[i]),
                        std::abs(box.rate[i] - reference.rate[i])});
    }
    EXPECT_LT(error, 1e-12 * size) << engine::name_of(level);  // sums of about 100 terms in another
                                                               // order
  }
}

TEST(FluidPairs, AreThoseOfTheDefinition) {
  // Brute-force sum over all particles, nearest images.
  FluidBox<double> box = stirred_box<double>(2, 16, all_fluid_terms);
  box.evaluate(0);
  const double h = sim::smoothing_length(box.fluid), c = sim::sound_speed(box.fluid);
  const auto tait = sim::equation_of_state(box.fluid);
  const sim::FluidConstants<double> constants{sim::smoothing_kernel<double>(h, 2), 2 * 0.01,
                                              0.1 * c / h};
  const auto point = [&](std::size_t i) {
    return sim::FluidPoint<double>{{box.vx[i], box.vy[i], 0},
                                   box.mass[i] / box.density[i],
                                   tait.pressure(box.density[i]),
                                   box.density[i]};
  };
  std::uint64_t interactions = 0;
  for (std::size_t i = 0; i < box.size(); ++i) {
    sim::FluidSums<double> sums{};
    for (std::size_t j = 0; j < box.size(); ++j) {
      const auto nearest = [](double d) { return d - std::round(d); };
      const Vec3d d{nearest(box.x[j] - box.x[i]), nearest(box.y[j] - box.y[i]), 0};
      const auto at = sim::kernel_point(constants.kernel, d);
      const Vec3d w{box.vx[j] - box.vx[i], box.vy[j] - box.vy[i], 0};
      sim::add_pair<sim::FluidTerms{true, true, true}>(constants, d, at, point(i), point(j), w, w,
                                                       sums);
      interactions += i != j && at.fall > 0 ? 1 : 0;
    }
    const double volume = point(i).volume;
    // Sums of 30 terms in another order, up to 1000 times larger than the sum.
    EXPECT_NEAR(box.ax[i], sums.force.x / box.mass[i], 1e-9);
    EXPECT_NEAR(box.ay[i], sums.force.y / box.mass[i], 1e-9);
    EXPECT_NEAR(box.rate[i],
                (box.density[i] * sums.expansion - 2 * 0.1 * h * c * sums.diffusion) / volume,
                1e-10);
  }
  EXPECT_EQ(box.report.interactions, interactions);
}

}  // namespace
}  // namespace mote::test
