#pragma once

#include <algorithm>

#include "engine/algo/warp.cuh"
#include "sim/force_request.h"
#include "sim/gravity/pairs.cuh"

namespace mote::sim::direct {

/// Threads of a block: its warps have different targets and the same chunk of sources, which they
/// read through the L1 cache.
inline constexpr int chosen_threads = 128, chosen_warps = chosen_threads / 32;

/// Sources of a chunk: at least four for each lane, so that their sum over the lanes is a small
/// part of the work, and at most as many as may be summed in float; some 64 chunks between, which
/// fill a GPU for few targets. A function of the number of sources alone.
inline int chosen_chunk(engine::Index sources) {
  int chunk = 128;
  while (chunk < 1024 && chunk * engine::Index{64} < sources) chunk *= 2;
  return chunk;
}

/// Velocities in words of 16 bytes: all first words, then all second ones.
template <Precision precision>
struct VelocityView {
  using P = Pairs<precision>;
  using Term = typename P::Term;
  typename P::Word* words;
  int count;

  __device__ __forceinline__ void put(int k, typename P::Real x, typename P::Real y,
                                      typename P::Real z) const {
    if constexpr (precision == Precision::double_) {
      words[k] = make_double2(x, y);
      words[count + k] = make_double2(z, 0);
    } else {
      words[k] =
          make_float4(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z), 0.0f);
    }
  }
  __device__ __forceinline__ Vec3<Term> at(int k) const {
    const typename P::Word a = words[k];
    if constexpr (precision == Precision::double_)
      return {a.x, a.y, words[count + k].x};
    else
      return {a.x, a.y, a.z};
  }
  /// The velocity of body i, rounded as `put` and `at` round it.
  static __device__ __forceinline__ Vec3<Term> of(const StateView<typename P::Real>& s, int i) {
    return {static_cast<Term>(s.vx[i]), static_cast<Term>(s.vy[i]), static_cast<Term>(s.vz[i])};
  }
};

/// Writes the bodies with mass into the sources, and their velocities, if they are asked for.
template <Precision precision>
__global__ void pack_moving(StateView<typename Pairs<precision>::Real> s, const int* slots,
                            SourceView<precision> sources, VelocityView<precision> velocities) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= s.count) return;
  const int slot = slots ? slots[i] : i;
  if (slot < 0) return;
  sources.put(slot, {s.x[i], s.y[i], s.z[i]}, s.mass[i]);
  if (velocities.words) velocities.put(slot, s.vx[i], s.vy[i], s.vz[i]);
}

/// A launch sums the forces on targets [first, first + count) of those chosen.
struct ChosenPart {
  const std::uint32_t* slots;
  int first, count, chunk, chunks;
  double* sums;  ///< [chunk][component][target], components: acceleration, then jerk
  int components;
  MOTE_HOST_DEVICE double* sum(int at, int component, int target) const {
    return sums +
           (static_cast<std::size_t>(at) * static_cast<std::size_t>(components) +
            static_cast<std::size_t>(component)) *
               static_cast<std::size_t>(count) +
           target;
  }
};

/// blockIdx.x: targets, `bodies` of each warp; blockIdx.y: chunk of the sources.
template <Precision precision, ZeroDistance guard, bool jerks, int bodies>
__global__ void __launch_bounds__(chosen_threads)
    sum_chosen(SourceView<precision> sources, VelocityView<precision> velocities,
               StateView<typename Pairs<precision>::Real> s, ChosenPart part,
               typename Pairs<precision>::Term squared_softening) {
  using P = Pairs<precision>;
  using Term = typename P::Term;
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const int first = (static_cast<int>(blockIdx.x) * chosen_warps + warp) * bodies;
  const int chunk = static_cast<int>(blockIdx.y);
  if (first >= part.count) return;
  typename P::Body body[bodies];
  Vec3<Term> velocity[bodies], a[bodies]{}, jerk[bodies]{};
#pragma unroll
  for (int k = 0; k < bodies; ++k) {
    const int target = min(first + k, part.count - 1);
    const auto i = static_cast<int>(chosen_slot(part.slots, part.first + target));
    body[k] = StateTargets<precision>{s}.body(i);
    if constexpr (jerks) velocity[k] = VelocityView<precision>::of(s, i);
  }
  const int end = min((chunk + 1) * part.chunk, sources.count);
#pragma unroll 2
  for (int j = chunk * part.chunk + lane; j < end; j += 32) {
    const typename P::Body source = sources.body(j);
    Vec3<Term> source_velocity{};
    if constexpr (jerks) source_velocity = velocities.at(j);
#pragma unroll
    for (int k = 0; k < bodies; ++k) {
      const Vec3<Term> d = P::separation(body[k], source);
      if constexpr (jerks)
        add_attraction_and_jerk<guard>(d, source_velocity - velocity[k], source.mass,
                                       squared_softening, a[k], jerk[k]);
      else
        add_attraction<guard>(d, source.mass, squared_softening, a[k]);
    }
  }
#pragma unroll
  for (int k = 0; k < bodies; ++k) {
    const auto write = [&](const Vec3<Term>& sum, int component) {
      const double x = engine::warp_sum(static_cast<double>(sum.x)),
                   y = engine::warp_sum(static_cast<double>(sum.y)),
                   z = engine::warp_sum(static_cast<double>(sum.z));
      if (lane != 0 || first + k >= part.count) return;
      *part.sum(chunk, component, first + k) = x;
      *part.sum(chunk, component + 1, first + k) = y;
      *part.sum(chunk, component + 2, first + k) = z;
    };
    write(a[k], 0);
    if constexpr (jerks) write(jerk[k], 3);
  }
}

/// Adds the chunks in their order. blockIdx.y: component.
template <class Real>
__global__ void __launch_bounds__(chosen_threads)
    fold_chosen(StateView<Real> s, VectorColumns<double> jerks, ChosenPart part,
                double gravitational) {
  const int target = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int component = static_cast<int>(blockIdx.y);
  if (target >= part.count) return;
  double sum = 0;
#pragma unroll 8
  for (int chunk = 0; chunk < part.chunks; ++chunk) sum += *part.sum(chunk, component, target);
  const engine::Index i = chosen_slot(part.slots, part.first + target);
  if (component < 3)
    (component == 0   ? s.ax
     : component == 1 ? s.ay
                      : s.az)[i] += static_cast<Real>(gravitational * sum);
  else
    (component == 3   ? jerks.of[0]
     : component == 4 ? jerks.of[1]
                      : jerks.of[2])[i] += gravitational * sum;
}

}  // namespace mote::sim::direct
