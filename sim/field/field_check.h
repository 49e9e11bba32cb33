#pragma once

#include <string>
#include <vector>

#include "sim/field/fields.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// The largest w h for which steps h of an oscillator of angular frequency w stay bounded: up to
/// there the trace of the matrix that takes x and v / w over a step lies between -2 and 2. 2 for
/// leapfrog.
double largest_phase(const Step& step);

/// Throws InputError with this place when steps of dt are not stable in a trap, or in a field given
/// by formulas where one of the bodies starts: dt >= largest_phase / w, with w^2 the largest
/// curvature of its potential, which is taken from accelerations around the body. Where these jump
/// there is no curvature, and nothing is said.
void check_fields(const std::vector<Field>& fields, const State<engine::Host>& state,
                  const Step& step, double dt, const std::string& place);

}  // namespace mote::sim
