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
  const bool time = quantity == "time", known = time || quantity == "velocity";
  if (!known || !(units.time_si > 0) || !std::isfinite(largest)) return {units.label(quantity)};
  const double unit_si = time ? units.time_si : units.length_si / units.time_si;
  const Step& step = step_for(largest * unit_si, time ? std::span<const Step>(times) : speeds);
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
