#pragma once

#include <type_traits>

#include "engine/exec/launch.cuh"
#include "sim/gravity/pairs.cuh"
#include "sim/gravity/split.cuh"

namespace mote::sim::direct {

/// Units that bring the numbers of a scene to the order of one: powers of two, so that no bit
/// changes but where a float would overflow or underflow (and for equal masses, which kernels leave
/// out, the mass itself).
struct Scale {
  double length = 1, mass = 1;
};

/// What is behind the sources, up to where they are padded.
enum class Behind {
  nothing,   ///< is never read
  massless,  ///< bodies without mass at the place of the first one: never nearer to a body than
             ///< that one is
  far  ///< bodies so far away that the inverse cube of the distance is zero, whatever their mass
};

/// Writes the bodies with mass into the sources, in other units. What is filled in behind them adds
/// exact zeros.
template <Precision precision, class Real>
__global__ void publish(StateView<const Real> s, const int* slots, Scale scale, Behind behind,
                        SourceView<precision> sources) {
  using To = typename Pairs<precision>::Real;
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const To length = static_cast<To>(scale.length), mass = static_cast<To>(scale.mass);
  const auto place = [&](int k) {
    return Vec3<To>{length * static_cast<To>(s.x[k]), length * static_cast<To>(s.y[k]),
                    length * static_cast<To>(s.z[k])};
  };
  if (i < s.count) {
    const int slot = slots ? slots[i] : i;
    if (slot >= 0) sources.put(slot, place(i), mass * static_cast<To>(s.mass[i]));
  }
  if (behind != Behind::nothing && i < sources.padded - sources.count) {
    const To far = precision == Precision::full ? To(1e120) : To(1e18);
    sources.put(sources.count + i, behind == Behind::far ? Vec3<To>{far, To(0), To(0)} : place(0),
                To(0));
  }
}

template <class Real>
StateView<const std::remove_const_t<Real>> reading(const StateView<Real>& s) {
  return {s.count, s.id, s.mass, s.x, s.y, s.z, s.vx, s.vy, s.vz, s.ax, s.ay, s.az, s.species};
}

template <Precision precision, class Real>
void publish_sources(const engine::Cuda& exec, const StateView<Real>& s, const int* slots,
                     Scale scale, Behind behind, const SourceView<precision>& sources) {
  const engine::Index added = behind == Behind::nothing ? 0 : sources.padded - sources.count;
  const engine::Index count = s.count > added ? s.count : added;
  engine::launch(exec, {static_cast<unsigned>((count + 255) / 256), 256},
                 publish<precision, std::remove_const_t<Real>>, reading(s), slots, scale, behind,
                 sources);
}

/// Adds G times the sums of all splits, in their order, to the accelerations. One thread a body and
/// axis.
template <class Real>
__global__ void fold_splits(StateView<Real> s, Partials partials, int splits,
                            double gravitational) {
  const auto stride = static_cast<std::size_t>(partials.stride);
  const int axis = static_cast<int>(blockIdx.y);
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= s.count) return;
  double sum = 0;
#pragma unroll 8
  for (int split = 0; split < splits; ++split)
    sum += partials.sums[(static_cast<std::size_t>(split) * partials.columns + axis) * stride + i];
  (axis == 0 ? s.ax : axis == 1 ? s.ay : s.az)[i] += static_cast<Real>(gravitational * sum);
}

}  // namespace mote::sim::direct
