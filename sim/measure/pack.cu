#include "sim/measure/pack.h"

#include <algorithm>

#include "engine/exec/launch.cuh"
#include "engine/exec/stream.h"
#include "engine/memory/buffer.h"

namespace mote::sim {
namespace {

using engine::Device;
using engine::Index;

constexpr unsigned threads = 256;
/// Bodies that pass through a piece of device memory at once, 16 bytes each.
constexpr Index piece = Index{1} << 20;

/// Bodies from column `first` on become points from 0 on.
template <class Real, class Value>
__global__ void __launch_bounds__(threads)
    pack_points(StateView<const Real> s, Value value, engine::Vec3d origin, Index first, Index count,
                float* positions, float* scalars) {
  const Index k = static_cast<Index>(blockIdx.x) * threads + threadIdx.x;
  if (k >= count) return;
  const Index i = first + k;
  positions[3 * k] = static_cast<float>(static_cast<double>(s.x[i]) - origin.x);
  positions[3 * k + 1] = static_cast<float>(static_cast<double>(s.y[i]) - origin.y);
  positions[3 * k + 2] = static_cast<float>(static_cast<double>(s.z[i]) - origin.z);
  scalars[k] = static_cast<float>(value(i));
}

template <class View, class Value>
void start(const engine::Cuda& exec, View s, Value value, const PackTarget& target, Index first, Index count,
           float* positions, float* scalars) {
  using Real = std::remove_const_t<std::remove_pointer_t<decltype(s.x)>>;
  const auto blocks = static_cast<unsigned>((count + threads - 1) / threads);
  engine::launch(exec, {blocks, threads}, pack_points<Real, Value>, s, value, target.origin, first, count,
                 positions, scalars);
}

}  // namespace

void pack(const engine::Cuda& exec, const State<Device>& state, const PackTarget& target) {
  engine::wait_for(exec, target.ready);
  state.visit([&](auto s) {
    with_scalar(target.scalar, s, [&](auto value) {
      if (s.count == 0) return;
      if (target.on_device)
        return start(exec, s, value, target, 0, s.count, target.positions, target.scalars);
      const Index most = std::min(s.count, piece);
      engine::Buffer<float, Device> positions(3 * most), scalars(most);
      for (Index first = 0; first < s.count; first += piece) {
        const Index count = std::min(piece, s.count - first);
        start(exec, s, value, target, first, count, positions.data(), scalars.data());
        engine::copy_to_host(target.positions + 3 * first, positions.data(), 3 * count, exec.stream);
        engine::copy_to_host(target.scalars + first, scalars.data(), count, exec.stream);
      }
      engine::wait(exec);
    });
  });
  engine::record(exec, target.done);
}

}  // namespace mote::sim
