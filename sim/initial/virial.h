#pragma once

#include "sim/initial/bodies.h"

namespace mote::sim {

/// Potential energy of the bodies with the G and softening of the context. Up to
/// `max_direct_bodies` bodies it is the sum over all pairs. Above, spherical symmetry is assumed:
/// W = -G sum_i m_i M(< r_i) / r_i about the centre of mass, without softening. For a sample of a
/// spherical model the pair sum equals this on average, with a relative scatter of order 1/n.
double potential_energy(const Bodies& bodies, const MakeContext& context);

inline constexpr engine::Index max_direct_bodies = 20000;

/// Scales all velocities so that 2T/|W| has the given value, with T in the centre-of-mass frame. A
/// single body or massless bodies, where the ratio is undefined, are brought to rest. Without
/// softening, no two bodies may coincide.
void set_virial_ratio(Bodies& bodies, double ratio, const MakeContext& context);

}  // namespace mote::sim
