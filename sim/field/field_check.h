#pragma once

#include <string>
#include <vector>

#include "sim/field/fields.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// The largest stable w h of a scheme, for an oscillator of angular frequency w and steps h: the
/// range in which the trace of the step matrix of (x, v / w) stays between -2 and 2. 2 for
/// leapfrog.
double largest_phase(const Step& step);

/// Throws InputError with this location if steps of dt are unstable in a trap, or at the start of a
/// body in a field given by formulas: dt >= largest_phase / w, with w^2 the largest curvature of
/// the potential, from accelerations around the body. Where these jump, nothing is checked.
void check_fields(const std::vector<Field>& fields, const State<engine::Host>& state,
                  const Step& step, double dt, const std::string& location);

}  // namespace mote::sim
