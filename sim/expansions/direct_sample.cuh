#pragma once

#include "engine/exec/launch.cuh"
#include "sim/expansions/gravity_formula.h"
#include "sim/expansions/moments.cuh"
#include "sim/state.h"

/// Forces on a sample of the bodies, for their errors.
namespace mote::sim::direct_sample {

using engine::Index;
using engine::Vec3d;

inline constexpr int threads = 256;

/// Direct sums in double over the nearest images, without G, on the bodies of some slots: a block
/// for each.
template <class Real>
__global__ void __launch_bounds__(threads)
    sum_directly(StateView<const Real> s, const std::uint32_t* slots, const Vec3d* images,
                 std::uint32_t image_count, double squared_softening, Vec3d* positions,
                 Vec3d* sums) {
  const std::uint32_t own = slots[blockIdx.x];
  const Vec3d position{s.x[own], s.y[own], s.z[own]};
  if (threadIdx.x == 0) positions[blockIdx.x] = position;
  Vec3d a{0, 0, 0};
  for (std::uint32_t image = 0; image < image_count; ++image) {
    const Vec3d at = position - images[image];
    for (Index j = threadIdx.x; j < s.count; j += threads)
      add_attraction<ZeroDistance::coincident>(Vec3d{s.x[j] - at.x, s.y[j] - at.y, s.z[j] - at.z},
                                               double(s.mass[j]), squared_softening, a);
  }
  a = moments::warp_sum(a);
  auto* const of_warps = engine::shared_memory<Vec3d>();
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = a;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int warp = 1; warp < threads / 32; ++warp) a += of_warps[warp];
  sums[blockIdx.x] = a;
}

template <class Real>
__global__ void __launch_bounds__(threads)
    gather_sample(const Real* ax, const Real* ay, const Real* az, const std::uint32_t* slots,
                  int count, Vec3d* to) {
  const int k = static_cast<int>(blockIdx.x * threads + threadIdx.x);
  if (k < count) to[k] = {ax[slots[k]], ay[slots[k]], az[slots[k]]};
}

}  // namespace mote::sim::direct_sample
