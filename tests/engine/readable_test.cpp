#include "engine/readable.h"

#include <gtest/gtest.h>

namespace mote::test {
namespace {

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

}  // namespace
}  // namespace mote::test
