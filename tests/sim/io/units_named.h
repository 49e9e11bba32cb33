#pragma once

#include "engine/units.h"

namespace mote::sim {

inline const engine::UnitSystem& units(const char* name) {
  return *engine::unit_system_named(name);
}

}  // namespace mote::sim
