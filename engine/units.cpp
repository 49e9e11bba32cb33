#include "engine/units.h"

namespace mote::engine {
namespace {

UnitSystem galactic() {
  UnitSystem u;
  u.name = "galactic";
  u.length = "kpc";
  u.time = "kpc/(km/s)";
  u.mass = "1e10 Msun";
  u.velocity = "km/s";
  u.length_si = 1e3 * constant::parsec;
  u.time_si = u.length_si / 1e3;
  u.mass_si = 1e10 * constant::solar_mass;
  // G M_sun is known far more precisely than G: use it, in (km/s)^2 kpc per 1e10 solar masses.
  u.gravitational = 1e10 * constant::solar_mass_parameter / (u.length_si * 1e6);
  return u;
}

/// The unit, in brackets if it is a quotient or a product.
std::string as_divisor(const std::string& unit) {
  return unit.find_first_of("/ ") == std::string::npos ? unit : "(" + unit + ")";
}

std::vector<UnitSystem> make_systems() {
  using namespace constant;
  return {
      {"nbody", "", "", "", "", 1.0, 0, 0, 0},
      {"si", "m", "s", "kg", "m/s", gravitational, 1, 1, 1},
      {"solar", "au", "day", "Msun", "au/day", gauss * gauss, astronomical_unit, day, solar_mass},
      galactic(),
      {"molecular", "nm", "ps", "u", "nm/ps", gravitational * dalton * 1e-24 / 1e-27, 1e-9, 1e-12,
       dalton},
  };
}

}  // namespace

double UnitSystem::coulomb() const {
  if (length_si == 0) return 1;
  const double energy = mass_si * (length_si / time_si) * (length_si / time_si);
  return constant::elementary_charge_squared / (energy * length_si);
}

std::string UnitSystem::label(std::string_view quantity) const {
  if (quantity == "angle") return "degrees";
  if (quantity == "angular velocity")
    return time.empty() ? "radians per unit of time" : "rad/" + as_divisor(time);
  if (length.empty()) return "";
  if (quantity == "length") return length;
  if (quantity == "time") return time;
  if (quantity == "mass") return mass;
  if (quantity == "velocity") return velocity;
  if (quantity == "density") return mass + "/" + as_divisor(length) + "^3";
  if (quantity == "acceleration") return velocity + "/" + as_divisor(time);
  if (quantity == "force") return mass + " " + velocity + "/" + as_divisor(time);
  if (quantity == "momentum") return mass + " " + velocity;
  if (quantity == "rate") return "1/" + as_divisor(time);
  if (quantity == "inverse length") return "1/" + length;
  if (quantity == "energy") return name == "molecular" ? "kJ/mol" : mass + " (" + velocity + ")^2";
  if (quantity == "specific energy") return "(" + velocity + ")^2";
  if (quantity == "pressure") return mass + "/(" + length + " " + as_divisor(time) + "^2)";
  if (quantity == "gravitational constant")
    return "(" + velocity + ")^2 " + length + "/" + as_divisor(mass);
  return "";
}

const std::vector<UnitSystem>& unit_systems() {
  static const std::vector<UnitSystem> systems = make_systems();
  return systems;
}

const UnitSystem* unit_system_named(std::string_view name) {
  for (const UnitSystem& u : unit_systems())
    if (u.name == name) return &u;
  return nullptr;
}

}  // namespace mote::engine
