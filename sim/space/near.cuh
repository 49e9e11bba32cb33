#pragma once

#include "engine/exec/launch.cuh"
#include "sim/space/cells_device.h"
#include "sim/space/image_formula.h"
#include "sim/space/neighbour_runs.h"

namespace mote::sim {

/// Neighbours that a thread finds before it uses them, in shared memory. Those of a plane of cells of an even fluid, whose
/// smoothing length is 1.5 spacings, and some more.
template <int lanes>
inline constexpr int most_found = lanes == 1 ? 96 : 32;

/// Shared memory of a block that calls for_each_near.
template <int lanes>
constexpr std::size_t near_bytes(unsigned threads) {
  return threads * most_found<lanes> * sizeof(std::int32_t);
}

/// Calls use(q, place[q], d) for those neighbours of place p that are found by thread `lane` of its `lanes`: q is their place, and
/// d the separation x_q - x_p of the nearest images. Returns how many. `place`: records with x, y, z.
///
/// Threads of a warp have the same candidates for the most part: they look at 32 of them without a branch, read together, and
/// write down those within reach. What they found they use when they have looked through a plane of cells or there is no room for
/// more, so that none waits long for those who found more. When that is changes no bit.
template <int lanes, class Place, class Real, class Use>
__device__ __forceinline__ int for_each_near(const DeviceCellView<Real>& cells, const Place* place, int p,
                                             int lane, Real squared_reach, Use&& use) {
  if (p >= cells.count) return 0;
  using N = engine::Number<Real>;
  std::int32_t* const found = engine::shared_memory<std::int32_t>() + threadIdx.x;
  const auto stride = static_cast<int>(blockDim.x);
  const Real own[3] = {place[p].x, place[p].y, place[p].z};
  const int cell = cells.cell[cells.column[p]];
  const bool border = is_at_border(*cells.cells, cell);
  NeighbourRuns runs(*cells.cells, cells.start, cell);
  NeighbourRun run{};
  std::int32_t next = 0, end = 0;
  Real x = 0, y = 0, z = 0;
  unsigned mask = 0;
  std::int32_t first = 0;
  int waiting = 0, all = 0;
  for (bool more = true; more;) {
    for (;;) {
      if (next >= end) {
        const int plane = run.plane;
        more = runs.next(run);
        if (!more) break;
        next = run.begin + lane, end = run.end;
        x = own[0] - static_cast<Real>(run.shift[0]), y = own[1] - static_cast<Real>(run.shift[1]);
        z = own[2] - static_cast<Real>(run.shift[2]);
        if (run.plane != plane && waiting > 0) break;
        continue;
      }
      if (mask == 0) {
        first = next;
        const int left = (end - first + lanes - 1) / lanes, some = left < 32 ? left : 32;
#pragma unroll 4
        for (int k = 0; k < some; ++k) {
          const auto& other = place[first + k * lanes];
          const Real dx = other.x - x, dy = other.y - y, dz = other.z - z;
          mask |= N::multiply_add(dz, dz, N::multiply_add(dy, dy, dx * dx)) < squared_reach ? 1u << k : 0u;
        }
        const int self = p - first;
        if (self >= 0 && self < 32 * lanes && self % lanes == 0) mask &= ~(1u << self / lanes);
      }
      if (waiting + __popc(mask) > most_found<lanes>) break;
      for (; mask != 0; mask &= mask - 1)
        found[stride * waiting++] = first + (__ffs(static_cast<int>(mask)) - 1) * lanes;
      next += 32 * lanes;
    }
    for (int k = 0; k < waiting; ++k) {
      const std::int32_t q = found[stride * k];
      const Place other = place[q];
      Real dx = other.x - own[0], dy = other.y - own[1], dz = other.z - own[2];
      if (border) {
        dx = nearest_image(dx, cells.length[0], cells.inverse[0]);
        dy = nearest_image(dy, cells.length[1], cells.inverse[1]);
        dz = nearest_image(dz, cells.length[2], cells.inverse[2]);
      }
      use(q, other, engine::Vec3<Real>{dx, dy, dz});
    }
    all += waiting;
    waiting = 0;
  }
  return all;
}

}  // namespace mote::sim
