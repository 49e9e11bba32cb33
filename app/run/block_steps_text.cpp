#include "app/run/block_steps_text.h"

#include "engine/readable.h"
#include "engine/text.h"

namespace mote::app {

std::string block_steps_text(const sim::BlockSteps& steps, const engine::UnitSystem& units) {
  return engine::counted(steps.in_use(), "bin") + ", from " +
         engine::readable_time(steps.shortest(), units) + " to " +
         engine::readable_time(steps.longest_in_use(), units);
}

}  // namespace mote::app
