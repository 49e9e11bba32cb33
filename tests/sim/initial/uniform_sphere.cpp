#include "sim/initial/uniform_sphere.h"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/sim/initial/statistics.h"

namespace mote::test {
namespace {

using engine::Vec3d;
using sim::Bodies;
using sim::UniformSphere;

TEST(UniformSphere, FillsItsVolumeEvenly) {
  const Bodies bodies = make(UniformSphere{.n = many, .radius = 3}, {});
  // Centring shifts by 0.45 R / sqrt(n) = 0.001 R: at the surface, where the density is
  // discontinuous, this changes the distribution by 3 * 0.001 / 4 of the shift's mean projection,
  // less than 1e-3, where the bound is 6e-3.
  const auto volume = each(bodies, [](Vec3d r, Vec3d) { return std::pow(length_of(r) / 3, 3); });
  EXPECT_LT(ks_distance(volume, [](double u) { return std::min(1.0, u); }), ks_bound(many));
  const auto height = each(bodies, [](Vec3d r, Vec3d) { return r.z / length_of(r); });
  EXPECT_LT(ks_distance(height, [](double c) { return 0.5 * (1 + c); }), ks_bound(many));
  const auto azimuth =
      each(bodies, [](Vec3d r, Vec3d) { return std::atan2(r.y, r.x) / std::numbers::pi; });
  EXPECT_LT(ks_distance(azimuth, [](double c) { return 0.5 * (1 + c); }), ks_bound(many));
}

TEST(UniformSphere, IsAtRestByDefault) {
  const Bodies bodies = make(UniformSphere{.n = 1000}, {});
  for (const Vec3d& v : bodies.velocity) EXPECT_EQ(v, (Vec3d{0, 0, 0}));
}

// W = -3 G M^2 / 5 R. Centring removes 1/n of the kinetic energy.
TEST(UniformSphere, HasTheRequestedVirialRatio) {
  for (double ratio : {0.1, 1.0}) {
    const Bodies bodies =
        make(UniformSphere{.n = many, .mass = 2, .radius = 3, .virial_ratio = ratio},
             {.gravitational = 5});
    const double potential = 0.6 * 5 * 2 * 2 / 3.0;
    const Mean measured =
        mean_of(each(bodies, [&](Vec3d, Vec3d v) { return 2 * dot(v, v) / potential; }));
    EXPECT_NEAR(measured.value, ratio, 5 * measured.error + ratio / many);
    EXPECT_LT(measured.error, 0.003 * ratio);  // sqrt(2 / 3n)
  }
}

TEST(UniformSphere, VelocitiesAreMaxwellian) {
  const Bodies bodies = make(UniformSphere{.n = many, .virial_ratio = 5}, {});  // sigma = 1
  const auto normal = [](double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); };
  EXPECT_LT(ks_distance(each(bodies, [](Vec3d, Vec3d v) { return v.x; }), normal), ks_bound(many));
  EXPECT_LT(ks_distance(each(bodies, [](Vec3d, Vec3d v) { return v.y; }), normal), ks_bound(many));
  EXPECT_LT(ks_distance(each(bodies, [](Vec3d, Vec3d v) { return v.z; }), normal), ks_bound(many));
  for (auto product : {mean_of(each(bodies, [](Vec3d, Vec3d v) { return v.x * v.y; })),
                       mean_of(each(bodies, [](Vec3d, Vec3d v) { return v.y * v.z; })),
                       mean_of(each(bodies, [](Vec3d, Vec3d v) { return v.z * v.x; })),
                       mean_of(each(bodies, [](Vec3d r, Vec3d v) { return dot(r, v); }))})
    EXPECT_NEAR(product.value, 0, 5 * product.error);
}

}  // namespace
}  // namespace mote::test
