#include "sim/measure/pack.h"

#include "engine/exec/parallel.h"

namespace mote::sim {

void pack(const engine::Cpu& exec, const State<engine::Host>& state, const engine::PointFrame& to,
          const PackRequest& request, const std::uint32_t* slots,
          std::span<const double> computed) {
  MOTE_EXPECT(!to.on_device);
  MOTE_EXPECT(static_cast<engine::Index>(computed.size()) ==
              (is_computed(request.scalar.kind) ? state.count() : 0));
  const Scalar formula = formula_of(request);
  state.visit([&](auto s) {
    const auto radius = radius_value(s, request);
    with_scalar(formula, s, [&](auto value) {
      engine::parallel_chunks(exec.threads, s.count, [&](engine::Index begin, engine::Index end) {
        for (engine::Index k = begin; k < end; ++k) {
          const engine::Index i = slots ? slots[k] : k;
          to.positions[3 * k] = static_cast<float>(static_cast<double>(s.x[i]) - request.origin.x);
          to.positions[3 * k + 1] =
              static_cast<float>(static_cast<double>(s.y[i]) - request.origin.y);
          to.positions[3 * k + 2] =
              static_cast<float>(static_cast<double>(s.z[i]) - request.origin.z);
          to.scalars[k] = static_cast<float>(
              computed.empty() ? value(i) : computed[static_cast<std::size_t>(k)]);
          if (to.radii) to.radii[k] = radius(i);
        }
      });
    });
  });
}

}  // namespace mote::sim
