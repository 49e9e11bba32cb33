// The tree of cells, and the curve that orders it.
#include "sim/expansions/tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <vector>

#include "sim/expansions/hilbert.h"
#include "tests/support/states.h"

namespace mote::test {
namespace {

using engine::Index;
using engine::Vec3d;

// Steps along the curve go to neighbours: what makes ranges of keys compact.
TEST(Hilbert, NeighboursOnTheCurveAreNeighboursInSpace) {
  constexpr std::uint32_t side = 16;
  constexpr std::uint32_t coarse = 1u << (sim::hilbert::levels - 4);
  std::map<std::uint64_t, Vec3d> curve;
  for (std::uint32_t x = 0; x < side; ++x)
    for (std::uint32_t y = 0; y < side; ++y)
      for (std::uint32_t z = 0; z < side; ++z)
        curve[sim::hilbert::key_of(x * coarse, y * coarse, z * coarse) >>
              3 * (sim::hilbert::levels - 4)] = {double(x), double(y), double(z)};
  ASSERT_EQ(curve.size(), side * side * side) << "each cell has its own key";
  EXPECT_EQ(curve.rbegin()->first, side * side * side - 1);
  for (auto next = std::next(curve.begin()); next != curve.end(); ++next) {
    const Vec3d d = next->second - std::prev(next)->second;
    ASSERT_EQ(dot(d, d), 1) << next->first;
  }
}

TEST(Hilbert, KeysOfTheFinestCellsDiffer) {
  const std::uint32_t last = (1u << sim::hilbert::levels) - 1;
  EXPECT_LT(sim::hilbert::key_of(last, last, last), std::uint64_t{1} << 63);
  const std::uint64_t here = sim::hilbert::key_of(123'456, 654'321, 999'999);
  EXPECT_NE(here, sim::hilbert::key_of(123'457, 654'321, 999'999));
  EXPECT_EQ(here >> 3, sim::hilbert::key_of(123'456 ^ 1u, 654'321, 999'999 ^ 1u) >> 3);
}

sim::Tree tree_of(const sim::State<engine::Host>& state, int leaf, int threads = 2) {
  sim::Tree tree;
  state.visit([&](auto s) {
    tree.build(engine::Cpu{threads, engine::SimdLevel::scalar}, s.count, s.x, s.y, s.z, s.mass,
               s.id, leaf);
  });
  return tree;
}

TEST(Tree, CellsContainTheirBodiesAndChildren) {
  const auto state = random_state(5'000, engine::Precision::double_);
  const sim::Tree tree = tree_of(state, 20);
  const std::vector<sim::TreeCell>& cells = tree.cells();
  const sim::TreeBodies& bodies = tree.bodies();
  EXPECT_EQ(cells[0].count, 5'000u);
  std::size_t in_leaves = 0;
  for (const sim::TreeCell& cell : cells) {
    double mass = 0, farthest = 0;
    for (std::uint32_t i = cell.first; i < cell.first + cell.count; ++i) {
      mass += bodies.mass[i];
      farthest = std::max(farthest, length(bodies.position(i) - cell.center));
    }
    EXPECT_NEAR(cell.mass, mass, 1e-14);
    EXPECT_LE(farthest, cell.radius * (1 + 1e-14));
    EXPECT_GE(cell.scale, cell.radius);
    if (cell.is_leaf()) {
      in_leaves += cell.count;
      EXPECT_LE(cell.count, 20u);
      EXPECT_EQ(cell.massive, cell.count);
      continue;
    }
    EXPECT_GT(cell.count, 20u);
    std::uint32_t next = cell.first;
    for (std::uint32_t c = cell.child; c < cell.child + cell.children; ++c) {
      EXPECT_EQ(cells[c].first, next);
      EXPECT_EQ(cells[c].level, cell.level + 1);
      EXPECT_EQ(cells[c].is_leaf(), (cell.leaves >> (c - cell.child) & 1) == 1);
      next += cells[c].count;
    }
    EXPECT_EQ(next, cell.first + cell.count);
  }
  EXPECT_EQ(in_leaves, 5'000u);
  // Lengths and masses are of order one.
  EXPECT_LT(cells[0].radius, 1);
  EXPECT_GE(cells[0].mass, 0.5);
  EXPECT_LE(cells[0].mass, 1);
}

TEST(Tree, PutsBodiesWithMassFirst) {
  auto state = random_state(1'000, engine::Precision::single);
  state.visit([](auto s) {
    for (Index i = 0; i < s.count; i += 3) s.mass[i] = 0;
  });
  const sim::Tree tree = tree_of(state, 10);
  for (const sim::TreeCell& cell : tree.cells())
    for (std::uint32_t i = 0; cell.is_leaf() && i < cell.count; ++i)
      EXPECT_EQ(tree.bodies().mass[cell.first + i] > 0, i < cell.massive);
}

TEST(Tree, IsTheSameForAnyNumberOfThreads) {
  const auto state = random_state(80'000, engine::Precision::single);
  const sim::Tree one = tree_of(state, 16, 1), many = tree_of(state, 16, 5);
  EXPECT_EQ(one.bodies().slot, many.bodies().slot);
  ASSERT_EQ(one.cells().size(), many.cells().size());
  for (std::size_t c = 0; c < one.cells().size(); ++c) {
    EXPECT_EQ(one.cells()[c].first, many.cells()[c].first);
    EXPECT_EQ(one.cells()[c].center, many.cells()[c].center);
  }
}

}  // namespace
}  // namespace mote::test
