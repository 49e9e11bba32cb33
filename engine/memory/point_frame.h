#pragma once

struct CUevent_st;

namespace mote::engine {

/// Memory for the points of one picture, from a simulation that writes them to the program that
/// draws them. A view; plain, so that kernels can take it.
struct PointFrame {
  float* positions = nullptr;  ///< 3 n: x, y, z of each point
  float* scalars = nullptr;    ///< n
  float* radii = nullptr;      ///< n; null: none
  bool on_device = false;      ///< the buffers are in device memory
  /// On the device: the writer's stream waits for `ready` before it writes and records `done`
  /// afterwards; both may be null.
  CUevent_st* ready = nullptr;
  CUevent_st* done = nullptr;
};

}  // namespace mote::engine
