#include "sim/io/snapshot_diff.h"

#include <gtest/gtest.h>

#include <limits>

namespace mote::sim {
namespace {

/// Bodies with these ids in this order; body id at (id, 0, 0) with velocity (0, id, 0) and mass 1.
LoadedSnapshot bodies_of_ids(const std::vector<std::uint32_t>& ids) {
  LoadedSnapshot snapshot{
      {}, State<engine::Host>(static_cast<engine::Index>(ids.size()), engine::Precision::double_)};
  std::copy(ids.begin(), ids.end(), snapshot.state.id());
  snapshot.state.visit([&]<class Real>(StateView<Real> s) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      s.x[i] = s.vy[i] = static_cast<Real>(ids[i]);
      s.mass[i] = 1;
    }
  });
  return snapshot;
}

double* x_of(LoadedSnapshot& snapshot) {
  double* x = nullptr;
  snapshot.state.visit([&]<class Real>(StateView<Real> s) {
    if constexpr (std::is_same_v<Real, double>) x = s.x;
  });
  return x;
}

TEST(SnapshotDiff, PairsBodiesByIdInAnyOrder) {
  const LoadedSnapshot a = bodies_of_ids({5, 1, 3}), b = bodies_of_ids({1, 3, 5});
  EXPECT_TRUE(difference_of(a, b).identical());
  const SnapshotDifference d = difference_of(a, bodies_of_ids({9, 3, 0, 5}));
  EXPECT_EQ(d.paired, 2u);
  EXPECT_EQ(d.only_a, (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(d.only_b, (std::vector<std::uint32_t>{0, 9}));
  EXPECT_FALSE(d.identical());
  EXPECT_FALSE(d.within(1)) << "bodies are missing";
}

TEST(SnapshotDiff, ReportsTheBodiesWithTheLargestDifferences) {
  const LoadedSnapshot a = bodies_of_ids({1, 100});
  LoadedSnapshot b = bodies_of_ids({100, 1});
  x_of(b)[0] = 104;   // body 100: by 4, of 104
  x_of(b)[1] = 0.75;  // body 1: by a quarter, of 1
  const QuantityDifference q = difference_of(a, b).quantities.at(0);
  EXPECT_EQ(q.name, "position");
  EXPECT_EQ(q.absolute, 4);
  EXPECT_EQ(q.absolute_body, 100u);
  EXPECT_EQ(q.relative, 0.25);
  EXPECT_EQ(q.relative_body, 1u);
  EXPECT_TRUE(difference_of(a, b).within(0.25));
  EXPECT_FALSE(difference_of(a, b).within(0.24));
  EXPECT_TRUE(difference_of(a, b).quantities.at(1).same_bits);
}

TEST(SnapshotDiff, DetectsSingleBitsAndNonFiniteValues) {
  const LoadedSnapshot a = bodies_of_ids({0});
  LoadedSnapshot b = bodies_of_ids({0});
  x_of(b)[0] = -0.0;
  EXPECT_FALSE(difference_of(a, b).identical());
  EXPECT_TRUE(difference_of(a, b).within(0));
  x_of(b)[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(difference_of(a, b).within(1));
  EXPECT_EQ(difference_of(a, b).quantities.at(0).absolute, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(difference_of(b, b).identical());
  LoadedSnapshot later = bodies_of_ids({0});
  later.metadata.time = 1e-3;
  EXPECT_FALSE(difference_of(a, later).identical());
  EXPECT_FALSE(difference_of(a, later).within(0.5)) << "different time";
  later.metadata.time = 0;
  later.metadata.step = 7;
  EXPECT_FALSE(difference_of(a, later).identical());
  EXPECT_TRUE(difference_of(a, later).within(0)) << "same time, different step";
}

}  // namespace
}  // namespace mote::sim
