#pragma once

#include <cstdint>

#include "engine/platform.h"
#include "engine/types.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// The bodies that feel a force, by their slots in the state. All bodies act as sources whichever
/// are chosen.
struct ChosenBodies {
  const std::uint32_t* slots = nullptr;  ///< ascending, in the memory of the state; null: all
  engine::Index count = 0;               ///< of slots

  MOTE_HOST_DEVICE bool all() const { return slots == nullptr; }
  /// Number of bodies, of a state of `bodies`.
  MOTE_HOST_DEVICE engine::Index of(engine::Index bodies) const { return all() ? bodies : count; }
};

/// The k-th of them. Usable in kernels, with the pointer alone.
MOTE_HOST_DEVICE inline engine::Index chosen_slot(const std::uint32_t* slots, engine::Index k) {
  return slots ? static_cast<engine::Index>(slots[k]) : k;
}

/// A request to the forces of a system.
///
/// A force adds to the accelerations of `targets`, and touches no other. Its sum for a body does
/// not depend on which others are chosen. Forces that know nothing of chosen bodies and jerks
/// (ModuleInfo::gives_jerks) are asked for all bodies, and for accelerations alone.
struct ForceRequest {
  StageTime time;
  ChosenBodies targets = {};
  /// Where to add the time derivatives of the accelerations [length / time^3], by slot, with the
  /// velocities of the state; null if they are not asked for.
  VectorColumns<double> jerks = {};

  MOTE_HOST_DEVICE bool with_jerks() const { return jerks[0] != nullptr; }
  /// True for accelerations of all bodies, and nothing else.
  MOTE_HOST_DEVICE bool plain() const { return targets.all() && !with_jerks(); }
};

}  // namespace mote::sim
