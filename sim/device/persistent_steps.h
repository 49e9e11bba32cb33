#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/types.h"

namespace mote::sim {

inline constexpr std::size_t largest_force_count = 8;  ///< force evaluations per step
inline constexpr int persistent_block_threads = 512;
/// Largest number of bodies for one cluster: its barrier is fast, but above this the whole GPU is
/// faster (measured on an H200).
inline constexpr engine::Index largest_cluster_count = 96;

/// Where the kernel stores positions and velocities for measurements: after step `first` of this
/// run (counted from 1) and every `every` steps from there, one sample after the other, each six
/// columns x y z vx vy vz in the state's number type.
struct StepSamples {
  void* to = nullptr;
  std::uint64_t first = 0, every = 0;  ///< every = 0: none
};

}  // namespace mote::sim
