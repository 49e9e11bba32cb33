#pragma once

struct CUevent_st;

namespace mote::render {

/// Memory for the next frame of a simulation: 3 floats per point for positions, one for scalars,
/// one for radii (null if unused). On the device, the writer's stream waits for `ready` before it
/// writes and records `done` afterwards; on the host both are null.
struct SharedTarget {
  int slot = -1;
  float* positions = nullptr;
  float* scalars = nullptr;
  float* radii = nullptr;
  bool on_device = false;
  CUevent_st* ready = nullptr;
  CUevent_st* done = nullptr;
};

}  // namespace mote::render
