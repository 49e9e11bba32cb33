#pragma once

#include "sim/step.h"

namespace mote::sim {

/// The largest stable w h of a scheme, for an oscillator of angular frequency w and steps h: the
/// range in which the trace of the step matrix of (x, v / w) stays between -2 and 2. 2 for
/// leapfrog.
double largest_phase(const Step& step);

/// The longest stable step of a scheme for x'' = -squared_rate x - damping x', whose damping is
/// that of the velocity at the evaluation of forces, squared_rate > 0. For leapfrog it is the root
/// of squared_rate h^2 + 2 damping h = 4, from the determinant 1 - damping h and the trace
/// 2 - damping h - squared_rate h^2 of its step.
double longest_damped_step(const Step& step, double squared_rate, double damping);
/// Whether steps of length h are shorter than that.
bool is_stable_step(const Step& step, double squared_rate, double damping, double h);

}  // namespace mote::sim
