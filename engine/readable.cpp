#include "engine/readable.h"

#include <fmt/format.h>

#include <cmath>
#include <span>
#include <utility>

namespace mote::engine {
namespace {

/// A unit, and the least value in SI that is shown in it.
struct Step {
  const char* name;
  double si, from;
};

constexpr double year = constant::julian_year;

/// Ascending. Seconds are shown from a tenth, and minutes, hours and days from two.
constexpr Step times[]{{"fs", 1e-15, 0},
                       {"ps", 1e-12, 1e-12},
                       {"ns", 1e-9, 1e-9},
                       {"us", 1e-6, 1e-6},
                       {"ms", 1e-3, 1e-3},
                       {"s", 1, 0.1},
                       {"min", 60, 120},
                       {"h", 3600, 7200},
                       {"day", 86400, 2 * 86400},
                       {"yr", year, year},
                       {"kyr", 1e3 * year, 1e3 * year},
                       {"Myr", 1e6 * year, 1e6 * year},
                       {"Gyr", 1e9 * year, 1e9 * year}};
constexpr Step speeds[]{
    {"um/s", 1e-6, 0}, {"mm/s", 1e-3, 1e-3}, {"m/s", 1, 0.1}, {"km/s", 1e3, 1e3}};
constexpr double au = constant::astronomical_unit, parsec = constant::parsec;
constexpr Step lengths[]{{"nm", 1e-9, 0},
                         {"um", 1e-6, 1e-6},
                         {"mm", 1e-3, 1e-3},
                         {"m", 1, 0.01},
                         {"km", 1e3, 1e3},
                         {"au", au, 0.1 * au},
                         {"pc", parsec, 0.1 * parsec},
                         {"kpc", 1e3 * parsec, 1e3 * parsec},
                         {"Mpc", 1e6 * parsec, 1e6 * parsec}};

/// Zero has no magnitude: the unit of SI.
const Step& step_for(double si, std::span<const Step> steps) {
  const Step* best = &steps.front();
  for (const Step& step : steps)
    if (si == 0 ? step.si <= 1 : std::fabs(si) >= step.from) best = &step;
  return *best;
}

std::string readable(std::string_view quantity, double value, const UnitSystem& units, int digits) {
  const AxisUnit unit = axis_unit(quantity, value, units);
  return fmt::format("{:.{}g}{}{}", value * unit.factor, digits, unit.name.empty() ? "" : " ",
                     unit.name);
}

}  // namespace

AxisUnit axis_unit(std::string_view quantity, double largest, const UnitSystem& units) {
  std::span<const Step> steps;
  double unit_si = 0;
  if (quantity == "time") steps = times, unit_si = units.time_si;
  if (quantity == "length") steps = lengths, unit_si = units.length_si;
  if (quantity == "velocity" && units.time_si > 0)
    steps = speeds, unit_si = units.length_si / units.time_si;
  if (!(unit_si > 0) || !std::isfinite(largest)) return {units.label(quantity)};
  const Step& step = step_for(largest * unit_si, steps);
  return {step.name, unit_si / step.si};
}

std::string readable_time(double time, const UnitSystem& units, int digits) {
  return readable("time", time, units, digits);
}

std::string readable_unit(const std::string& label) {
  for (const auto& [composite, name] : {std::pair{"kg (m/s)^2", "J"},
                                        {"kg (m/s)^2/m", "N"},
                                        {"kg m/s/s", "N"},
                                        {"kg/(m s^2)", "Pa"}})
    if (label == composite) return name;
  return label;
}

std::string readable_speed(double speed, const UnitSystem& units, int digits) {
  return readable("velocity", speed, units, digits);
}

}  // namespace mote::engine
