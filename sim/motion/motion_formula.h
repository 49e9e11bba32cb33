#pragma once

#include "engine/math/vec.h"

namespace mote::sim {

/// The two halves of a symplectic step for H = T(v) + U(x): each is the exact flow of one term of
/// the Hamiltonian (Yoshida 1990, Phys. Lett. A 150, 262, eq. 1.6). `h`: duration [time], a
/// fraction of a step. Values are numbers or vectors.
///
/// Kick: v' = v + h a.
template <class Value, class T>
MOTE_FORMULA Value kick(Value velocity, Value acceleration, T h) {
  return velocity + h * acceleration;
}

/// Drift: x' = x + h v.
template <class Value, class T>
MOTE_FORMULA Value drift(Value position, Value velocity, T h) {
  return position + h * velocity;
}

}  // namespace mote::sim
