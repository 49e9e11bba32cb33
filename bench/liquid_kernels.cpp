#include "bench/liquid_kernels.h"

#include <fmt/format.h>

#include <memory>

#include "engine/exec/stream.h"
#include "engine/exec/timing.h"
#include "sim/molecular/pair_device.h"
#include "sim/run/device_columns.h"
#include "sim/run/registry.h"

namespace mote::bench {

void time_kernels(sim::Simulation& simulation, const sim::SceneDescription& scene) {
  const sim::State<engine::Device>* const there = simulation.on_device().state;
  if (!there) return;
  const engine::Stream stream(0);
  const engine::Cuda exec = stream.policy();
  sim::State<engine::Device> state(there->count(), there->precision(), there->shape());
  sim::copy_columns(state, *there, exec.stream, sim::Direction::on_device);
  const sim::PairTable table = sim::table_of(*scene.pairs, 1);
  for (const int lanes : {1, 4, 8}) {
    const auto near = std::make_shared<sim::DeviceNeighbours>(
        exec, sim::domain_of(scene), table.reach, table.skin, sim::ListedBodies{state.count()},
        state.precision(), lanes);
    sim::DevicePairForce force(exec, table, near, state.count(), state.precision());
    sim::StepReport report;
    near->update(exec, state);
    near->settle(exec);
    near->update(exec, state);
    const auto time = [&](auto&& work) {
      return 1e6 * engine::time_batches(9, 5e-3, [&](std::uint64_t runs) {
                     return engine::device_seconds(exec, [&] {
                       for (std::uint64_t k = 0; k < runs; ++k) work();
                     });
                   }).median;
    };
    const double forces = time([&] { force.run(exec, state, report); });
    const double looking = time([&] { near->update(exec, state); });
    const double listing = time([&] {
      near->forget(exec);
      near->update(exec, state);
    });
    fmt::print(
        "     {} threads a body: forces {:.2f} us, looking whether bodies moved {:.2f} us, listing "
        "them anew "
        "{:.2f} us\n",
        lanes, forces, looking, listing);
  }
}

}  // namespace mote::bench
