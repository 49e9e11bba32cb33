#include <memory>
#include <utility>
#include <vector>

#include "engine/check.h"
#include "sim/run/backends.h"
#include "sim/run/followers.h"
#include "sim/run/initial_state.h"
#include "sim/run/simulation.h"

namespace mote::sim {

std::unique_ptr<Simulation> open_simulation(const SceneDescription& scene, const Plan& plan) {
  MOTE_EXPECT(plan.processes == 0);
  auto start = std::make_shared<InitialState>(make_initial_state(scene, plan));
  const auto open =
      plan.backend == engine::Backend::cuda ? open_cuda_simulation : open_cpu_simulation;
  if (plan.devices.size() <= 1 || plan.ranks) return open(scene, plan, std::move(start));
  // The bodies are freed when each rank has its share, before it evaluates forces.
  std::vector<std::shared_ptr<InitialState>> starts(plan.devices.size(), start);
  start.reset();
  return Followers::open(ranks_of(plan), [&](int rank, engine::Ranks& ranks) {
    const auto k = static_cast<std::size_t>(rank);
    Plan own = plan;
    own.ranks = &ranks;
    own.device = plan.devices[k];
    return open(scene, own, std::move(starts[k]));
  });
}

}  // namespace mote::sim
