#pragma once

#include <optional>
#include <string>

#include "engine/params.h"
#include "sim/initial/bodies.h"
#include "sim/initial/relations.h"

namespace mote::sim {

/// One body on a Kepler orbit about a primary at rest at the origin, in the x-y plane,
/// counter-clockwise seen from +z. Inclination, node, and the primary's position and velocity are
/// applied by its placement. mu = G (central_mass + mass). Source: Murray & Dermott (1999), Solar
/// System Dynamics, section 2.8. Softening is not taken into account.
struct Orbit {
  std::string name = {};
  double mass = 0;                             ///< mass of the body
  double central_mass = 0;                     ///< mass of the primary, > 0
  std::optional<double> semi_major_axis = {};  ///< length; negative for a hyperbola
  std::optional<double> periapsis = {};        ///< distance, length; instead of the semi-major axis
  double eccentricity = 0;                     ///< >= 0
  double argument_of_periapsis = 0;            ///< degrees
  std::optional<double> mean_anomaly = {};     ///< degrees; 0 when neither anomaly is given
  std::optional<double> true_anomaly = {};     ///< degrees
  std::string color = {};                      ///< "#rrggbb"; "": by the view
  double display_radius = 0;                   ///< 0: as others
};

const engine::ParamTable<Orbit>& orbit_table();
BrokenRelations broken_relations(const Orbit& orbit);

Bodies make(const Orbit& orbit, const MakeContext& context);

}  // namespace mote::sim
