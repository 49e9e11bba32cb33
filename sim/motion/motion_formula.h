#pragma once

#include "engine/math/vec.h"

namespace mote::sim {

/// The two halves of a symplectic step for H = T(v) + U(x): each is the exact flow of one term of
/// the Hamiltonian (Yoshida 1990, Phys. Lett. A 150, 262, eq. 1.6). `h` is a fraction of the time
/// step.
///
/// Kick: v' = v + h a.
template <class T>
MOTE_FORMULA T kick(T velocity, T acceleration, T h) {
  return velocity + h * acceleration;
}

/// Drift: x' = x + h v.
template <class T>
MOTE_FORMULA T drift(T position, T velocity, T h) {
  return position + h * velocity;
}

}  // namespace mote::sim
