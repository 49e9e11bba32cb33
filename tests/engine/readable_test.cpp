#include "engine/readable.h"

#include <gtest/gtest.h>

#include <limits>

namespace mote::test {
namespace {

using engine::axis_unit;
using engine::readable_speed;
using engine::readable_time;

const engine::UnitSystem& units(const char* name) {
  return *engine::unit_system_named(name);
}

TEST(Readable, TimesAreInTheUnitThatAReaderExpects) {
  EXPECT_EQ(readable_time(1.25, units("galactic")), "1.222 Gyr");  // 0.9778 Gyr each
  EXPECT_EQ(readable_time(0.02, units("galactic")), "19.56 Myr");
  EXPECT_EQ(readable_time(4331, units("solar")), "11.86 yr");
  EXPECT_EQ(readable_time(3, units("solar")), "3 day");
  EXPECT_EQ(readable_time(0.5, units("si")), "0.5 s");
  EXPECT_EQ(readable_time(0.05, units("si")), "50 ms");
  EXPECT_EQ(readable_time(90, units("si")), "90 s");
  EXPECT_EQ(readable_time(300, units("si")), "5 min");
  EXPECT_EQ(readable_time(2500, units("molecular")), "2.5 ns");
  EXPECT_EQ(readable_time(0, units("si")), "0 s");
  EXPECT_EQ(readable_time(-7200, units("si")), "-2 h");
}

TEST(Readable, UnitsOfSiHaveTheirNames) {
  EXPECT_EQ(engine::readable_unit(units("si").label("energy")), "J");
  EXPECT_EQ(engine::readable_unit(units("si").label("force")), "N");
  EXPECT_EQ(engine::readable_unit(units("si").label("pressure")), "Pa");
  EXPECT_EQ(engine::readable_unit("kg (m/s)^2/m"), "N");
  EXPECT_EQ(engine::readable_unit(units("galactic").label("energy")), "1e10 Msun (km/s)^2");
  EXPECT_EQ(engine::readable_unit(""), "");
}

TEST(Readable, TimesOfAScaleFreeSystemAreNumbers) {
  EXPECT_EQ(readable_time(0.123456, units("nbody")), "0.1235");
  EXPECT_EQ(readable_speed(2, units("nbody")), "2");
}

/// The earth: 2 pi au in 365.25 days is 29.785 km/s.
TEST(Readable, SpeedsAreInMetresOrKilometresASecond) {
  EXPECT_EQ(readable_speed(2 * 3.14159265 / 365.25, units("solar")), "29.79 km/s");
  EXPECT_EQ(readable_speed(220, units("galactic")), "220 km/s");
  EXPECT_EQ(readable_speed(0.5, units("molecular")), "500 m/s");
  EXPECT_EQ(readable_speed(1.5, units("si")), "1.5 m/s");
}

void expect_unit(const engine::AxisUnit& unit, const char* name, double factor) {
  EXPECT_EQ(unit.name, name);
  EXPECT_NEAR(unit.factor, factor, 1e-9 * factor) << name << ": the sizes below have ten digits";
}

TEST(Readable, AnAxisHasTheUnitOfItsLargestValue) {
  // 1 kpc is 3.0856775814914e16 km, 1 au 149597870.7 km.
  expect_unit(axis_unit("time", 1.25, units("galactic")), "Gyr", 0.9777922217);
  expect_unit(axis_unit("time", 0.02, units("galactic")), "Myr", 977.7922217);
  expect_unit(axis_unit("time", 4331, units("solar")), "yr", 1 / 365.25);
  expect_unit(axis_unit("time", 2500, units("molecular")), "ns", 1e-3);
  expect_unit(axis_unit("velocity", 0.017, units("solar")), "km/s", 1731.456837);
  expect_unit(axis_unit("velocity", -0.5, units("molecular")), "m/s", 1e3);
  expect_unit(axis_unit("length", 5e7, units("si")), "km", 1e-3);
  expect_unit(axis_unit("length", 0.003, units("si")), "mm", 1e3);
  expect_unit(axis_unit("length", 0.2, units("galactic")), "pc", 1e3);
}

// The factor of a unit to itself is exactly 1, so that numbers stay what they are.
TEST(Readable, AnAxisKeepsAUnitThatAReaderExpects) {
  const auto expect_own = [](const char* quantity, double largest, const char* system,
                             const char* name) {
    const engine::AxisUnit unit = axis_unit(quantity, largest, units(system));
    EXPECT_EQ(unit.name, name) << system;
    EXPECT_EQ(unit.factor, 1) << system << ", " << quantity;
  };
  expect_own("time", 90, "si", "s");
  expect_own("time", 0, "si", "s");
  expect_own("time", 100, "solar", "day");
  expect_own("time", 5, "molecular", "ps");
  expect_own("velocity", 220, "galactic", "km/s");
  expect_own("velocity", 3, "si", "m/s");
  expect_own("time", 90, "nbody", "");
  expect_own("velocity", 3, "nbody", "");
  expect_own("length", 5, "galactic", "kpc");
  expect_own("length", 30, "solar", "au");
  expect_own("length", 0.5, "molecular", "nm");
  expect_own("", 3, "galactic", "");
  // Without a size there is no choice.
  expect_own("time", std::numeric_limits<double>::quiet_NaN(), "galactic", "kpc/(km/s)");
}

}  // namespace
}  // namespace mote::test
