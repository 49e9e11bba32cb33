#include "sim/run/backends.h"
#include "sim/run/plan.h"

// A build without CUDA plans no simulation on a GPU, so that none of these is called.
namespace mote::sim {

std::uint64_t device_bytes_for(const Model&, engine::Index, engine::Precision) {
  return 0;
}

std::unique_ptr<Simulation> open_cuda_simulation(const SceneDescription&, const Plan&) {
  throw engine::SystemError("step on a GPU", "this build has no CUDA", "use --backend cpu");
}

}  // namespace mote::sim
