#include "engine/quantity.h"

#include <gtest/gtest.h>

#include <numbers>

namespace mote::engine {
namespace {

double in(const char* units, const char* kind, const char* text) {
  const Converted read = convert(text, kind, *unit_system_named(units));
  EXPECT_EQ(read.problem, "") << text;
  return read.value.value_or(0);
}

std::string problem(const char* units, const char* kind, const char* text) {
  const Converted read = convert(text, kind, *unit_system_named(units));
  EXPECT_FALSE(read.value) << text;
  return read.problem + (read.remedy.empty() ? "" : "; " + read.remedy);
}

TEST(Quantities, InTheirOwnUnitsKeepTheirDigits) {
  EXPECT_EQ(in("galactic", "velocity", "220 km/s"), 220);
  EXPECT_EQ(in("galactic", "length", "4.3 kpc"), 4.3);
  EXPECT_EQ(in("galactic", "mass", "3e10 Msun"), 3);
  EXPECT_EQ(in("solar", "velocity", "0.01 au/day"), 0.01);
  EXPECT_EQ(in("solar", "time", "3 days"), 3);
  EXPECT_EQ(in("solar", "time", "12 hours"), 0.5);
  EXPECT_EQ(in("si", "velocity", "-1.5m/s"), -1.5);
}

// Each factor has a few roundings of 1.1e-16: 1e-14 is generous.
TEST(Quantities, AreConverted) {
  EXPECT_NEAR(in("si", "length", "1 au"), 1.495978707e11, 1e-14 * 1.5e11);
  EXPECT_NEAR(in("solar", "time", "1 yr"), 365.25, 1e-14 * 365.25);
  EXPECT_NEAR(in("solar", "velocity", "1 km/s"), 86400 / 1.495978707e8, 1e-17);
  EXPECT_NEAR(in("si", "density", "1 g/cm^3"), 1000, 1e-11);
  EXPECT_NEAR(in("si", "velocity", "1 h^-1 km"), 1 / 3.6, 1e-14);
  EXPECT_NEAR(in("galactic", "time", "1 kpc/(km/s)"), 1, 1e-14);
  EXPECT_NEAR(in("si", "acceleration", "2 km / s / s"), 2000, 1e-11);
}

TEST(Quantities, AnglesBecomeDegreesInEverySystem) {
  EXPECT_EQ(in("nbody", "angle", "30 deg"), 30);
  EXPECT_NEAR(in("nbody", "angle", "1 rad"), 180 / std::numbers::pi, 1e-13);
}

TEST(Quantities, AngularVelocitiesBecomeRadiansPerTime) {
  EXPECT_NEAR(in("si", "angular velocity", "1 turn/min"), 2 * std::numbers::pi / 60, 1e-16);
  EXPECT_NEAR(in("si", "angular velocity", "1 rad/s"), 1, 1e-16);
  EXPECT_NEAR(in("galactic", "angular velocity", "25 km/s/kpc"), 25, 1e-13)
      << "radians are dimensionless";
}

TEST(Quantities, OfExternalForcesAreConverted) {
  EXPECT_NEAR(in("solar", "rate", "1 1/yr"), 1 / 365.25, 1e-17);
  EXPECT_NEAR(in("solar", "rate", "2/yr"), 2 / 365.25, 1e-17);
  EXPECT_NEAR(in("galactic", "inverse length", "1 1/pc"), 1000, 1e-11);
  EXPECT_NEAR(in("si", "gravitational constant", "6.6743e-8 cm^3/g/s^2"), 6.6743e-11, 1e-24);
  EXPECT_EQ(problem("si", "rate", "3 deg/s"),
            "\"3 deg/s\" is an angular velocity, but a rate is needed");
  EXPECT_EQ(problem("si", "acceleration", "3 1"),
            "\"3 1\": a unit is missing; units look like km/s, Msun/pc^3 or kpc/(km/s)");
}

TEST(Quantities, HaveNoComma) {
  EXPECT_EQ(problem("si", "length", "0,1"),
            "\"0,1\" has a comma; numbers have no comma; write 0.1");
  EXPECT_EQ(problem("si", "length", "-2,50 km"),
            "\"-2,50 km\" has a comma; numbers have no comma; write -2.50 km");
  EXPECT_EQ(problem("si", "length", "384,400 km"),
            "\"384,400 km\" has a comma; numbers have no comma; write 384400 km or 384.400 km");
  EXPECT_EQ(problem("si", "length", "1,234,567 m"),
            "\"1,234,567 m\" has a comma; numbers have no comma; write 1234567 m");
  EXPECT_EQ(problem("si", "length", "1,5.0 m"), "\"1,5.0 m\" has a comma; numbers have no comma");
  EXPECT_EQ(problem("si", "length", "1 m, 2").find("\"1 m, 2\": "), 0u);
}

TEST(Quantities, OfAnotherDimensionAreRefused) {
  EXPECT_EQ(problem("galactic", "velocity", "4.3 kpc"),
            "\"4.3 kpc\" is a length, but a velocity is needed");
  EXPECT_EQ(problem("galactic", "length", "4.3 km/s/s"),
            "\"4.3 km/s/s\" is an acceleration, but a length is needed");
  EXPECT_EQ(problem("si", "length", "3 m/m"), "\"3 m/m\" is a pure number, but a length is needed");
  EXPECT_EQ(problem("si", "length", "3 kg^7"),
            "\"3 kg^7\" is another quantity, but a length is needed");
}

TEST(Quantities, WithoutPhysicalUnitsNeedThem) {
  EXPECT_EQ(problem("nbody", "length", "4 kpc"),
            "\"4 kpc\" has a unit, but the unit system 'nbody' has no physical units; give a plain "
            "number, or "
            "choose units = \"si\", \"solar\", \"galactic\" or \"molecular\"");
}

TEST(Quantities, ThatMakeNoSenseNameWhatIsWrong) {
  EXPECT_EQ(problem("si", "length", "3 kmm"), "\"3 kmm\": unknown unit 'kmm'; did you mean 'mm'?");
  EXPECT_EQ(problem("si", "length", "3"),
            "\"3\" has no unit; a number without quotes is in the units of the scene");
  for (const char* text :
       {"3 (m", "3 m)", "3 m^", "3 m^2.5", "3 m^99", "3 /", "3 m//s", "3 m,s", "3 ^2", "3 m^-"})
    EXPECT_NE(problem("si", "length", text), "") << text;
  EXPECT_NE(problem("si", "length", ("3 " + std::string(100000, '(')).c_str()), "");
  EXPECT_NE(problem("si", "", "3 m"), "");
}

TEST(Quantities, NeedAKnownKind) {
  EXPECT_EQ(problem("si", "lenght", "3 m"),
            "\"lenght\" is not a kind of quantity; did you mean 'length'?");
  EXPECT_EQ(problem("si", "km/s", "3 km/s"),
            "\"km/s\" is not a kind of quantity; kinds are: length, mass, time, velocity, "
            "acceleration, angle, "
            "angular "
            "velocity, rate, inverse length, gravitational constant, density, surface density, "
            "energy, force, "
            "pressure, kinematic viscosity, stiffness, surface energy, damping, compliance, "
            "compressibility, inverse energy");
  EXPECT_EQ(problem("si", "", "3 m"),
            "\"3 m\" has a unit, but a pure number is needed; give a plain number");
}

TEST(Quantities, HaveAUnitAfterTheirNumber) {
  for (const char* text : {"3 m", "-3m", "1e3/s"}) EXPECT_TRUE(has_unit(text)) << text;
  for (const char* text : {"", "m", "3", "3 ", "1e3"}) EXPECT_FALSE(has_unit(text)) << text;
}

TEST(Quantities, BeginWithANumber) {
  for (const char* text : {"3 m", "-3m", "+.5 m", "1e3"})
    EXPECT_TRUE(looks_like_quantity(text)) << text;
  for (const char* text : {"", "m", " 3 m", "three", "/3"})
    EXPECT_FALSE(looks_like_quantity(text)) << text;
}

}  // namespace
}  // namespace mote::engine
