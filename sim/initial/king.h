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
/// whose density vanishes at the tidal radius. Source: King (1966, AJ 71, 64); Binney & Tremaine
/// (2008), section 4.3.3(c).
struct King {
  std::int64_t n = 1;                       ///< bodies, of equal mass
  double mass = 1;                          ///< total mass
  double w0 = 6;                            ///< depth of the potential at the centre, in sigma^2
  std::optional<double> core_radius = {};   ///< King's r0, length; 1 when neither radius is given
  std::optional<double> tidal_radius = {};  ///< length; replaces core_radius
};

const engine::ParamTable<King>& king_table();
BrokenRelations broken_relations(const King& king);

/// Draws one body.
Sampler sampler(const King& king, double gravitational);

/// Softening is not taken into account.
Bodies make(const King& king, const MakeContext& context);

/// The model for one W0 in units of r0 = 3 sigma / sqrt(4 pi G rho0) and sigma: Poisson's equation
/// integrated outwards by fourth-order Runge-Kutta in steps of 0.005 in ln r, accurate to 1e-9.
/// Sampling assumes uniform density within each shell: an error of 1e-5 in the radial distribution.
struct KingModel {
  explicit KingModel(double w0);

  RadialTable shells;     ///< G M(< r) in sigma^2 r0, up to the tidal radius
  std::vector<double> w;  ///< W at the nodes, from w0 down to 0

  double tidal_radius() const { return shells.radius().back(); }
  double mass() const { return shells.mass_inside().back(); }
};

/// rho(W) = exp(W) erf(sqrt W) - sqrt(4 W / pi) (1 + 2 W / 3), up to a constant factor (King 1966;
/// Binney & Tremaine eq. 4.111).
double king_density(double w);

}  // namespace mote::sim
