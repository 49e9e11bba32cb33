#include "bench/ladder.h"

#include "engine/exec/launch.cuh"
#include "sim/gravity/pairs.cuh"

namespace mote::bench {
namespace {

using engine::Cuda;
using engine::Index;
using engine::Vec3;
using sim::StateView;
using sim::ZeroDistance;

constexpr int threads = 256;

/// As a first implementation would be.
__global__ void naive(StateView<float> s) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= s.count) return;
  const Vec3<float> position{s.x[i], s.y[i], s.z[i]};
  Vec3<float> sum{0, 0, 0};
  for (int j = 0; j < s.count; ++j) {
    const Vec3<float> d = Vec3<float>{s.x[j], s.y[j], s.z[j]} - position;
    sim::add_attraction<ZeroDistance::none>(d, s.mass[j], ladder_softening * ladder_softening, sum);
  }
  s.ax[i] = sum.x, s.ay[i] = sum.y, s.az[i] = sum.z;
}

/// Sources in shared memory; each source read from there is used for `bodies` bodies of the thread.
template <int bodies>
__global__ void __launch_bounds__(threads) registers(StateView<float> s) {
  auto* const tile = engine::shared_memory<float4>();
  const int thread = static_cast<int>(threadIdx.x), count = static_cast<int>(s.count);
  const int first = static_cast<int>(blockIdx.x) * threads * bodies + thread;
  Vec3<float> position[bodies];
  engine::Vec3d total[bodies]{};
#pragma unroll
  for (int k = 0; k < bodies; ++k) {
    const int i = min(first + k * threads, count - 1);
    position[k] = {s.x[i], s.y[i], s.z[i]};
  }
  for (int start = 0; start < count; start += threads) {
    const int j = min(start + thread, count - 1);
    tile[thread] = make_float4(s.x[j], s.y[j], s.z[j], start + thread < count ? s.mass[j] : 0);
    __syncthreads();
    Vec3<float> sum[bodies]{};
#pragma unroll 4
    for (int source = 0; source < threads; ++source) {
      const float4 from = tile[source];
#pragma unroll
      for (int k = 0; k < bodies; ++k)
        sim::add_attraction<ZeroDistance::none>(Vec3<float>{from.x, from.y, from.z} - position[k],
                                                from.w, ladder_softening * ladder_softening,
                                                sum[k]);
    }
#pragma unroll
    for (int k = 0; k < bodies; ++k) sim::direct::add_to(total[k], sum[k]);
    __syncthreads();
  }
#pragma unroll
  for (int k = 0; k < bodies; ++k) {
    const int i = first + k * threads;
    if (i >= count) continue;
    s.ax[i] = static_cast<float>(total[k].x);
    s.ay[i] = static_cast<float>(total[k].y);
    s.az[i] = static_cast<float>(total[k].z);
  }
}

template <int bodies>
void launch_registers(const Cuda& exec, const StateView<float>& s) {
  engine::launch(
      exec,
      {engine::blocks_for(s.count, Index{threads} * bodies), threads, threads * sizeof(float4)},
      registers<bodies>, s);
}

}  // namespace

void naive_forces(const Cuda& exec, const StateView<float>& s) {
  engine::launch(exec, {engine::blocks_for(s.count, threads), threads}, naive, s);
}

void register_forces(const Cuda& exec, const StateView<float>& s, int bodies) {
  switch (bodies) {
    case 1:
      return launch_registers<1>(exec, s);
    case 2:
      return launch_registers<2>(exec, s);
    case 4:
      return launch_registers<4>(exec, s);
    default:
      return launch_registers<8>(exec, s);
  }
}

}  // namespace mote::bench
