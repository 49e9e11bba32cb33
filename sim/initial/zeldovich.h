#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/params.h"
#include "sim/initial/bodies.h"
#include "sim/initial/relations.h"

namespace mote::sim {

/// Cold matter with small random fluctuations of density, from which gravity makes filaments and
/// clumps: a cubic lattice in a box or a sphere about the origin, each body moved from its place q
/// to q + s(q), s by the approximation of Zel'dovich (1970, A&A 5, 84). To first order the density
/// contrast is then delta(q) = -div s, a sum of waves with the power spectrum k^spectral_index
/// whose root mean square in the enclosing cube is `amplitude` (WaveSpectrum).
///
/// At rest, or expanding: v = H x + (dlnD/dt) s, H = expansion times sqrt(8 pi G rho / 3), with the
/// growing mode alone (growing_mode.h). An expansion h below 1 turns round when it has become
/// 1 / (1 - h^2) times as large, and collapses.
///
/// The box fills a periodic domain of the same size, and its waves fit into it. Waves shorter than
/// two spacings of the lattice, which its bodies cannot represent, are left out.
struct Zeldovich {
  std::int64_t n = 1;            ///< bodies, of equal mass; in a box a cube such as 64^3
  double mass = 1;               ///< total mass
  std::string shape = "sphere";  ///< sphere or box
  double size = 2;               ///< diameter of the sphere, or side of the box, length
  double amplitude = 0.1;        ///< rms of the density contrast
  double spectral_index = -2;
  std::int64_t waves = 8;                ///< shortest wavelength: size / waves
  std::optional<double> expansion = {};  ///< rate over the critical one, 0 to 1; none: at rest
};

const engine::ParamTable<Zeldovich>& zeldovich_table();
BrokenRelations broken_relations(const Zeldovich& zeldovich);

/// Softening is not taken into account.
Bodies make(const Zeldovich& zeldovich, const MakeContext& context);

}  // namespace mote::sim
