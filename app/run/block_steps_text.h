#pragma once

#include <string>

#include "engine/units.h"
#include "sim/motion/block_steps.h"

namespace mote::app {

/// "3 bins, from 0.0156 to 0.0625": bins in use, the shortest step of a body and the longest.
std::string block_steps_text(const sim::BlockSteps& steps, const engine::UnitSystem& units);

}  // namespace mote::app
