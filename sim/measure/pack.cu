#include "sim/measure/pack.h"

#include <algorithm>

#include "engine/exec/launch.cuh"
#include "engine/exec/stream.h"
#include "engine/memory/buffer.h"

namespace mote::sim {
namespace {

using engine::Device;
using engine::Index;

constexpr unsigned pack_threads = 256;
/// Bodies per device staging buffer, at most 20 bytes each.
constexpr Index batch = Index{1} << 20;

/// Packs `count` bodies from index `first` into points 0 to count - 1. `slots`: of bodies by index;
/// may be null. `computed`: scalars of these bodies; null: those of `value`.
template <class Real, class Value>
__global__ void __launch_bounds__(pack_threads)
    pack_points(StateView<const Real> s, Value value, RadiusValue<Real> radius,
                engine::Vec3d origin, const std::uint32_t* slots, Index first, Index count,
                const double* computed, engine::PointFrame to) {
  const Index k = static_cast<Index>(blockIdx.x) * pack_threads + threadIdx.x;
  if (k >= count) return;
  const Index i = slots ? slots[first + k] : first + k;
  to.positions[3 * k] = static_cast<float>(static_cast<double>(s.x[i]) - origin.x);
  to.positions[3 * k + 1] = static_cast<float>(static_cast<double>(s.y[i]) - origin.y);
  to.positions[3 * k + 2] = static_cast<float>(static_cast<double>(s.z[i]) - origin.z);
  to.scalars[k] = static_cast<float>(computed ? computed[k] : value(i));
  if (to.radii) to.radii[k] = radius(i);
}

template <class View, class Value>
void start(const engine::Cuda& exec, View s, Value value, const PackRequest& request,
           const std::uint32_t* slots, Index first, Index count, const double* computed,
           const engine::PointFrame& to) {
  using Real = std::remove_const_t<std::remove_pointer_t<decltype(s.x)>>;
  const auto blocks = engine::blocks_for(count, pack_threads);
  engine::launch(exec, {blocks, pack_threads}, pack_points<Real, Value>, s, value,
                 radius_value(s, request), request.origin, slots, first, count, computed, to);
}

}  // namespace

void pack(const engine::Cuda& exec, const State<Device>& state, const engine::PointFrame& to,
          const PackRequest& request, const std::uint32_t* slots,
          std::span<const double> computed) {
  MOTE_EXPECT(static_cast<Index>(computed.size()) ==
              (is_computed(request.scalar.kind) ? state.count() : 0));
  engine::wait_for(exec, to.ready);
  state.visit([&](auto s) {
    with_scalar(formula_of(request), s, [&](auto value) {
      if (s.count == 0) return;
      if (to.on_device && computed.empty())
        return start(exec, s, value, request, slots, 0, s.count, nullptr, to);
      if (to.on_device) {
        engine::Buffer<double, Device> values(s.count);
        engine::copy_to_device(values.data(), computed.data(), s.count, exec.stream);
        start(exec, s, value, request, slots, 0, s.count, values.data(), to);
        return engine::wait(exec);  // the kernel reads the buffer
      }
      const Index most = std::min(s.count, batch);
      engine::Buffer<float, Device> positions(3 * most), scalars(most), radii(to.radii ? most : 0);
      engine::Buffer<double, Device> values(computed.empty() ? 0 : most);
      for (Index first = 0; first < s.count; first += batch) {
        const Index count = std::min(batch, s.count - first);
        if (!computed.empty())
          engine::copy_to_device(values.data(), computed.data() + first, count, exec.stream);
        start(exec, s, value, request, slots, first, count,
              computed.empty() ? nullptr : values.data(),
              {.positions = positions.data(),
               .scalars = scalars.data(),
               .radii = to.radii ? radii.data() : nullptr});
        engine::copy_to_host(to.positions + 3 * first, positions.data(), 3 * count, exec.stream);
        engine::copy_to_host(to.scalars + first, scalars.data(), count, exec.stream);
        if (to.radii) engine::copy_to_host(to.radii + first, radii.data(), count, exec.stream);
      }
      engine::wait(exec);
    });
  });
  engine::record(exec, to.done);
}

}  // namespace mote::sim
