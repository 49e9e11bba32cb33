#pragma once

#include "engine/exec/launch.cuh"
#include "sim/gravity/pairs.cuh"

namespace mote::sim::direct {

/// The reference kernel (Nyland, Harris & Prins 2007, GPU Gems 3, chapter 31): one thread per body;
/// the block copies the sources to shared memory tile by tile, and every thread loops over the
/// tile. One thread sums a body's force, in the order of the sources; terms are summed to double
/// tile by tile.
inline constexpr int tiled_threads = 256;

template <Precision precision>
inline constexpr std::size_t tiled_shared = tiled_threads* Pairs<precision>::words* std::size_t{16};

template <Precision precision, ZeroDistance guard>
__global__ void __launch_bounds__(tiled_threads)
    tiled_forces(SourceView<precision> sources, StateView<typename Pairs<precision>::Real> s,
                 double gravitational, typename Pairs<precision>::Term squared_softening) {
  using P = Pairs<precision>;
  using Real = typename P::Real;
  auto* const first = engine::shared_memory<typename P::Word>();
  auto* const second = first + (P::words - 1) * tiled_threads;
  const int thread = static_cast<int>(threadIdx.x);
  const int i = static_cast<int>(blockIdx.x) * tiled_threads + thread;
  // Out-of-range threads still take part in tile loads.
  const typename P::Body body =
      StateTargets<precision>{s}.body(min(i, static_cast<int>(s.count) - 1));
  Vec3d total{0, 0, 0};
  for (int start = 0; start < sources.count; start += tiled_threads) {
    const int count = min(tiled_threads, sources.count - start);
    if (thread < count) {
      first[thread] = sources.first()[start + thread];
      if constexpr (P::words == 2) second[thread] = sources.second()[start + thread];
    }
    __syncthreads();
    Vec3<typename P::Term> sum{};
#pragma unroll 8
    for (int j = 0; j < count; ++j) {
      const typename P::Body source = P::body(first[j], second[j]);
      add_attraction<guard>(P::separation(body, source), source.mass, squared_softening, sum);
    }
    add_to(total, sum);
    __syncthreads();
  }
  if (i >= s.count) return;
  s.ax[i] += static_cast<Real>(gravitational * total.x);
  s.ay[i] += static_cast<Real>(gravitational * total.y);
  s.az[i] += static_cast<Real>(gravitational * total.z);
}

}  // namespace mote::sim::direct
