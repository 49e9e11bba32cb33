#include "app/run/health_monitor.h"

#include <algorithm>

#include "engine/log.h"

namespace mote::app {

HealthMonitor::HealthMonitor(sim::Simulation& simulation, const sim::SceneDescription& scene)
    : simulation_(simulation), scene_(scene) {}

void HealthMonitor::update(bool now, const std::function<CheckpointData()>& data) {
  const std::uint64_t step = simulation_.step();
  if (!now && step < next_) return;
  save_good_state(data);
  const std::uint64_t interval = sim::steps_between_checks(simulation_);
  next_ = (step / interval + 1) * interval;
  if (step < next_encounter_) return;
  check_encounters();
  const std::uint64_t encounter_interval = std::min(sim::most_steps_between_checks, 16 * interval);
  next_encounter_ = (step / encounter_interval + 1) * encounter_interval;
}

void HealthMonitor::save_good_state(const std::function<CheckpointData()>& data) {
  if (out_of_memory_) return;
  last_good_.reset();
  try {
    last_good_ = simulation_.save();
    data_ = data();
  } catch (const std::exception& e) {
    out_of_memory_ = true;
    engine::log().info("the last good state is not kept, for lack of memory: {}", e.what());
  }
}

void HealthMonitor::check_encounters() {
  const auto found = sim::hardest_encounter(simulation_);
  if (!found || !sim::unresolved(*found, simulation_.dt())) return;
  if (!encounter_ || found->period < encounter_->period) encounter_ = found;
  if (std::exchange(warned_, true)) return;
  engine::log().warn("{}", sim::encounter_message(*found, simulation_));
}

std::optional<std::uint64_t> HealthMonitor::rewind(
    const std::function<void(const CheckpointData&)>& keep, std::vector<std::uint32_t> offenders,
    const std::filesystem::path& offenders_file) {
  const std::uint64_t bad = simulation_.step();
  std::optional<std::uint64_t> step;
  if (last_good_ && last_good_->step() < bad) {
    simulation_.restore(*last_good_);
    step = simulation_.step();
    keep(data_);
    if (bad - *step > 1) simulation_.advance(bad - *step - 1, {});
    warned_ = true;  // the summary reports it
    check_encounters();
  }
  if (encounter_)
    for (const std::uint32_t id : {encounter_->first, encounter_->second})
      if (std::find(offenders.begin(), offenders.end(), id) == offenders.end())
        offenders.push_back(id);
  if (!offenders.empty())
    sim::write_offenders(offenders_file, simulation_, offenders, scene_.units);
  return step;
}

}  // namespace mote::app
