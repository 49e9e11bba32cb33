#pragma once

#include <cstdint>

#include "engine/platform.h"
#include "engine/types.h"

/// The chosen bodies of a request, along the curve of a tree.
namespace mote::sim::chosen_targets {

inline constexpr int threads = 256;

/// Marks the slots of chosen bodies.
__global__ void __launch_bounds__(threads)
    mark_slots(const std::uint32_t* slots, engine::Index count, std::uint32_t* marks) {
  const engine::Index k = static_cast<engine::Index>(blockIdx.x) * threads + threadIdx.x;
  if (k < count) marks[slots[k]] = 1;
}

/// Marks by place along the curve: 1 for a chosen body. One more, of none.
__global__ void __launch_bounds__(threads)
    mark_along_curve(const std::uint32_t* order, const std::uint32_t* marks, engine::Index count,
                     std::uint32_t* along) {
  const engine::Index k = static_cast<engine::Index>(blockIdx.x) * threads + threadIdx.x;
  if (k <= count) along[k] = k < count ? marks[order[k]] : 0;
}

}  // namespace mote::sim::chosen_targets
