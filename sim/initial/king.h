#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/params.h"
#include "sim/initial/bodies.h"
#include "sim/initial/generate.h"
#include "sim/initial/radial_table.h"
#include "sim/initial/relations.h"

namespace mote::sim {

/// King's model of a star cluster in equilibrium: a lowered Maxwellian, f ~ exp(-E / sigma^2) - 1,
/// whose density ends by itself at the tidal radius. Source: King (1966, AJ 71, 64); Binney &
/// Tremaine (2008), section 4.3.3(c).
struct King {
  std::int64_t n = 1;                       ///< bodies, of equal mass
  double mass = 1;                          ///< of all bodies
  double w0 = 6;                            ///< depth of the potential at the centre, in sigma^2
  std::optional<double> core_radius = {};   ///< King's r0, length; 1 when neither radius is given
  std::optional<double> tidal_radius = {};  ///< length; decides instead of core_radius
};

const engine::ParamTable<King>& king_table();
BrokenRelations broken_relations(const King& king);

/// One body of it.
Sampler sampler(const King& king, double gravitational);

/// The softening is not taken into account.
Bodies make(const King& king, const MakeContext& context);

/// The model of one W0 in units of r0 = 3 sigma / sqrt(4 pi G rho0) and sigma: Poisson's equation
/// integrated outwards by Runge and Kutta's fourth order in steps of 0.005 in ln r, to 1e-9.
/// Drawing takes the density to be uniform within each shell of 0.005 in ln r: 1e-5 in the
/// distribution of radii.
struct KingModel {
  explicit KingModel(double w0);

  RadialTable shells;  ///< G times the mass inside each radius, in sigma^2 r0; ends at the tidal
                       ///< radius
  std::vector<double> well;  ///< W at the nodes, from w0 down to 0

  double tidal_radius() const { return shells.radius().back(); }
  double mass() const { return shells.mass_inside().back(); }
};

/// rho(W) = exp(W) erf(sqrt W) - sqrt(4 W / pi) (1 + 2 W / 3), in proportion (King 1966; Binney &
/// Tremaine eq. 4.111).
double king_density(double w);

}  // namespace mote::sim
