#include "sim/run/backends.h"
#include "sim/run/initial_state.h"
#include "sim/run/plan.h"
#include "sim/run/simulation.h"

// A build without CUDA plans no simulation on a GPU, so that none of these is called.
namespace mote::sim {

std::uint64_t device_bytes_for(const Model&, engine::Index, engine::Precision, int) {
  return 0;
}

std::unique_ptr<Simulation> open_cuda_simulation(const SceneDescription&, const Plan&,
                                                 std::shared_ptr<InitialState>) {
  throw engine::SystemError("step on a GPU", "this build has no CUDA", "use --backend cpu");
}

}  // namespace mote::sim
