#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mote::engine {

/// Physical constants in SI, each with its source.
namespace constant {
inline constexpr double gravitational = 6.67430e-11;         ///< m^3 kg^-1 s^-2, CODATA 2018
inline constexpr double astronomical_unit = 1.495978707e11;  ///< m, exact, IAU 2012 resolution B2
inline constexpr double parsec = 3.0856775814913673e16;  ///< m, 648000/pi au, IAU 2015 resolution
                                                         ///< B2
inline constexpr double day = 86400.0;                   ///< s, exact
inline constexpr double julian_year = 365.25 * day;      ///< s, exact, IAU
inline constexpr double solar_mass_parameter = 1.3271244e20;  ///< m^3 s^-2, nominal, IAU 2015
                                                              ///< resolution B3
inline constexpr double solar_mass = solar_mass_parameter / gravitational;  ///< kg
inline constexpr double boltzmann = 1.380649e-23;                           ///< J/K, exact, SI 2019
inline constexpr double dalton = 1.66053906660e-27;                         ///< kg, CODATA 2018
inline constexpr double avogadro = 6.02214076e23;                           ///< exact, SI 2019
inline constexpr double elementary_charge_squared = 2.3070775523e-28;  ///< e^2 / (4 pi epsilon_0),
                                                                       ///< J m, CODATA 2018
inline constexpr double gauss = 0.01720209895;  ///< au^1.5 day^-1 Msun^-0.5, IAU 1976 (k)
}  // namespace constant

/// A system of units. Numbers in scenes, states and files are in these units; `gravitational`
/// follows from them.
struct UnitSystem {
  std::string name;          ///< si, nbody, solar, galactic, molecular
  std::string length;        ///< label of the unit of length: "m", "", "au", "kpc"
  std::string time;          ///< label
  std::string mass;          ///< label
  std::string velocity;      ///< label
  double gravitational = 1;  ///< G in these units
  double length_si = 0;      ///< unit of length [m]; 0 in a dimensionless system
  double time_si = 0;        ///< unit of time [s]
  double mass_si = 0;        ///< unit of mass [kg]

  /// Energy of two elementary charges at unit distance, in these units; 1 in a dimensionless
  /// system.
  double coulomb() const;

  /// Label of a kind of quantity (engine/quantity.h): "kpc" for a length, "km/s/(kpc/(km/s))" for
  /// an acceleration. "" for pure numbers, unknown kinds, and in a dimensionless system; but angles
  /// are in degrees and angular velocities in radians per unit of time in every system.
  std::string label(std::string_view quantity) const;
};

/// si; nbody (G = 1); solar (au, day, solar mass, G = k^2); galactic (kpc, 1e10 solar masses,
/// km/s); molecular (nm, ps, dalton; energies in kJ/mol, charges in elementary charges).
const std::vector<UnitSystem>& unit_systems();

/// Null if no system has this name.
const UnitSystem* unit_system_named(std::string_view name);

}  // namespace mote::engine
