#include "sim/field/fields.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/field/field_force.h"
#include "tests/support/states.h"

namespace mote::sim {
namespace {

using engine::Vec3d;

constexpr double gravitational = 1.7;

const std::vector<Field>& one_of_each() {
  static const std::vector<Field> all{
      UniformField{{0.3, -0.2, -9.81}},
      PointMass{2.0, 0.1, {0.2, 0.1, -0.3}},
      PointMass{2.0, 0, {0.2, 0.1, -0.3}},
      LogarithmicHalo{1.3, 0.4, 0.8, {0.1, 0, 0.2}},
      MiyamotoNagai{1.1, 0.5, 0.2, {0, -0.1, 0}},
      HarmonicTrap{{1.0, 0.5, 2.0}, {0.3, 0, 0}},
      RotatingFrame{{0.3, -0.4, 1.2}},
  };
  return all;
}

Vec3d acceleration_of(const Field& field, Vec3d at) {
  return std::visit([&](const auto& f) { return f.acceleration(at); },
                    position_formulas<double>({field}, gravitational).at(0));
}
double potential_of(const Field& field, Vec3d at) {
  return std::visit([&](const auto& f) { return f.potential(at); },
                    position_formulas<double>({field}, gravitational).at(0));
}

TEST(Fields, AreMinusTheGradientsOfTheirPotentials) {
  for (const Field& field : one_of_each())
    for (const Vec3d at : {Vec3d{1.1, -0.7, 0.6}, Vec3d{-0.4, 0.9, -1.3}}) {
      const auto slope = [&](Vec3d along) {
        const auto difference = [&](double h) {
          return (potential_of(field, at + h * along) - potential_of(field, at - h * along)) /
                 (2 * h);
        };
        constexpr double h = 1.0 / 128;
        return (4 * difference(h / 2) - difference(h)) / 3;
      };
      const Vec3d a = acceleration_of(field, at);
      // Richardson extrapolation has an error of h^4/120 of the fifth derivative, some tens of
      // times the slope at these distances, and round-off 1e-16 / h.
      const double tolerance = 1e-7 * (1 + engine::length(a));
      EXPECT_NEAR(a.x, -slope({1, 0, 0}), tolerance) << name_of(field);
      EXPECT_NEAR(a.y, -slope({0, 1, 0}), tolerance) << name_of(field);
      EXPECT_NEAR(a.z, -slope({0, 0, 1}), tolerance) << name_of(field);
    }
}

TEST(Fields, HaveTheCircularSpeedsOfTheirPapers) {
  // Binney & Tremaine eq. 2.71b; Miyamoto & Nagai in the plane: GM R^2 / (R^2 + (a + b)^2)^(3/2). A
  // dozen roundings.
  for (const double radius : {0.01, 0.7, 30.0}) {
    const double halo =
        -radius * acceleration_of(LogarithmicHalo{2.2, 0.4, 0.8, {}}, {radius, 0, 0}).x;
    EXPECT_NEAR(halo, 2.2 * 2.2 * radius * radius / (0.16 + radius * radius), 4e-15 * halo);
    const double disk =
        -radius * acceleration_of(MiyamotoNagai{1.1, 0.5, 0.2, {}}, {0, radius, 0}).y;
    EXPECT_NEAR(disk, gravitational * 1.1 * radius * radius / std::pow(radius * radius + 0.49, 1.5),
                4e-15 * disk);
  }
}

TEST(Fields, AreFiniteInTheirMiddle) {
  for (const Field& field :
       {Field(PointMass{1, 0, {}}), Field(LogarithmicHalo{1, 0, 1, {}}),
        Field(MiyamotoNagai{1, 0, 0, {}}), Field(MiyamotoNagai{1, 1, 0, {}})}) {
    const Vec3d a = acceleration_of(field, {0, 0, 0});
    EXPECT_EQ(engine::length(a), 0) << name_of(field);
  }
}

TEST(Fields, OfADiscWithoutHeightPullTowardsThePlane) {
  // Kuzmin's disc: for z > 0 its field is that of a point mass at z = -a.
  const Vec3d a = acceleration_of(MiyamotoNagai{1, 0.5, 0, {}}, {1, 0, 0.25});
  const Vec3d b = acceleration_of(PointMass{1, 0, {0, 0, -0.5}}, {1, 0, 0.25});
  EXPECT_NEAR(a.x, b.x, 1e-15);
  EXPECT_NEAR(a.z, b.z, 1e-15);
}

TEST(VelocityFlows, AreExactWhateverTheTimeIsCutInto) {
  const std::vector<Field> fields{Drag{0.3, 0.2}, RotatingFrame{{0.3, -0.4, 1.2}}, Drag{0.1, 0}};
  const auto whole = velocity_flow<double>(fields, 1.0), tenth = velocity_flow<double>(fields, 0.1);
  Vec3d v{1, -2, 0.5};
  const Vec3d once = whole(v);
  for (int i = 0; i < 10; ++i) v = tenth(v);
  // Ten times about twenty roundings of values near one.
  EXPECT_NEAR(v.x, once.x, 2e-14);
  EXPECT_NEAR(v.y, once.y, 2e-14);
  EXPECT_NEAR(v.z, once.z, 2e-14);
  // And back.
  const Vec3d back = velocity_flow<double>(fields, -1.0)(once);
  EXPECT_NEAR(back.y, -2, 2e-14);
}

TEST(VelocityFlows, AreThoseOfTheirEquations) {
  const double speed = 1.7, time = 0.8;
  const Vec3d linear = velocity_flow<double>({Drag{0.4, 0}}, time)({speed, 0, 0});
  EXPECT_NEAR(linear.x, speed * std::exp(-0.4 * time), 1e-15);
  const Vec3d quadratic = velocity_flow<double>({Drag{0, 0.4}}, time)({0, speed, 0});
  EXPECT_NEAR(quadratic.y, speed / (1 + 0.4 * speed * time), 1e-15);
  // dv/dt = -2 w cross v: the velocity rotates clockwise about z, by 2 w t.
  const Vec3d turned = velocity_flow<double>({RotatingFrame{{0, 0, 0.9}}}, time)({speed, 0, 0});
  EXPECT_NEAR(turned.x, speed * std::cos(2 * 0.9 * time), 1e-15);
  EXPECT_NEAR(turned.y, -speed * std::sin(2 * 0.9 * time), 1e-15);
}

TEST(VelocityFlows, KeepTheSpeedInFloatForAMillionSteps) {
  const auto flow = velocity_flow<float>({RotatingFrame{{0.1, 0.2, 0.9}}}, 1e-3);
  Vec3<float> v{1, -2, 0.5f};
  for (int i = 0; i < 1'000'000; ++i) v = flow(v);
  // Round-off of the state is a random walk, sqrt(1e6) of 6e-8 / 2. A rotation factor, rounded once
  // and applied a million times, would give a hundred times that.
  EXPECT_NEAR(dot(v, v), 5.25, 5.25 * 3e-4);
}

}  // namespace
}  // namespace mote::sim
