#include "app/run/radial_sampling.h"

#include <algorithm>
#include <utility>

#include "engine/json.h"

namespace mote::app {

RadialSampling::RadialSampling(const sim::SceneDescription& scene, const sim::Checkpoint* from) {
  if (!scene.radial_distribution) return;
  const sim::RadialDistribution& wanted = *scene.radial_distribution;
  std::vector<std::string> species;
  for (const sim::Species& one : scene.species) species.push_back(one.name);
  counts_ = std::make_unique<sim::RadialCounts>(wanted, sim::domain_of(scene), std::move(species));
  every_ = static_cast<std::uint64_t>(wanted.every);
  from_ = static_cast<std::uint64_t>(wanted.from);
  if (from) counts_->read(from->run->at(key));
  // A checkpoint includes the sample due at its step.
  next_ = next_due(from ? from->run_clock.clock.step + 1 : 0);
}

std::uint64_t RadialSampling::next_due(std::uint64_t step) const {
  return (std::max(step, from_) + every_ - 1) / every_ * every_;
}

void RadialSampling::sample(sim::Simulation& simulation) {
  if (simulation.step() < next_) return;
  counts_->add(simulation.plan().cpu, simulation.state());
  next_ = next_due(simulation.step() + 1);
}

std::optional<std::uint64_t> RadialSampling::samples() const {
  return counts_ ? std::optional(counts_->samples()) : std::nullopt;
}

engine::Json RadialSampling::json() const {
  return counts_ ? counts_->json() : engine::Json();
}

void RadialSampling::write(sim::RunFolder& folder, const engine::UnitSystem& units) const {
  if (counts_) folder.radial_distribution(*counts_, units);
}

}  // namespace mote::app
