// Interpolation between snapshots, compared with a Kepler orbit.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/math/hermite.h"
#include "engine/math/vec.h"
#include "sim/io/interpolate.h"
#include "sim/space/ball_fields.h"

namespace mote::test {
namespace {

using engine::Vec3d;
using sim::LoadedSnapshot;

constexpr double ellipse = 0.3;  ///< eccentricity; semi-major axis and mu are 1

/// Position and velocity on the ellipse at a mean anomaly, by Kepler's equation.
engine::WithSlope<Vec3d> on_ellipse(double mean) {
  double e = mean;
  for (int i = 0; i < 50; ++i)
    e -= (e - ellipse * std::sin(e) - mean) / (1 - ellipse * std::cos(e));
  const double b = std::sqrt(1 - ellipse * ellipse), rate = 1 / (1 - ellipse * std::cos(e));
  return {{std::cos(e) - ellipse, b * std::sin(e), 0},
          {-rate * std::sin(e), rate * b * std::cos(e), 0}};
}

/// Bodies with these ids, all on the ellipse at this time.
LoadedSnapshot moment_on_ellipse(double time, const std::vector<std::uint32_t>& ids,
                                 bool velocity = true) {
  LoadedSnapshot moment{
      {},
      sim::State<engine::Host>(static_cast<engine::Index>(ids.size()), engine::Precision::double_)};
  moment.metadata.time = time;
  moment.metadata.columns.velocity = velocity;
  moment.state.visit([&]<class Real>(sim::StateView<Real> s) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const auto [x, v] = on_ellipse(time);
      moment.state.id()[i] = ids[i];
      s.mass[i] = static_cast<Real>(ids[i]);
      s.x[i] = static_cast<Real>(x.x), s.y[i] = static_cast<Real>(x.y), s.z[i] = 0;
      s.vx[i] = static_cast<Real>(v.x), s.vy[i] = static_cast<Real>(v.y), s.vz[i] = 0;
    }
  });
  return moment;
}

Vec3d position(const sim::State<engine::Host>& state, engine::Index i) {
  return state.visit([&]<class Real>(sim::StateView<const Real> s) {
    return Vec3d{static_cast<double>(s.x[i]), static_cast<double>(s.y[i]),
                 static_cast<double>(s.z[i])};
  });
}

/// Largest error between snapshots of one orbit at an interval `h`.
double largest_error(double h) {
  double most = 0;
  for (double time = 0; time < 6; time += h) {
    const LoadedSnapshot a = moment_on_ellipse(time, {7}), b = moment_on_ellipse(time + h, {7});
    sim::SnapshotInterpolator between(a, b);
    for (const double s : {0.1, 0.3, 0.5, 0.7, 0.9}) {
      const double now = time + s * h;
      most = std::max(most, length(position(between.at(now), 0) - on_ellipse(now).value));
    }
  }
  return most;
}

TEST(BetweenSnapshots, BodiesStayOnAKeplerOrbit) {
  // The fourth derivative of x on a Kepler orbit is a/r^3 - 6 v (x.v)/r^5 - 3 x (v^2 + x.a)/r^5 +
  // 15 x (x.v)^2/r^7, at most 4/r^5 + 24 v^2/r^4, which is largest where r is least.
  const double r = 1 - ellipse, v2 = 2 / r - 1;
  const double fourth = 4 / std::pow(r, 5) + 24 * v2 / std::pow(r, 4);
  const double h = 0.1;
  const double error = largest_error(h);
  EXPECT_LT(error, std::pow(h, 4) / 384 * fourth);
  // Fourth order: half the interval, a sixteenth of the error, up to the next order in h.
  EXPECT_NEAR(error / largest_error(h / 2), 16, 16 * h);
}

TEST(BetweenSnapshots, BodiesThatCameOrWentAreSeenOnlyWhereTheyAre) {
  const LoadedSnapshot a = moment_on_ellipse(0, {1, 2, 5}),
                       b = moment_on_ellipse(0.5, {5, 9, 1, 11});
  sim::SnapshotInterpolator between(a, b);
  EXPECT_EQ(between.at(0).count(), 3);
  EXPECT_EQ(between.at(0.5).count(), 4);
  const auto& middle = between.at(0.25);
  ASSERT_EQ(middle.count(), 2);
  EXPECT_EQ(middle.id()[0], 1u);
  EXPECT_EQ(middle.id()[1], 5u);
  middle.visit([](auto s) { EXPECT_EQ(s.mass[1], 5); });
}

TEST(BetweenSnapshots, BodiesAreAsLargeAsAtTheEarlierOneWhereBothSayIt) {
  const auto with_radii = [](double time, double factor) {
    LoadedSnapshot moment = moment_on_ellipse(time, {3, 5});
    sim::StateLayout layout;
    layout.add(sim::fields::radius);
    sim::State<engine::Host> state(2, engine::Precision::double_, layout);
    state.visit([&]<class Real>(sim::StateView<Real> s) {
      for (engine::Index i = 0; i < 2; ++i)
        state.id()[i] = moment.state.id()[i],
        s[sim::fields::radius][i] = static_cast<Real>(factor * (i + 1));
    });
    moment.state = std::move(state);
    return moment;
  };
  const LoadedSnapshot a = with_radii(0, 1), b = with_radii(0.5, 10),
                       c = moment_on_ellipse(0.5, {3, 5});
  sim::SnapshotInterpolator known(a, b), unknown(a, c);
  known.at(0.25).visit([](auto s) { EXPECT_EQ(s[sim::fields::radius][1], 2); });
  EXPECT_FALSE(unknown.at(0.25).layout().has(sim::fields::radius));
}

TEST(BetweenSnapshots, BodiesGoStraightWhereThereAreNoVelocities) {
  const LoadedSnapshot a = moment_on_ellipse(0, {1}), b = moment_on_ellipse(1, {1}, false);
  sim::SnapshotInterpolator between(a, b);
  const Vec3d from = on_ellipse(0).value, to = on_ellipse(1).value;
  for (const double s : {0.25, 0.5, 0.9})
    EXPECT_LT(length(position(between.at(s), 0) - (from + s * (to - from))), 1e-15);
}

TEST(Hermite, SlopeIsTheDerivativeOfItsValue) {
  const engine::WithSlope<double> a{1, -2}, b{3, 5};
  // Central differences of a cubic are off by its third derivative times d^2 / 6: |12 * chord| + 6
  // |slopes| over length^3.
  const double d = 1e-4, length = 2;
  for (const double s : {0.2, 0.5, 0.8}) {
    const double up = engine::hermite(a, b, length, s + d / length).value;
    const double down = engine::hermite(a, b, length, s - d / length).value;
    EXPECT_NEAR(engine::hermite(a, b, length, s).slope, (up - down) / (2 * d), 1e-7);
  }
}

}  // namespace
}  // namespace mote::test
