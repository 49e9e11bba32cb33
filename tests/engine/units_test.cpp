#include "engine/units.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

namespace mote::engine {
namespace {

/// Round-off of a few operations.
constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();

/// The nominal solar mass parameter has eight digits, 1.3271244e20: an error of half the last one.
constexpr double eight_digits = 0.5e-7 / 1.3271244;

void expect_close(double value, double expected, double relative) {
  EXPECT_LE(std::abs(value / expected - 1), relative) << value << ", expected " << expected;
}

const UnitSystem& named(const char* name) {
  const UnitSystem* found = unit_system_named(name);
  if (!found) throw std::runtime_error(name);
  return *found;
}

// The light time for 1 au is 499.004783836 s (IERS Conventions 2010, table 1.1; 1e-11 of it is
// 1.5 m).
TEST(Units, AstronomicalUnitIsItsLightTime) {
  expect_close(constant::astronomical_unit, 499.004783836 * 299792458.0, 2e-12);
}

// The IAU's definition, and 3.261563777 light years to the digits given.
TEST(Units, ParsecIsSixHundredFortyEightThousandOverPiAstronomicalUnits) {
  const double pi = 3.14159265358979323846;
  expect_close(constant::parsec, 648000 / pi * constant::astronomical_unit, rounding);
  expect_close(constant::parsec, 3.261563777 * 299792458.0 * constant::julian_year, 0.5e-9 / 3.26);
}

// JPL DE440 (Park et al. 2021, AJ 161, 105): 1.32712440041279419e20 m^3/s^2.
TEST(Units, SolarMassParameterIsThatOfTheEphemerides) {
  expect_close(constant::solar_mass_parameter, 1.32712440041279419e20, eight_digits);
}

// 1.98841e30 kg (Particle Data Group 2022, astrophysical constants), to the digits given.
TEST(Units, SolarMassIsThePublishedOne) {
  expect_close(constant::solar_mass, 1.98841e30, 0.5e-5 / 1.98841);
}

TEST(Units, GravitationalConstantOfSolarUnitsIsTheSquareOfTheGaussian) {
  const UnitSystem& solar = named("solar");
  expect_close(solar.gravitational, 0.01720209895 * 0.01720209895, rounding);
  // Kepler's third law: at 1 au, a massless planet takes the Gaussian year, 365.2568983 days, to
  // the digits given.
  const double pi = 3.14159265358979323846;
  expect_close(2 * pi / std::sqrt(solar.gravitational), 365.2568983, 0.5e-7 / 365.2568983);
}

// 4.30091727e-3 pc (km/s)^2 / Msun, nine digits; and the 43007.1 of the Gadget codes, from older
// constants that differ from ours in the fourth digit (G = 6.672e-11, Msun = 1.989e30 kg).
TEST(Units, GravitationalConstantOfGalacticUnitsIsTheUsualOne) {
  const UnitSystem& galactic = named("galactic");
  expect_close(galactic.gravitational, 4.30091727e-3 * 1e10 / 1e3, eight_digits);
  expect_close(galactic.gravitational, 43007.1, 1e-4);
}

TEST(Units, GalacticTimeIsNearlyAGigayear) {
  const UnitSystem& galactic = named("galactic");
  expect_close(galactic.time_si / (1e9 * constant::julian_year), 0.977792222, 0.5e-9 / 0.98);
  expect_close(galactic.length_si / galactic.time_si, 1e3, rounding);  // its velocity is km/s
}

// G derived from the units must be G of the system. The solar mass is the mass parameter divided by
// CODATA's G, so the error of G (2e-5) cancels; the mass parameter's eight digits, compared with
// Gauss's constant, remain.
TEST(Units, EverySystemAgreesWithItsUnitsInSi) {
  int dimensional = 0;
  for (const UnitSystem& u : unit_systems()) {
    if (u.length_si == 0) continue;
    ++dimensional;
    const double from_units = constant::gravitational * u.mass_si * u.time_si * u.time_si /
                              (u.length_si * u.length_si * u.length_si);
    SCOPED_TRACE(u.name);
    expect_close(u.gravitational, from_units, u.name == "solar" ? eight_digits : rounding);
  }
  EXPECT_EQ(dimensional, 4);
}

TEST(Units, NbodyUnitsHaveNoDimensions) {
  const UnitSystem& nbody = named("nbody");
  EXPECT_EQ(nbody.gravitational, 1);
  EXPECT_EQ(nbody.length_si, 0);
  EXPECT_EQ(nbody.time_si, 0);
  EXPECT_EQ(nbody.mass_si, 0);
  for (const char* quantity :
       {"length", "time", "mass", "velocity", "acceleration", "force", "rate"})
    EXPECT_EQ(nbody.label(quantity), "");
}

TEST(Units, SystemsAreFoundByTheirNamesAlone) {
  std::set<std::string> names;
  for (const UnitSystem& u : unit_systems()) {
    EXPECT_EQ(unit_system_named(u.name), &u);
    names.insert(u.name);
  }
  EXPECT_EQ(names, (std::set<std::string>{"galactic", "molecular", "nbody", "si", "solar"}));
  for (const char* word : {"", "SI", "cgs"}) EXPECT_EQ(unit_system_named(word), nullptr);
}

TEST(Units, LabelsFollowTheQuantity) {
  const UnitSystem& galactic = named("galactic");
  EXPECT_EQ(galactic.label("length"), "kpc");
  EXPECT_EQ(galactic.label("time"), "kpc/(km/s)");
  EXPECT_EQ(galactic.label("mass"), "1e10 Msun");
  EXPECT_EQ(galactic.label("velocity"), "km/s");
  EXPECT_EQ(galactic.label("angle"), "degrees");
  EXPECT_EQ(galactic.label("acceleration"), "km/s/(kpc/(km/s))");
  EXPECT_EQ(named("si").label("acceleration"), "m/s/s");
  EXPECT_EQ(named("si").label("force"), "kg m/s/s");
  EXPECT_EQ(named("solar").label("rate"), "1/day");
  EXPECT_EQ(galactic.label("inverse length"), "1/kpc");
  EXPECT_EQ(galactic.label("angular velocity"), "rad/(kpc/(km/s))");
  EXPECT_EQ(named("nbody").label("angular velocity"), "radians per unit of time");
  EXPECT_EQ(galactic.label("gravitational constant"), "(km/s)^2 kpc/(1e10 Msun)");
  EXPECT_EQ(galactic.label(""), "");
  EXPECT_EQ(galactic.label("charge"), "");
}

}  // namespace
}  // namespace mote::engine
