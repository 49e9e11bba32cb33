#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/exec/simd.h"
#include "sim/gravity/direct.h"
#include "sim/run/initial_state.h"
#include "tests/support/backend.h"
#include "tests/support/states.h"

namespace mote::test {
namespace {

using engine::Index;
using engine::Precision;
using engine::Vec3d;

class ChosenForces : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(ChosenForces);

/// Accelerations and jerks of a state, by column.
struct ChosenSums {
  std::uint64_t interactions = 0;
  std::vector<double> columns;
};

/// Asks for jerks too; of all bodies, if no slots are given. `launch`: on a GPU [s].
ChosenSums sum_chosen(engine::Backend backend, const sim::State<engine::Host>& of,
                      const sim::Gravity& gravity, const std::vector<std::uint32_t>& slots,
                      double launch = 0.05, engine::SimdLevel simd = engine::best_simd_level()) {
  sim::State<engine::Host> state(of.count(), of.precision(), of.layout());
  sim::copy_columns(state, of, true);
  std::vector<double> jerks[3];
  sim::StepReport report;
  if (backend == engine::Backend::cuda) {
    report = device_chosen_forces(gravity, slots, state, jerks, launch);
  } else {
    sim::ForceRequest request{};
    request.targets = {slots.empty() ? nullptr : slots.data(), static_cast<Index>(slots.size())};
    for (int axis = 0; axis < 3; ++axis) {
      jerks[axis].resize(static_cast<std::size_t>(of.count()));
      request.jerks.of[axis] = jerks[axis].data();
    }
    const engine::Cpu exec{.threads = 2, .simd = simd};
    sim::DirectGravity direct(gravity, 1, of.count(), of.precision());
    direct.run(exec, state, request, report);
  }
  ChosenSums sums{report.interactions, {}};
  state.visit([&](auto s) {
    for (const auto* column : {s.ax, s.ay, s.az})
      sums.columns.insert(sums.columns.end(), column, column + s.count);
  });
  for (const auto& column : jerks)
    sums.columns.insert(sums.columns.end(), column.begin(), column.end());
  return sums;
}

std::vector<std::uint32_t> every_third(Index count) {
  std::vector<std::uint32_t> slots;
  for (Index i = 0; i < count; i += 3) slots.push_back(static_cast<std::uint32_t>(i));
  return slots;
}

constexpr Precision precisions[] = {Precision::single, Precision::mixed, Precision::double_};

/// Bodies with velocities, every fifth body without mass.
sim::State<engine::Host> cluster(Index count, Precision precision) {
  sim::State<engine::Host> state = random_state(count, precision);
  state.visit([&]<class Real>(sim::StateView<Real> s) {
    for (Index i = 0; i < s.count; i += 5) s.mass[i] = 0;
  });
  return state;
}

Vec3d at(const std::vector<double>& columns, Index i, int first) {
  const auto n = columns.size() / 6;
  const auto k = static_cast<std::size_t>(i);
  return {columns[static_cast<std::size_t>(first) * n + k],
          columns[static_cast<std::size_t>(first + 1) * n + k],
          columns[static_cast<std::size_t>(first + 2) * n + k]};
}

double size_of(const Vec3d& v) {
  return std::sqrt(dot(v, v));
}

// Sums of pairs in double, as the formula has them.
TEST_P(ChosenForces, AreSumsOfTheirPairs) {
  for (const Precision precision : precisions)
    for (const engine::SimdLevel simd : engine::supported_simd_levels()) {
      if (on_gpu() && simd != engine::SimdLevel::scalar) continue;
      const auto state = cluster(700, precision);
      const double e2 = 0.05 * 0.05;
      const ChosenSums found = sum_chosen(GetParam(), state, {.softening = 0.05}, {}, 0.05, simd);
      const double tolerance = precision == Precision::double_ ? 1e-13 : 3e-6;
      state.visit([&](auto s) {
        for (Index i = 0; i < s.count; i += 13) {
          Vec3d a{0, 0, 0}, jerk{0, 0, 0};
          for (Index j = 0; j < s.count; ++j) {
            const Vec3d d{double(s.x[j]) - double(s.x[i]), double(s.y[j]) - double(s.y[i]),
                          double(s.z[j]) - double(s.z[i])},
                v{double(s.vx[j]) - double(s.vx[i]), double(s.vy[j]) - double(s.vy[i]),
                  double(s.vz[j]) - double(s.vz[i])};
            const double r2 = dot(d, d) + e2, weight = double(s.mass[j]) / (r2 * std::sqrt(r2));
            a = a + weight * d;
            jerk = jerk + weight * (v - 3 * dot(d, v) / r2 * d);
          }
          EXPECT_LT(size_of(at(found.columns, i, 0) - a), tolerance * size_of(a)) << i;
          // Jerks of pairs cancel more than forces do.
          EXPECT_LT(size_of(at(found.columns, i, 3) - jerk), 10 * tolerance * size_of(jerk)) << i;
        }
      });
      EXPECT_EQ(found.interactions, 700u * 560u);
    }
}

// A body is given the same bits whichever others are asked for, and no other body is touched.
TEST_P(ChosenForces, DoNotDependOnWhichOthersAreChosen) {
  for (const Precision precision : precisions) {
    const auto state = cluster(1500, precision);
    const ChosenSums all = sum_chosen(GetParam(), state, {.softening = 0.02}, {});
    for (const std::vector<std::uint32_t>& slots :
         {std::vector<std::uint32_t>{3}, {0, 1, 2, 700, 1499}, every_third(1500)}) {
      const ChosenSums some = sum_chosen(GetParam(), state, {.softening = 0.02}, slots);
      EXPECT_EQ(some.interactions, slots.size() * 1200);
      std::size_t next = 0;
      for (Index i = 0; i < 1500; ++i) {
        const bool chosen = next < slots.size() && slots[next] == static_cast<std::uint32_t>(i);
        if (chosen) ++next;
        for (const int first : {0, 3}) {
          const Vec3d want = chosen ? at(all.columns, i, first) : Vec3d{0, 0, 0};
          ASSERT_EQ(size_of(at(some.columns, i, first) - want), 0) << i << " " << first;
        }
      }
    }
  }
}

// Many targets share reads of the sources on a GPU, and many sources are longer chunks.
TEST_P(ChosenForces, DoNotDependOnHowManyAreChosen) {
  const Index count = on_gpu() && gpu_is_emulated() ? 2100 : 9000;
  const auto state = cluster(count, Precision::single);
  const ChosenSums all = sum_chosen(GetParam(), state, {.softening = 0.02}, {}),
                   some = sum_chosen(GetParam(), state, {.softening = 0.02}, {1, 2050});
  for (const Index i : {1, 2050})
    for (const int first : {0, 3})
      EXPECT_EQ(size_of(at(all.columns, i, first) - at(some.columns, i, first)), 0) << i;
}

// Launches are cut where a GPU would be busy for too long, and where sums need too much memory.
TEST_P(ChosenForces, DoNotDependOnTheLengthOfLaunches) {
  if (!on_gpu()) GTEST_SKIP() << "launches are those of a GPU";
  const auto state = cluster(200, Precision::double_);
  EXPECT_EQ(sum_chosen(GetParam(), state, {}, {}, 0).columns,
            sum_chosen(GetParam(), state, {}, {}).columns);
}

// Coincident bodies do not interact, whatever their velocities.
TEST_P(ChosenForces, AreZeroBetweenCoincidentBodies) {
  for (const Precision precision : precisions) {
    sim::State<engine::Host> state(2, precision);
    state.visit([&](auto s) {
      for (Index i : {0, 1}) {
        s.mass[i] = 1, s.x[i] = s.y[i] = s.z[i] = 3;
        s.vx[i] = static_cast<std::remove_reference_t<decltype(s.x[0])>>(i);
      }
    });
    for (const double number : sum_chosen(GetParam(), state, {}, {}).columns) EXPECT_EQ(number, 0);
  }
}

}  // namespace
}  // namespace mote::test
