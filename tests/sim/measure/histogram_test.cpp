#include "sim/measure/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/check.h"
#include "tests/support/backend.h"
#include "tests/support/states.h"

namespace mote::test {
namespace {

using engine::CountingKernel;
using engine::Host;
using engine::Index;
using engine::Precision;
using sim::Histogram;
using sim::HistogramRequest;
using sim::Scalar;
using sim::State;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Independent evaluation of a scalar from the columns.
double value_of(const State<Host>& state, Scalar scalar, Index i) {
  return state.visit([&](auto s) {
    const auto length = [](double a, double b, double c) {
      return std::sqrt(a * a + b * b + c * c);
    };
    switch (scalar) {
      case Scalar::speed:
        return length(s.vx[i], s.vy[i], s.vz[i]);
      case Scalar::radius:
        return length(s.x[i], s.y[i], s.z[i]);
      case Scalar::x:
        return double(s.x[i]);
      case Scalar::y:
        return double(s.y[i]);
      case Scalar::z:
        return double(s.z[i]);
      case Scalar::mass:
        return double(s.mass[i]);
      case Scalar::acceleration:
        return length(s.ax[i], s.ay[i], s.az[i]);
      case Scalar::force:
        return double(s.mass[i]) * length(s.ax[i], s.ay[i], s.az[i]);
      case Scalar::id:
        return double(s.id[i]);
      case Scalar::species:
        return s.species ? double(s.species[i]) : 0.0;
      case Scalar::density:
      case Scalar::potential:
      case Scalar::expression:
        break;  // computed
    }
    return 0.0;
  });
}

/// All counters, recounted body by body with a search for the last edge not above the value.
std::vector<std::uint64_t> recount(const State<Host>& state, const Histogram& h) {
  std::vector<std::uint64_t> slots(h.counts.size() + 3);
  std::vector<double> edges;
  for (int i = 0; i < h.bins.count; ++i) edges.push_back(h.bins.edge(i));
  for (Index i = 0; i < state.count(); ++i) {
    const double v = value_of(state, h.scalar.kind, i);
    const auto bin = std::upper_bound(edges.begin(), edges.end(), v) - edges.begin() - 1;
    const std::size_t slot = !std::isfinite(v) ? h.counts.size() + 2
                             : v > h.bins.high ? h.counts.size() + 1
                             : v < h.bins.low  ? h.counts.size()
                                               : static_cast<std::size_t>(bin);
    ++slots[slot];
  }
  return slots;
}

std::vector<std::uint64_t> slots_of(const Histogram& h) {
  std::vector<std::uint64_t> slots = h.counts;
  slots.insert(slots.end(), {h.below, h.above, h.not_finite});
  return slots;
}

std::uint64_t sum(const std::vector<std::uint64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

/// A random state with random accelerations.
State<Host> cloud(Index count, Precision precision) {
  State<Host> state = random_state(count, precision, 7, true),
              other = random_state(count, precision, 99);
  state.visit([&]<class Real>(sim::StateView<Real> s) {
    other.visit([&]<class Other>(sim::StateView<Other> o) {
      for (Index i = 0; i < count; ++i) {
        s.ax[i] = static_cast<Real>(o.x[i]);
        s.ay[i] = static_cast<Real>(o.y[i]);
        s.az[i] = static_cast<Real>(o.z[i]);
      }
    });
  });
  return state;
}

class Histograms : public OnEveryBackend {
 protected:
  static Histogram histogram(const State<Host>& state, const HistogramRequest& request) {
    if (on_gpu()) return *device_histogram(state, request, CountingKernel::automatic);
    return sim::histogram({3}, state, request);
  }
};
MOTE_ON_EVERY_BACKEND(Histograms);

TEST_P(Histograms, CountEveryBodyInTheBinOfItsScalar) {
  for (Precision precision : {Precision::single, Precision::double_}) {
    const State<Host> state = cloud(4999, precision);
    for (const sim::ScalarInfo& scalar : sim::scalars()) {
      if (is_computed(scalar.scalar)) continue;
      const Histogram h = histogram(state, {.scalar = scalar.scalar});
      EXPECT_EQ(sum(h.counts), 4999u) << scalar.name;
      EXPECT_EQ(slots_of(h), recount(state, h)) << scalar.name;
      EXPECT_GT(h.counts.front(), 0u) << scalar.name << ": the smallest value is in the first bin";
      EXPECT_GT(h.counts.back(), 0u) << scalar.name << ": the largest value is in the last bin";
    }
  }
}

TEST_P(Histograms, AreExactForEveryNumberOfBins) {
  const State<Host> state = cloud(3001, Precision::single);
  for (int bins : {1, 7, 100, 20'000, 1'000'000})
    for (Scalar scalar : {Scalar::speed, Scalar::x}) {
      const Histogram h = histogram(state, {.scalar = scalar, .bins = bins});
      ASSERT_EQ(h.counts.size(), static_cast<std::size_t>(bins));
      EXPECT_EQ(slots_of(h), recount(state, h)) << bins;
    }
}

TEST_P(Histograms, OfAGivenRangeCountWhatIsBelowAndAbove) {
  const State<Host> state = cloud(2000, Precision::double_);
  const Histogram h = histogram(state, {.scalar = Scalar::x, .bins = 10, .range{{-0.5, 0.25}}});
  EXPECT_EQ(h.bins.low, -0.5);
  EXPECT_EQ(h.bins.high, 0.25);
  EXPECT_EQ(slots_of(h), recount(state, h));
  // A quarter and three eighths of the cube; five standard deviations.
  EXPECT_NEAR(static_cast<double>(h.below), 500, 5 * std::sqrt(2000 * 0.25 * 0.75));
  EXPECT_NEAR(static_cast<double>(h.above), 750, 5 * std::sqrt(2000 * 0.375 * 0.625));
  EXPECT_EQ(sum(slots_of(h)), 2000u);
}

TEST_P(Histograms, CountTheEndOfTheRangeInTheLastBin) {
  State<Host> state(3, Precision::double_);
  state.visit([](auto s) { s.x[0] = 0, s.x[1] = 0.5, s.x[2] = 1; });
  const Histogram h = histogram(state, {.scalar = Scalar::x, .bins = 2, .range{{0, 1}}});
  EXPECT_EQ(h.counts, (std::vector<std::uint64_t>{1, 2}));
}

TEST_P(Histograms, SetBodiesThatAreNotFiniteAside) {
  State<Host> state = cloud(1000, Precision::single);
  state.visit([](auto s) {
    s.vx[3] = std::numeric_limits<float>::quiet_NaN();
    s.vy[500] = std::numeric_limits<float>::infinity();
    s.vz[999] = -std::numeric_limits<float>::infinity();
  });
  const Histogram h = histogram(state, {.scalar = Scalar::speed});
  EXPECT_EQ(h.not_finite, 3u);
  EXPECT_EQ(sum(h.counts), 997u);
  EXPECT_LT(h.bins.high, 2) << "the range is that of the finite speeds, sqrt(3) at most";
  EXPECT_EQ(slots_of(h), recount(state, h));
}

TEST_P(Histograms, OfNoFiniteValueHaveEmptyBins) {
  State<Host> state(5, Precision::double_);
  state.visit([](auto s) {
    for (Index i = 0; i < 5; ++i) s.x[i] = infinity;
  });
  const Histogram h = histogram(state, {.scalar = Scalar::x, .bins = 4});
  EXPECT_EQ(h.not_finite, 5u);
  EXPECT_EQ(h.counts, std::vector<std::uint64_t>(4, 0));
}

TEST_P(Histograms, OfEqualBodiesHaveThemInOneBin) {
  State<Host> state(700, Precision::double_);
  state.visit([](auto s) {
    for (Index i = 0; i < 700; ++i) s.mass[i] = 1.0 / 700;
  });
  for (Scalar scalar : {Scalar::mass, Scalar::radius})
    for (int bins : {1, 101}) {
      const Histogram h = histogram(state, {.scalar = scalar, .bins = bins});
      EXPECT_LT(h.bins.low, h.bins.high);
      EXPECT_EQ(h.counts[static_cast<std::size_t>(bins / 2)], 700u);
      EXPECT_EQ(sum(h.counts), 700u);
    }
}

TEST_P(Histograms, OfAnEmptyStateAreEmpty) {
  const Histogram h =
      histogram(State<Host>(0, Precision::single), {.scalar = Scalar::speed, .bins = 6});
  EXPECT_EQ(h.counts, std::vector<std::uint64_t>(6, 0));
  EXPECT_EQ(h.bins.low, 0);
  EXPECT_EQ(h.bins.high, 1);
}

TEST_P(Histograms, OfASimulationAreThoseOfItsState) {
  const auto simulation = open(R"(return {
    gravity = { softening = 0.05 },
    integrator = { "leapfrog", dt = 0.01 },
    bodies = { plummer { n = 300 } },
  })");
  simulation->advance(3, {});
  for (Scalar scalar : {Scalar::speed, Scalar::acceleration}) {
    const Histogram h = simulation->histogram({.scalar = scalar, .bins = 50});
    EXPECT_EQ(slots_of(h), recount(simulation->state(), h));
    EXPECT_EQ(sum(h.counts), 300u);
  }
  EXPECT_THROW(simulation->histogram({.bins = 0}), engine::InputError);
  EXPECT_THROW(simulation->histogram({.bins = 1'000'001}), engine::InputError);
  EXPECT_THROW(simulation->histogram({.range{{1, 1}}}), engine::InputError);
  EXPECT_THROW(simulation->histogram({.range{{0, infinity}}}), engine::InputError);
}

/// Each device kernel separately.
class CountingKernels : public testing::TestWithParam<CountingKernel> {
 protected:
  void SetUp() override {
    if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  }
};
INSTANTIATE_TEST_SUITE_P(Histograms, CountingKernels,
                         testing::Values(CountingKernel::shared, CountingKernel::cluster,
                                         CountingKernel::global));

TEST_P(CountingKernels, AgreeWithTheHostToTheLastCount) {
  State<Host> state = cloud(5000, Precision::single);
  state.visit([](auto s) { s.vx[77] = std::numeric_limits<float>::quiet_NaN(); });
  int compared = 0;
  for (int bins : {1, 5, 7, 100, 20'000, 1'000'000})
    for (const HistogramRequest& request : {HistogramRequest{Scalar::speed, bins, {}},
                                            HistogramRequest{Scalar::y, bins, {{-0.7, 0.1}}}}) {
      const std::optional<Histogram> h = device_histogram(state, request, GetParam());
      if (!h) continue;
      const Histogram expected = histogram(engine::Cpu{2}, state, request);
      EXPECT_EQ(h->bins.low, expected.bins.low);
      EXPECT_EQ(h->bins.high, expected.bins.high);
      EXPECT_EQ(slots_of(*h), slots_of(expected)) << bins << " bins";
      ++compared;
    }
  if (compared == 0) GTEST_SKIP() << "this device does not support the kernel";
  EXPECT_GE(compared, GetParam() == CountingKernel::global ? 12 : 8);
}

TEST_P(CountingKernels, CountTailsOfWarpsAndBlocks) {
  for (Index count : {1, 31, 32, 33, 511, 513, 4097}) {
    const State<Host> state = cloud(count, Precision::double_);
    const HistogramRequest request{Scalar::radius, 10, {}};
    const auto h = device_histogram(state, request, GetParam());
    if (!h) continue;
    EXPECT_EQ(slots_of(*h), recount(state, *h)) << count;
  }
}

TEST_P(CountingKernels, CountBodiesThatAllMeetInOneBin) {
  State<Host> state(3000, Precision::single);
  const auto h = device_histogram(state, {Scalar::x, 3, {{-1, 1}}}, GetParam());
  if (!h) GTEST_SKIP() << "this device does not support the kernel";
  EXPECT_EQ(h->counts, (std::vector<std::uint64_t>{0, 3000, 0}));
}

TEST(CountingKernel, IsChosenByTheNumberOfBins) {
  if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  EXPECT_EQ(device_counting_kernel(1), CountingKernel::shared);
  EXPECT_EQ(device_counting_kernel(12'285), CountingKernel::shared);  // 48 KiB hold 12,288 counters
  EXPECT_EQ(device_counting_kernel(1'000'000), CountingKernel::global);
  if (gpu_is_emulated()) {
    EXPECT_EQ(device_counting_kernel(12'286), CountingKernel::cluster);
    EXPECT_EQ(device_counting_kernel(20'000), CountingKernel::cluster);
    // 8 times 227 KiB
    EXPECT_EQ(device_counting_kernel(464'893), CountingKernel::cluster);
    EXPECT_EQ(device_counting_kernel(464'894), CountingKernel::global);
  }
}

std::string problem_of(const std::vector<std::string>& texts) {
  try {
    sim::read_histograms(texts, "--histogram");
    return "";
  } catch (const engine::InputError& e) {
    return e.what();
  }
}

TEST(HistogramOption, IsAScalarWithBinsAndRange) {
  const auto all = sim::read_histograms({"speed", "x:7", "mass:1000000:-1:2.5e-1"}, "--histogram");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].scalar, Scalar::speed);
  EXPECT_EQ(all[0].bins, 100);
  EXPECT_FALSE(all[0].range);
  EXPECT_EQ(all[1].bins, 7);
  EXPECT_EQ(all[2].scalar, Scalar::mass);
  EXPECT_EQ(all[2].bins, 1'000'000);
  EXPECT_EQ(all[2].range->low, -1);
  EXPECT_EQ(all[2].range->high, 0.25);
}

TEST(HistogramOption, NamesPlaceProblemAndRemedy) {
  EXPECT_EQ(problem_of({"sped"}),
            "--histogram sped: bodies have no scalar \"sped\"; did you mean 'speed'?");
  EXPECT_EQ(problem_of({"temperature"}),
            "--histogram temperature: bodies have no scalar \"temperature\"; they have: speed, "
            "radius, x, y, "
            "z, mass, "
            "acceleration, id, species, force, density, potential");
  EXPECT_EQ(problem_of({"speed:0"}),
            "--histogram speed:0: bins: 0 is out of range; allowed: 1 to 1,000,000");
  EXPECT_EQ(problem_of({"speed:1e3"}),
            "--histogram speed:1e3: bins: \"1e3\" is not a whole number; allowed: 1 to 1,000,000");
  EXPECT_EQ(problem_of({"speed:10:1"}),
            "--histogram speed:10:1: has 3 fields; write SCALAR, SCALAR:BINS or "
            "SCALAR:BINS:LOW:HIGH");
  EXPECT_EQ(problem_of({"speed:10:2:1"}),
            "--histogram speed:10:2:1: range: 2 to 1 is empty; write the low end first");
  EXPECT_EQ(problem_of({"speed:10:nan:1"}),
            "--histogram speed:10:nan:1: range: its ends must be finite; write finite numbers");
  EXPECT_EQ(problem_of({"speed:10:a:1"}),
            "--histogram speed:10:a:1: range: \"a\" is not a number; write SCALAR, SCALAR:BINS or "
            "SCALAR:BINS:LOW:HIGH");
  EXPECT_EQ(
      problem_of({"x:1000000:1:1.0000000000001"}),
      "--histogram x:1000000:1:1.0000000000001: range: 1 to 1.0000000000001 is too wide for double "
      "precision, or "
      "too narrow for so many bins; choose another range or fewer bins");
  EXPECT_EQ(problem_of({"x:5", "x"}),
            "--histogram x: x is requested twice, but has only one file; remove one of the "
            "requests");
}

TEST(HistogramOption, ReportsAllProblemsAtOnce) {
  const std::string text = problem_of({"sped:0:2:1", "x", "x"});
  for (const char* part :
       {"did you mean 'speed'?", "0 is out of range", "is empty", "requested twice"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
}

TEST(HistogramTable, HasEdgesAndCountsUnderAHeaderWithUnits) {
  State<Host> state(3, Precision::double_);
  state.visit([](auto s) { s.x[0] = 0, s.x[1] = 0.5, s.x[2] = 1; });
  const Histogram h = histogram(engine::Cpu{1}, state, {Scalar::x, 2, {}});
  EXPECT_EQ(sim::csv_text(h, *engine::unit_system_named("solar")),
            "x_low [au],x_high [au],count\n0,0.5,1\n0.5,1,2\n");
  EXPECT_EQ(sim::csv_text(h, *engine::unit_system_named("nbody")),
            "x_low,x_high,count\n0,0.5,1\n0.5,1,2\n");
  EXPECT_EQ(sim::unit_text(sim::scalar_info(Scalar::acceleration),
                           *engine::unit_system_named("galactic")),
            "km/s/(kpc/(km/s))");
}

TEST(Scalars, StandInTheListInTheOrderOfTheirNumbers) {
  for (const sim::ScalarInfo& s : sim::scalars()) {
    EXPECT_EQ(sim::scalar_info(s.scalar).name, s.name);
    EXPECT_EQ(sim::scalar_named(s.name), &s);
  }
}

}  // namespace
}  // namespace mote::test
