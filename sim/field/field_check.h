#pragma once

#include <string>
#include <vector>

#include "sim/field/fields.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// Throws InputError with this location if steps of dt are unstable in a trap, or at the start of a
/// body in a field given by formulas: dt >= largest_phase / w, with w^2 the largest curvature of
/// the potential, from accelerations around the body. Where these jump, nothing is checked.
void check_fields(const std::vector<Field>& fields, const State<engine::Host>& state,
                  const Step& step, double dt, const std::string& location);

}  // namespace mote::sim
