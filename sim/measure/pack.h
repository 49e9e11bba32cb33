#pragma once

#include "engine/exec/policy.h"
#include "engine/math/vec.h"
#include "sim/measure/scalars.h"
#include "sim/state.h"

struct CUevent_st;

namespace mote::sim {

/// Where a frame of points goes: places, 3 floats a body, as offsets from `origin` (subtracted in double, so that
/// bodies far from zero keep their digits); and one scalar of each body.
struct PackTarget {
  float* positions = nullptr;  ///< 3 n
  float* scalars = nullptr;    ///< n
  engine::Vec3d origin{};      ///< [length]
  Scalar scalar = Scalar::speed;
  /// Memory of the device that steps. Then the simulation's stream waits for `ready` before it writes, and records
  /// `done` behind; both may be null.
  bool on_device = false;
  CUevent_st* ready = nullptr;
  CUevent_st* done = nullptr;
};

/// Bodies are written in the order of their columns. `target` is host memory.
void pack(const engine::Cpu& exec, const State<engine::Host>& state, const PackTarget& target);

/// `target` on the device: does not wait. On the host: by way of a piece of device memory, and waits.
void pack(const engine::Cuda& exec, const State<engine::Device>& state, const PackTarget& target);

}  // namespace mote::sim
