#pragma once

#include <type_traits>

#include "engine/exec/launch.cuh"
#include "sim/gravity/pairs.cuh"
#include "sim/gravity/split.cuh"

namespace mote::sim::direct {

/// Scale factors that bring lengths and masses to order one. Powers of two, which change no bit
/// unless a float would overflow or underflow; equal masses, which kernels omit, are scaled to one.
struct Scale {
  double length = 1, mass = 1;
};

/// Contents of the sources from `count` to `padded`.
enum class Padding {
  none,      ///< not written: the kernel does not read them
  massless,  ///< massless bodies at the first body's position: never nearer to a body than that one
  far        ///< bodies so far away that the inverse cube of the distance is zero, for any mass
};

/// Writes the bodies with mass into the sources, in scaled units. Padding contributes exact zeros.
template <Precision precision, class Real>
__global__ void pack_sources(StateView<const Real> s, const int* slots, Scale scale,
                             Padding padding, SourceView<precision> sources) {
  using To = typename Pairs<precision>::Real;
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const To length = static_cast<To>(scale.length), mass = static_cast<To>(scale.mass);
  const auto position = [&](int k) {
    return Vec3<To>{length * static_cast<To>(s.x[k]), length * static_cast<To>(s.y[k]),
                    length * static_cast<To>(s.z[k])};
  };
  if (i < s.count) {
    const int slot = slots ? slots[i] : i;
    if (slot >= 0) sources.put(slot, position(i), mass * static_cast<To>(s.mass[i]));
  }
  if (padding != Padding::none && i < sources.padded - sources.count) {
    const To far = precision == Precision::double_ ? To(1e120) : To(1e18);
    sources.put(sources.count + i,
                padding == Padding::far ? Vec3<To>{far, To(0), To(0)} : position(0), To(0));
  }
}

template <Precision precision, class Real>
void launch_pack_sources(const engine::Cuda& exec, const StateView<Real>& s, const int* slots,
                         Scale scale, Padding padding, const SourceView<precision>& sources) {
  const engine::Index added = padding == Padding::none ? 0 : sources.padded - sources.count;
  const engine::Index count = s.count > added ? s.count : added;
  engine::launch(exec, {static_cast<unsigned>((count + 255) / 256), 256},
                 pack_sources<precision, std::remove_const_t<Real>>, s.read_only(), slots, scale,
                 padding, sources);
}

/// Adds G times the sums of all splits, in their order, to the accelerations. One thread per body
/// and axis.
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
    sum +=
        partials.sums[(static_cast<std::size_t>(split) * partials.components + axis) * stride + i];
  (axis == 0 ? s.ax : axis == 1 ? s.ay : s.az)[i] += static_cast<Real>(gravitational * sum);
}

}  // namespace mote::sim::direct
