#include "bench/liquid_kernels.h"

#include <fmt/format.h>

#include <memory>

#include "engine/exec/stream.h"
#include "engine/exec/timing.h"
#include "sim/device/device_columns.h"
#include "sim/molecular/pair_device.h"
#include "sim/molecular/pairs.h"

namespace mote::bench {

void time_kernels(sim::Simulation& simulation, const sim::SceneDescription& scene) {
  const sim::State<engine::Device>* const source = simulation.on_device().state;
  if (!source) return;
  const engine::Stream stream(0);
  const engine::Cuda exec = stream.policy();
  sim::State<engine::Device> state(source->count(), source->precision(), source->layout());
  sim::copy_columns(exec, state, *source);
  const sim::PairTable table = sim::table_of(*scene.physics.find<sim::PairForces>(), 1);
  for (const int lanes : {1, 4, 8}) {
    const auto neighbours = std::make_shared<sim::DeviceNeighbours>(
        exec, sim::domain_of(scene), table.cutoff, table.skin,
        sim::NeighbourListSetup{state.count()}, state.precision(), lanes);
    sim::DevicePairForce force(exec, table, neighbours, state.count(), state.precision());
    sim::StepReport report;
    neighbours->update(exec, state);
    neighbours->grow_buffers(exec);
    neighbours->update(exec, state);
    const auto time = [&](auto&& work) {
      return 1e6 * engine::time_batches(9, 5e-3, [&](std::uint64_t runs) {
                     return engine::device_seconds(exec, [&] {
                       for (std::uint64_t k = 0; k < runs; ++k) work();
                     });
                   }).median;
    };
    const double forces = time([&] { force.run(exec, state, report); });
    const double check = time([&] { neighbours->update(exec, state); });
    const double rebuild = time([&] {
      neighbours->invalidate(exec);
      neighbours->update(exec, state);
    });
    fmt::print(
        "     {} threads per body: forces {:.2f} us, displacement check {:.2f} us, neighbour list "
        "construction {:.2f} us\n",
        lanes, forces, check, rebuild);
  }
}

}  // namespace mote::bench
