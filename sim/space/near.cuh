#pragma once

#include "engine/exec/launch.cuh"
#include "sim/space/cells_device.h"
#include "sim/space/image_formula.h"
#include "sim/space/neighbour_runs.h"

namespace mote::sim {

/// Candidates that a thread has looked at together: which of those from `first` on, `lanes` apart, are near.
struct FoundNear {
  std::int32_t first;
  unsigned mask;
};

/// How many of them a thread keeps in shared memory before it uses them: where cells hold some 30 bodies, all that it finds.
template <int lanes>
inline constexpr int most_found = lanes == 1 ? 32 : 16;

/// Threads a body: one where there are enough bodies to fill a GPU with.
inline int near_lanes_for(engine::Index count) {
  return count >= 300'000 ? 1 : 8;
}

/// Shared memory of a block that calls for_each_near.
template <int lanes>
constexpr std::size_t near_bytes(unsigned threads) {
  return threads * most_found<lanes> * sizeof(FoundNear);
}

/// Which of the candidates from `first` on, at most 32 and `lanes` apart, are within reach of a place.
template <int lanes, class Place, class Real>
__device__ __forceinline__ unsigned near_mask(const Place* place, std::int32_t first, std::int32_t end,
                                              Real x, Real y, Real z, Real squared_reach) {
  using N = engine::Number<Real>;
  const int left = (end - first + lanes - 1) / lanes, some = left < 32 ? left : 32;
  unsigned mask = 0;
  const auto is_near = [&](int k) {
    const auto& other = place[first + k * lanes];
    const Real dx = other.x - x, dy = other.y - y, dz = other.z - z;
    return N::multiply_add(dz, dz, N::multiply_add(dy, dy, dx * dx)) < squared_reach;
  };
  // Eight at a time: their bits are constants, and eight loads are on their way at once.
  int k = 0;
  for (; k + 8 <= some; k += 8) {
    unsigned part = 0;
#pragma unroll
    for (int m = 0; m < 8; ++m)
      if (is_near(k + m)) part |= 1u << m;
    mask |= part << k;
  }
  for (; k < some; ++k)
    if (is_near(k)) mask |= 1u << k;
  return mask;
}

/// Calls use(q, place[q], d) for those neighbours of place p that are found by thread `lane` of its `lanes`: q is their place, and
/// d the separation x_q - x_p of the nearest images. Returns how many. `place`: records with x, y, z.
///
/// Threads of a warp have the same candidates for the most part: they look at 32 of them without a branch, reading together, and
/// keep a bit for each. Then each goes through the bits that it kept, in its own time: threads that found fewer wait only
/// for the others' last ones. When that is changes no bit of what they add up. In the row of cells that a body is in, every
/// second candidate is near: there use() gets all of them, those out of reach and the body itself too, which must add
/// nothing; one read by all threads together takes the cache a thirtieth of the time of one read by each.
template <int lanes, class Place, class Real, class Use>
__device__ __forceinline__ int for_each_near(const DeviceCellView<Real>& cells, const Place* place, int p,
                                             int lane, Real squared_reach, Use&& use) {
  using N = engine::Number<Real>;
  if (p >= cells.count) return 0;
  FoundNear* const found = engine::shared_memory<FoundNear>() + threadIdx.x;
  const auto stride = static_cast<int>(blockDim.x);
  const Real own[3] = {place[p].x, place[p].y, place[p].z};
  const int cell = cells.cell[cells.number[p]];
  const bool border = is_at_border(*cells.cells, cell);
  NeighbourRuns runs(*cells.cells, cells.start, cell);
  NeighbourRun run{};
  std::int32_t next = 0;
  Real x = 0, y = 0, z = 0;
  int all = 0;
  for (bool more = true; more;) {
    int looked = 0, kept = 0;
    for (;;) {
      if (next >= run.end) {
        more = runs.next(run);
        if (!more) break;
        next = run.begin + lane;
        x = own[0] - static_cast<Real>(run.shift[0]), y = own[1] - static_cast<Real>(run.shift[1]);
        z = own[2] - static_cast<Real>(run.shift[2]);
        if (run.own_row) {
#pragma unroll 2
          for (; next < run.end; next += lanes) {
            const Place other = place[next];
            const engine::Vec3<Real> d{other.x - x, other.y - y, other.z - z};
            all +=
                next != p && N::multiply_add(d.z, d.z, N::multiply_add(d.y, d.y, d.x * d.x)) < squared_reach;
            use(next, other, d);
          }
        }
        if (next >= run.end) continue;
      }
      // Counted alike by all threads of a cell: whoever made room alone would keep the others waiting.
      if (looked++ == most_found<lanes>) break;
      const unsigned mask = near_mask<lanes>(place, next, run.end, x, y, z, squared_reach);
      if (mask != 0) found[stride * kept++] = {next, mask};
      next += 32 * lanes;
    }
    FoundNear now{0, 0};
    int k = 0;
    const auto following = [&]() -> std::int32_t {
      if (now.mask == 0) {
        if (k == kept) return -1;
        now = found[stride * k++];
      }
      const std::int32_t q = now.first + (__ffs(static_cast<int>(now.mask)) - 1) * lanes;
      now.mask &= now.mask - 1;
      return q;
    };
    // With one thread a body a record is on its way while the one before it is used. Eight wait less for each other's loads,
    // and lose more by the registers that this takes.
    constexpr bool one_ahead = lanes == 1;
    std::int32_t q = 0, then = one_ahead ? following() : 0;
    Place other, another;
    if (one_ahead) another = place[then < 0 ? p : then];
    for (;;) {
      if constexpr (one_ahead) {
        if ((q = then) < 0) break;
        other = another;
        then = following();
        another = place[then < 0 ? p : then];
      } else {
        if ((q = following()) < 0) break;
        other = place[q];
      }
      Real dx = other.x - own[0], dy = other.y - own[1], dz = other.z - own[2];
      if (border) {
        dx = nearest_image(dx, cells.length[0], cells.inverse[0]);
        dy = nearest_image(dy, cells.length[1], cells.inverse[1]);
        dz = nearest_image(dz, cells.length[2], cells.inverse[2]);
      }
      use(q, other, engine::Vec3<Real>{dx, dy, dz});
      ++all;
    }
  }
  return all;
}

}  // namespace mote::sim
