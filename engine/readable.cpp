#include "engine/readable.h"

#include <fmt/format.h>

#include <algorithm>
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

std::string readable(double value, double unit_si, std::span<const Step> steps, int digits) {
  if (!(unit_si > 0)) return fmt::format("{:.{}g}", value, digits);
  const double si = value * unit_si;
  const Step* best = &steps.front();
  for (const Step& step : steps)
    if (std::fabs(si) >= step.from) best = &step;
  if (si == 0)
    best =
        &*std::find_if(steps.begin(), steps.end(), [](const Step& step) { return step.si >= 1; });
  return fmt::format("{:.{}g} {}", si / best->si, digits, best->name);
}

}  // namespace

std::string readable_time(double time, const UnitSystem& units, int digits) {
  return readable(time, units.time_si, times, digits);
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
  const double unit = units.time_si > 0 ? units.length_si / units.time_si : 0;
  return readable(speed, unit, speeds, digits);
}

}  // namespace mote::engine
