// Hashed grids: completeness and cost of the neighbour search.
#include "sim/space/cell_hash.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/math/random.h"
#include "sim/space/cell_grid.h"
#include "sim/space/cell_range.h"
#include "sim/space/neighbour_runs.h"

namespace mote::test {
namespace {

using engine::Index;
using engine::Vec3d;
using sim::CellGrid;
using sim::Domain;

using Pairs = std::multiset<std::pair<int, int>>;

struct Positions {
  std::vector<double> x, y, z;
  void add(Vec3d p) { x.push_back(p.x), y.push_back(p.y), z.push_back(p.z); }
  void scatter(int n, Vec3d low, Vec3d size, std::uint64_t seed) {
    engine::Random random(seed, 11, 0);
    for (int i = 0; i < n; ++i) {
      const double u = random.uniform(), v = random.uniform(), w = random.uniform();
      add({low.x + size.x * u, low.y + size.y * v, low.z + size.z * w});
    }
  }
  /// `n` clumps of twenty bodies in a box.
  void clumps(int n, Vec3d low, Vec3d size, double across, std::uint64_t seed) {
    engine::Random random(seed, 12, 0);
    for (int i = 0; i < n; ++i) {
      const double u = random.uniform(), v = random.uniform(), w = random.uniform();
      scatter(20, {low.x + size.x * u, low.y + size.y * v, low.z + size.z * w},
              {across, across, across}, seed + 100 + static_cast<std::uint64_t>(i));
    }
  }
  sim::StateView<const double> view() const {
    sim::StateView<const double> view{};
    view.count = static_cast<Index>(x.size());
    view.x = x.data(), view.y = y.data(), view.z = z.data();
    return view;
  }
  CellGrid<double> grid(const Domain& domain, double cutoff) const {
    CellGrid<double> grid;
    grid.build({.threads = 2}, view(), domain, cutoff);
    return grid;
  }
};

/// Pairs of bodies within the cutoff, and the number of tested candidates, where `walk(slot, use)`
/// calls use for each run.
template <class Walk>
std::pair<Pairs, std::uint64_t> pairs_found(const CellGrid<double>& grid, Index count,
                                            double cutoff, Walk&& walk) {
  Pairs pairs;
  std::uint64_t tested = 0;
  for (std::int32_t k = 0; k < count; ++k) {
    const Vec3d own{grid.x()[k], grid.y()[k], grid.z()[k]};
    walk(k, [&](std::int32_t begin, std::int32_t end, Vec3d by) {
      tested += static_cast<std::uint64_t>(end - begin);
      for (std::int32_t q = begin; q < end; ++q) {
        const Vec3d d = Vec3d{grid.x()[q], grid.y()[q], grid.z()[q]} + by - own;
        if (q != k && dot(d, d) < cutoff * cutoff) pairs.emplace(grid.index()[k], grid.index()[q]);
      }
    });
  }
  return {pairs, tested};
}

Pairs pairs_by_definition(const Positions& p, const Domain& domain, double cutoff) {
  const double lengths[3] = {domain.length.x, domain.length.y, domain.length.z};
  Pairs pairs;
  const int n = static_cast<int>(p.x.size());
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
      double d[3] = {p.x[b] - p.x[a], p.y[b] - p.y[a], p.z[b] - p.z[a]};
      for (int axis = 0; axis < 3; ++axis)
        if (domain.periodic[axis]) d[axis] -= lengths[axis] * std::round(d[axis] / lengths[axis]);
      if (i != j && d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < cutoff * cutoff) pairs.emplace(i, j);
    }
  return pairs;
}

/// By adjacent cells, and by ranges larger and smaller than a cell.
void expect_all_pairs(const Positions& positions, const Domain& domain, double cutoff,
                      const std::string& what) {
  const CellGrid<double> grid = positions.grid(domain, cutoff);
  ASSERT_TRUE(grid.layout().hashed()) << what;
  const Index n = positions.view().count;
  const auto next_to = [&](std::int32_t k, auto&& use) {
    sim::for_each_neighbour_run(grid.layout(), grid.start(), grid.cell_at(k), use);
  };
  EXPECT_EQ(pairs_found(grid, n, cutoff, next_to).first,
            pairs_by_definition(positions, domain, cutoff))
      << what;
  for (const double times : {0.7, 1.0, 2.6, 9.0}) {
    const double far = times * cutoff;
    if (domain.periodic[0] && 2 * far > domain.length.x) continue;
    const auto within = [&](std::int32_t k, auto&& use) {
      sim::for_each_run_within(grid.layout(), grid.start(), {grid.x()[k], grid.y()[k], grid.z()[k]},
                               far * (1 + 1e-6), use);
    };
    EXPECT_EQ(pairs_found(grid, n, far, within).first, pairs_by_definition(positions, domain, far))
        << what << ", within " << times << " cutoffs";
  }
}

TEST(CellHash, KeepsNearbyCellsInDistinctBuckets) {
  for (int bits = sim::min_hash_bits; bits <= sim::max_hash_bits; ++bits) {
    const std::int64_t size = std::int64_t{1} << bits;
    const sim::CellHash hash = sim::cell_hash(size);
    ASSERT_EQ(hash.bits, bits);
    EXPECT_EQ(sim::cell_hash(2 * size - 1).bits, bits);
    // The smallest Chebyshev distance between two cells of one bucket.
    const std::int64_t a = hash.multiplier, b = a * a % size;
    std::int64_t shortest = size;
    for (std::int64_t z = 0; z < shortest; ++z)
      for (std::int64_t y = z == 0 ? 0 : 1 - shortest; y < shortest; ++y) {
        if (z == 0 && y == 0) continue;
        const std::int64_t x = (((a * y + b * z) % size) + size) % size;
        shortest = std::min(shortest, std::max({std::min(x, size - x), std::abs(y), z}));
      }
    EXPECT_EQ(shortest, hash.distinct) << bits;
    EXPECT_GE(hash.distinct, 3) << "a cell and its neighbours";
    EXPECT_GE(hash.distinct, 0.75 * std::cbrt(static_cast<double>(size))) << bits;
  }
}

TEST(CellHash, VisitsEveryPairWithinTheCutoffOnce) {
  Positions far, dense;
  far.clumps(20, {-50, -50, -50}, {98, 98, 98}, 2, 1);
  expect_all_pairs(far, {}, 1, "open");
  dense.scatter(300, {-3, 2, 0}, {6, 5, 4}, 2);
  for (const Vec3d outlier : {Vec3d{1e4, 0, 0}, Vec3d{-1e30, 5e9, 4}, Vec3d{7, -2e7, 1e12}})
    dense.add(outlier);
  dense.add({1e4 + 0.3, 0.1, 0});
  expect_all_pairs(dense, {}, 0.8, "some far away");
  Positions sheet;
  sheet.scatter(500, {-200, -200, 5}, {400, 400, 0.5}, 3);
  sheet.add({0, 0, 1e5});
  expect_all_pairs(sheet, {}, 9, "a sheet");
  for (const bool y : {false, true}) {
    const Domain domain{{-50, -50, -50}, {100, 100, 100}, {true, y, true}};
    expect_all_pairs(far, domain, 1, y ? "periodic" : "periodic in x and z");
    Positions corner;
    corner.scatter(200, {48.5, 48.5, 48.5}, {1.4999, 1.4999, 1.4999}, 4);
    corner.scatter(100, {-50, -50, -50}, {1.2, 1.2, 1.2}, 5);
    if (!y) corner.add({0, 1e9, 0});
    expect_all_pairs(corner, domain, 0.6, y ? "about a corner" : "about an edge");
  }
  expect_all_pairs(far, {{-50, -50, -50}, {100, 100, 100}, {}, {true, true, true}}, 1,
                   "between walls");
}

TEST(CellHash, VisitsEveryPairWhereBucketsWrapAround) {
  // A row of cells past the last bucket continues in the first.
  Positions positions;
  positions.add({1e6, 0, 0});
  for (int i = 0; i < 300; ++i) positions.add({-150 + 0.999 * i, 0.2, 0.3});
  const CellGrid<double> grid = positions.grid({}, 1);
  bool across = false;
  for (int k = 0; k < 300; ++k) across = across || bucket_of(grid.layout(), grid.cell_at(k)) == 0;
  EXPECT_TRUE(across);
  expect_all_pairs(positions, {}, 1, "a row");
}

TEST(CellHash, IsNotUsedWhereBodiesFillTheirBoundingBox) {
  for (const int n : {30, 3000}) {
    Positions dilute;
    dilute.scatter(n, {0, 0, 0}, {100, 100, 100}, 7);
    EXPECT_FALSE(dilute.grid({}, 1).layout().hashed()) << n;
  }
  Positions dense;
  dense.scatter(3000, {0, 0, 0}, {5, 5, 5}, 8);
  EXPECT_FALSE(dense.grid({}, 1).layout().hashed());
}

TEST(CellHash, TestsNoMoreCandidatesForOneDistantBody) {
  Positions dense;
  dense.scatter(20'000, {0, 0, 0}, {10, 10, 10}, 6);
  const auto tested = [&] {
    const CellGrid<double> grid = dense.grid({}, 1);
    return pairs_found(grid, dense.view().count, 0,
                       [&](std::int32_t k, auto&& use) {
                         sim::for_each_neighbour_run(grid.layout(), grid.start(), grid.cell_at(k),
                                                     use);
                       })
        .second;
  };
  const std::uint64_t before = tested();
  dense.add({1e9, 0, 0});
  const std::uint64_t after = tested();
  // Cells are now 1.0 and not 10 / 9 long, and no two cells of the dense region share a bucket: not
  // more candidates than before.
  EXPECT_LE(after, before);
  EXPECT_GT(after, before / 2);
}

}  // namespace
}  // namespace mote::test
