#pragma once

#include "sim/initial/bodies.h"

namespace mote::sim {

/// Potential energy of the bodies with the gravity and the softening of the context. Up to
/// `most_summed_directly` bodies it is the sum over all pairs. Above, it is that of spheres: each
/// body in the gravity of those nearer to the centre of mass, W = -G sum_i m_i M(< r_i) / r_i,
/// without softening. For a sample of a spherical model the pairs have this on average, with a
/// relative scatter of order 1/n.
double potential_energy(const Bodies& bodies, const MakeContext& context);

inline constexpr engine::Index most_summed_directly = 20000;

/// Scales all velocities so that 2T/|W| has the given value, T measured in the frame of the centre
/// of mass. Bodies without such energies, one alone or massless ones, are brought to rest. No two
/// bodies are at one place, unless there is softening.
void set_virial_ratio(Bodies& bodies, double ratio, const MakeContext& context);

}  // namespace mote::sim
