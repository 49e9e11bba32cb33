#pragma once

#include <type_traits>

#include "engine/exec/launch.cuh"
#include "sim/gravity/pairs.cuh"
#include "sim/gravity/split.cuh"

namespace mote::sim::direct {

/// Writes the bodies with mass into the sources, lengths times `scale`, and bodies without mass behind them.
template <Precision precision, class Real, class Scale>
__global__ void publish(StateView<const Real> s, const int* slots, Scale scale,
                        SourceView<precision> sources) {
  using To = typename Pairs<precision>::Real;
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const To factor = static_cast<To>(scale);
  if (i < s.count) {
    const int slot = slots ? slots[i] : i;
    if (slot >= 0)
      sources.put(slot,
                  {factor * static_cast<To>(s.x[i]), factor * static_cast<To>(s.y[i]),
                   factor * static_cast<To>(s.z[i])},
                  static_cast<To>(s.mass[i]));
  }
  if (i < sources.padded - sources.count) sources.put(sources.count + i, {To(0), To(0), To(0)}, To(0));
}

template <class Real>
StateView<const std::remove_const_t<Real>> reading(const StateView<Real>& s) {
  return {s.count, s.id, s.mass, s.x, s.y, s.z, s.vx, s.vy, s.vz, s.ax, s.ay, s.az};
}

template <Precision precision, class Real, class Scale>
void publish_sources(const engine::Cuda& exec, const StateView<Real>& s, const int* slots, Scale scale,
                     const SourceView<precision>& sources) {
  const engine::Index count =
      s.count > sources.padded - sources.count ? s.count : sources.padded - sources.count;
  engine::launch(exec, {static_cast<unsigned>((count + 255) / 256), 256},
                 publish<precision, std::remove_const_t<Real>, Scale>, reading(s), slots, scale, sources);
}

/// Adds G times the sums of all splits, in their order, to the accelerations; where there is a fourth column and
/// somebody wants it, sets the potentials.
template <class Real>
__global__ void fold_splits(StateView<Real> s, Partials partials, int splits, double gravitational,
                            double* potentials) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= s.count) return;
  const auto stride = static_cast<std::size_t>(partials.stride);
  Vec3d sum{0, 0, 0};
  double potential = 0;
  for (int split = 0; split < splits; ++split) {
    const double* const from =
        partials.sums + static_cast<std::size_t>(split) * partials.columns * stride + i;
    sum += Vec3d{from[0], from[stride], from[2 * stride]};
    if (potentials) potential += from[3 * stride];
  }
  s.ax[i] += static_cast<Real>(gravitational * sum.x);
  s.ay[i] += static_cast<Real>(gravitational * sum.y);
  s.az[i] += static_cast<Real>(gravitational * sum.z);
  if (potentials) potentials[i] = -gravitational * potential;
}

}  // namespace mote::sim::direct
