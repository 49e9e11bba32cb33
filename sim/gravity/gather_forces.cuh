#pragma once

#include "engine/exec/launch.cuh"
#include "sim/gravity/warp_per_body.cuh"

namespace mote::sim::direct {

/// Up to this many bodies a warp per body sums the forces, whatever the stepping: all kinds of
/// stepping then give the same bits.
inline constexpr engine::Index gather_max_bodies = 8192;
inline constexpr int gather_threads = 256;
/// Blocks of a multiprocessor for which the compiler leaves registers. Without this it schedules
/// loads for full occupancy, which so few bodies never reach.
inline constexpr int gather_resident = 2;

/// Forces as a kernel of their own: the same sums as inside persistent kernels.
template <Precision precision, ZeroDistance guard, int bodies>
__global__ void __launch_bounds__(gather_threads, gather_resident)
    gather_forces(SourceView<precision> sources, StateView<typename Pairs<precision>::Real> s,
                  Factor<precision> gravitational,
                  typename Pairs<precision>::Term squared_softening) {
  using P = Pairs<precision>;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int first =
      (static_cast<int>(blockIdx.x) * gather_threads + static_cast<int>(threadIdx.x)) / 32 * bodies;
  typename P::Body body[bodies];
  for (int k = 0; k < bodies; ++k)
    body[k] = StateTargets<precision>{s}.body(min(first + k, static_cast<int>(s.count) - 1));
  Vec3<Total<precision>> total[bodies];
  warp_attraction<precision, guard>(sources, engine::shared_memory<typename P::Word>(), lane, body,
                                    squared_softening, total);
#pragma unroll
  for (int k = 0; k < bodies; ++k) {
    const int i = first + k;
    if (lane != k || i >= s.count) continue;
    s.ax[i] += gravitational(total[k].x);
    s.ay[i] += gravitational(total[k].y);
    s.az[i] += gravitational(total[k].z);
  }
}

template <Precision precision, ZeroDistance guard>
void launch_gather(const engine::Cuda& exec, const SourceView<precision>& sources,
                   const StateView<typename Pairs<precision>::Real>& s, double gravitational,
                   typename Pairs<precision>::Term squared_softening) {
  // Few bodies are spread over many warps; many share each read of a source. Changes no bit.
  const int bodies = s.count <= 2048 ? 1 : s.count <= 6144 ? 2 : 4;
  const engine::Index per_block = gather_threads / 32 * bodies;
  const auto kernel = bodies == 1   ? gather_forces<precision, guard, 1>
                      : bodies == 2 ? gather_forces<precision, guard, 2>
                                    : gather_forces<precision, guard, 4>;
  engine::allow_shared(kernel, tile_ring_bytes);
  engine::launch(exec, {engine::blocks_for(s.count, per_block), gather_threads, tile_ring_bytes},
                 kernel, sources, s, Factor<precision>(gravitational), squared_softening);
}

}  // namespace mote::sim::direct
