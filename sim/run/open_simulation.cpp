#include "engine/check.h"
#include "sim/run/backends.h"
#include "sim/run/followers.h"
#include "sim/run/simulation.h"

namespace mote::sim {

std::unique_ptr<Simulation> open_simulation(const SceneDescription& scene, const Plan& plan) {
  MOTE_EXPECT(plan.processes == 0);
  if (plan.devices.size() > 1 && !plan.ranks)
    return Followers::open(ranks_of(plan), [&](int rank, engine::Ranks& ranks) {
      Plan own = plan;
      own.ranks = &ranks;
      own.device = plan.devices[static_cast<std::size_t>(rank)];
      return open_simulation(scene, own);
    });
  if (plan.backend == engine::Backend::cuda) return open_cuda_simulation(scene, plan);
  return open_cpu_simulation(scene, plan);
}

}  // namespace mote::sim
