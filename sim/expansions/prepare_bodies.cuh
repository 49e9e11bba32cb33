#pragma once

#include "engine/exec/launch.cuh"
#include "sim/space/image_formula.h"
#include "sim/state.h"

/// Makes what expansions need beside the state: charges, and positions in a periodic box.
namespace mote::sim::prepare_bodies {

using engine::Index;

inline constexpr int threads = 256;

/// Wraps positions into a periodic box, and counts the lengths that bodies cross unless
/// `crossed` is null. `from` and `to` may be equal. Positions that are not finite stay.
template <class Real>
__global__ void __launch_bounds__(threads)
    wrap_positions_along(const Real* from, Real* to, Real* crossed, Index count, double low,
                         double length) {
  const Index i = static_cast<Index>(blockIdx.x) * threads + threadIdx.x;
  if (i >= count) return;
  const Real x = from[i];
  if (!isfinite(x)) {
    to[i] = x;
    return;
  }
  const Wrapped<Real> w = wrapped(x, low, length);
  to[i] = w.position;
  if (crossed) crossed[i] += w.lengths;
}

/// Charges of the bodies, by species, and over their masses.
template <class Real>
__global__ void __launch_bounds__(threads)
    set_charges(StateView<const Real> s, const double* of_species, int species_count, Real* charges,
                double* over_mass) {
  const Index i = static_cast<Index>(blockIdx.x) * threads + threadIdx.x;
  if (i >= s.count) return;
  const int species = s.species ? s.species[i] : 0;
  const double charge = species < species_count ? of_species[species] : 0;
  charges[i] = static_cast<Real>(charge);
  over_mass[i] = charge / static_cast<double>(s.mass[i]);
}

}  // namespace mote::sim::prepare_bodies
