// The counting sort into cells, and the search for neighbours.
#include "sim/space/cell_grid.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/math/random.h"
#include "sim/space/neighbour_runs.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

using engine::Host;
using engine::Index;
using engine::Vec3d;
using sim::CellGrid;
using sim::CellLayout;
using sim::Domain;

using Pairs = std::multiset<std::pair<int, int>>;

template <class Real>
sim::State<Host> bodies_at(const std::vector<Vec3d>& positions) {
  sim::State<Host> state(static_cast<Index>(positions.size()), sizeof(Real) == 4
                                                                   ? engine::Precision::single
                                                                   : engine::Precision::double_);
  state.visit([&](auto s) {
    using T = std::remove_reference_t<decltype(s.x[0])>;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      s.x[i] = static_cast<T>(positions[i].x);
      s.y[i] = static_cast<T>(positions[i].y);
      s.z[i] = static_cast<T>(positions[i].z);
    }
  });
  return state;
}

template <class Real>
sim::StateView<const Real> view_of(sim::State<Host>& state) {
  sim::StateView<const Real> view{};
  state.visit([&]<class T>(sim::StateView<T> s) {
    if constexpr (std::is_same_v<T, Real>) view = s.read_only();
  });
  return view;
}

/// All pairs (i, j), i != j, within the cutoff of the nearest image of j, by definition.
template <class Real>
Pairs pairs_by_definition(const sim::StateView<const Real>& s, const Domain& domain,
                          double cutoff) {
  Pairs pairs;
  const auto nearest = [](double d, bool periodic, double length) {
    return periodic ? d - length * std::round(d / length) : d;
  };
  for (Index i = 0; i < s.count; ++i)
    for (Index j = 0; j < s.count; ++j) {
      const double dx =
          nearest(double(s.x[j]) - double(s.x[i]), domain.periodic[0], domain.length.x);
      const double dy =
          nearest(double(s.y[j]) - double(s.y[i]), domain.periodic[1], domain.length.y);
      const double dz =
          nearest(double(s.z[j]) - double(s.z[i]), domain.periodic[2], domain.length.z);
      if (i != j && dx * dx + dy * dy + dz * dz < cutoff * cutoff)
        pairs.emplace(static_cast<int>(i), static_cast<int>(j));
    }
  return pairs;
}

/// The same by the grid; a pair that is visited twice is contained twice.
template <class Real>
Pairs pairs_by_cells(const CellGrid<Real>& grid, double cutoff) {
  Pairs pairs;
  const CellLayout& cells = grid.layout();
  for (std::int32_t k = 0; k < grid.start()[cells.buckets]; ++k)
    sim::for_each_neighbour_run(
        cells, grid.start(), grid.cell_at(k),
        [&](std::int32_t begin, std::int32_t end, Vec3d shift) {
          for (std::int32_t other = begin; other < end; ++other) {
            const double dx = double(grid.x()[other]) + shift.x - double(grid.x()[k]);
            const double dy = double(grid.y()[other]) + shift.y - double(grid.y()[k]);
            const double dz = double(grid.z()[other]) + shift.z - double(grid.z()[k]);
            if (other != k && dx * dx + dy * dy + dz * dz < cutoff * cutoff)
              pairs.emplace(grid.index()[k], grid.index()[other]);
          }
        });
  return pairs;
}

using CellRun = std::tuple<std::int32_t, std::int32_t, double, double, double>;

/// The runs of a cell by the iterator.
std::vector<CellRun> runs_of(const CellLayout& cells, const std::int32_t* start, sim::Cell cell,
                             int first_row, int end_row, std::uint64_t order) {
  std::vector<CellRun> all;
  sim::NeighbourRuns runs(cells, start, cell, first_row, end_row, order);
  for (sim::NeighbourRun run; runs.next(run);)
    all.emplace_back(run.begin, run.end, run.shift[0], run.shift[1], run.shift[2]);
  return all;
}

std::vector<Vec3d> scattered(int n, Vec3d low, Vec3d size, std::uint64_t seed) {
  engine::Random random(seed, 7, 0);
  std::vector<Vec3d> positions;
  for (int i = 0; i < n; ++i) {
    const double x = random.uniform(), y = random.uniform(), z = random.uniform();
    positions.push_back({low.x + size.x * x, low.y + size.y * y, low.z + size.z * z});
  }
  return positions;
}

/// The test positions have no pairs whose distance equals the cutoff up to round-off.
template <class Real>
void expect_all_pairs(const std::vector<Vec3d>& positions, const Domain& domain, double cutoff,
                      const std::string& what) {
  sim::State<Host> state = bodies_at<Real>(positions);
  const auto view = view_of<Real>(state);
  CellGrid<Real> grid;
  grid.build({.threads = 2}, view, domain, cutoff);
  EXPECT_EQ(pairs_by_cells(grid, cutoff), pairs_by_definition(view, domain, cutoff)) << what;
}

Domain periodic(double length, bool x = true, bool y = true, bool z = true) {
  return {{-1, 2, 0}, {length, length, length}, {x, y, z}};
}

TEST(CellGrid, HasTheSameRunsInEveryOrderAndSplitOverTeams) {
  for (const int n : {1, 2, 5}) {
    sim::State<Host> state = bodies_at<double>(scattered(300, {-1, 2, 0}, {4, 4, 4}, 4));
    const auto view = view_of<double>(state);
    CellGrid<double> grid;
    grid.build({.threads = 1}, view, periodic(4, true, n != 5), 4 / (n + 0.05));
    const CellLayout& cells = grid.layout();
    for (int k = 0; k < static_cast<int>(view.count); ++k) {
      const sim::Cell cell = grid.cell_at(k);
      std::vector<CellRun> all[2], shared;
      const auto append_to = [&](std::vector<CellRun>& into) {
        return [&into](std::int32_t begin, std::int32_t end, Vec3d shift) {
          into.emplace_back(begin, end, shift.x, shift.y, shift.z);
        };
      };
      sim::for_each_neighbour_run(cells, grid.start(), cell, append_to(all[0]));
      sim::for_each_neighbour_run<sim::rows_for_teams>(cells, grid.start(), cell,
                                                       append_to(all[1]));
      EXPECT_EQ(runs_of(cells, grid.start(), cell, 0, sim::rows_around, sim::ascending_rows),
                all[0]);
      for (int quarter = 0; quarter < 4; ++quarter)
        for (const CellRun& run :
             runs_of(cells, grid.start(), cell, sim::NeighbourRuns::first_of_quarter(quarter),
                     sim::NeighbourRuns::first_of_quarter(quarter + 1), sim::rows_for_teams))
          shared.push_back(run);
      EXPECT_EQ(shared, all[1]);
      EXPECT_EQ(std::multiset<CellRun>(all[0].begin(), all[0].end()),
                std::multiset<CellRun>(all[1].begin(), all[1].end()));
    }
  }
}

TEST(CellGrid, VisitsEveryPairWithinTheCutoffOnce) {
  for (const double cutoff : {0.3, 0.77, 1.9}) {
    const auto positions = scattered(300, {-5, 0, 3}, {6, 4, 5}, 1);
    expect_all_pairs<double>(positions, {}, cutoff, "open");
    expect_all_pairs<float>(positions, {}, cutoff, "open");
    for (const int n : {2, 3, 5}) {
      // One, two and more cells along an axis, and bodies many periods outside the domain.
      const Domain all = periodic(cutoff * n * 1.05);
      auto far = scattered(200, {-30, -30, -30}, {60, 60, 60}, 2);
      expect_all_pairs<double>(far, all, cutoff, "periodic, " + std::to_string(n) + " cutoffs");
    }
    expect_all_pairs<double>(positions, periodic(4, true, false, false), cutoff, "periodic in x");
    expect_all_pairs<double>(positions, periodic(4, false, true, false), cutoff, "periodic in y");
    expect_all_pairs<double>(positions, periodic(4, false, true, true), cutoff,
                             "periodic in y and z");
  }
}

TEST(CellGrid, VisitsPairsAcrossCellBorders) {
  // Neighbours at 0.999 of the cutoff, on a lattice with bodies at cell borders.
  std::vector<Vec3d> positions;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      for (int k = 0; k < 6; ++k) positions.push_back({-1 + 0.999 * i, 2 + 0.999 * j, 0.999 * k});
  expect_all_pairs<double>(positions, {}, 1, "open");
  expect_all_pairs<double>(positions, periodic(6 * 0.999), 1, "periodic");
  sim::State<Host> state = bodies_at<double>(positions);
  EXPECT_EQ(pairs_by_definition(view_of<double>(state), periodic(6 * 0.999), 1).size(), 216u * 6u);
}

TEST(CellGrid, HandlesBodiesThatCoincideOrAreFarApart) {
  expect_all_pairs<double>(std::vector<Vec3d>(150, Vec3d{1, 2, 3}), {}, 0.1, "all coincide");
  auto positions = scattered(100, {0, 0, 0}, {1, 1, 1}, 3);
  positions.push_back({1e12, -1e12, 0});
  positions.push_back({1e12, -1e12, 0.05});
  expect_all_pairs<double>(positions, {}, 0.1, "one far away");
  expect_all_pairs<double>({}, {}, 0.1, "no bodies");
  expect_all_pairs<double>({{1, 1, 1}}, periodic(1), 0.5, "a single body is not its own neighbour");
}

TEST(CellGrid, HasNoMoreCellsThanItIsAllowed) {
  const CellLayout all = sim::layout_cells({}, {0, 0, 0}, {10, 20, 30}, 1, 1'000'000);
  EXPECT_EQ(all.count[0], 9);  // a cell is slightly larger than the cutoff
  EXPECT_EQ(all.count[1], 19);
  EXPECT_EQ(all.count[2], 29);
  const CellLayout few = sim::layout_cells({}, {0, 0, 0}, {1e6, 1e6, 1e6}, 1, 1000);
  EXPECT_LE(few.buckets, 1000);
  EXPECT_GE(few.buckets, 500);
}

TEST(CellGrid, OrdersBodiesOfACellByIndex) {
  const auto positions = scattered(20'000, {0, 0, 0}, {3, 3, 3}, 4);
  sim::State<Host> state = bodies_at<double>(positions);
  CellGrid<double> grid;
  grid.build({.threads = 3}, view_of<double>(state), {}, 1);
  std::vector<bool> seen(positions.size());
  for (int cell = 0; cell < grid.layout().buckets; ++cell)
    for (std::int32_t k = grid.start()[cell]; k < grid.start()[cell + 1]; ++k) {
      const auto i = static_cast<std::size_t>(grid.index()[k]);
      EXPECT_FALSE(seen[i]);
      seen[i] = true;
      EXPECT_TRUE(k == grid.start()[cell] || grid.index()[k - 1] < grid.index()[k]) << k;
      EXPECT_EQ(grid.x()[k], positions[i].x);
      EXPECT_EQ(bucket_of(grid.layout(), grid.cell_at(k)), cell);
    }
  EXPECT_EQ(grid.start()[grid.layout().buckets], 20'000);
}

TEST(CellGrid, IsTheSameForEveryNumberOfThreads) {
  MOTE_SKIP_IF_ADDRESS_SANITIZED("it is about threads: the thread sanitizer runs it");
  const auto positions = scattered(40'000, {0, 0, 0}, {20, 20, 20}, 5);
  sim::State<Host> state = bodies_at<float>(positions);
  CellGrid<float> one, four;
  one.build({.threads = 1}, view_of<float>(state), periodic(20), 1);
  four.build({.threads = 4}, view_of<float>(state), periodic(20), 1);
  for (std::size_t k = 0; k < positions.size(); ++k)
    ASSERT_EQ(one.index()[k], four.index()[k]) << k;
  // A rebuild of a used grid.
  const auto fewer = scattered(100, {0, 0, 0}, {20, 20, 20}, 6);
  sim::State<Host> small = bodies_at<float>(fewer);
  four.build({.threads = 4}, view_of<float>(small), {}, 2);
  EXPECT_EQ(pairs_by_cells(four, 2), pairs_by_definition(view_of<float>(small), {}, 2));
}

TEST(CellGrid, WrapsImagesIntoTheDomain) {
  const Domain domain = periodic(3);
  const CellLayout grid = sim::layout_cells(domain, {}, {}, 0.5, 1000);
  for (const double x : {-1.0, 1.9, 2.0, 5.0, -4.0, 1e9, -1e-300, std::nextafter(-1.0, -2.0)}) {
    const double image = sim::image_within(grid, 0, x);
    EXPECT_GE(image, -1.0) << x;
    EXPECT_LT(image, 2.0) << x;
    // Doubles near 1e9 are 1.2e-7 apart; a few roundings.
    EXPECT_NEAR(std::remainder(image - x, 3.0), 0, 1e-6) << x;
  }
  EXPECT_EQ(sim::cell_along(grid, 0, std::numeric_limits<double>::quiet_NaN()), 0);
}

}  // namespace
}  // namespace mote::test
