#include "app/watch.h"

#include <algorithm>

#include "engine/log.h"

namespace mote::app {

Watch::Watch(sim::Simulation& simulation, const sim::SceneDescription& scene)
    : simulation_(simulation), scene_(scene) {}

void Watch::look(bool now, const std::function<Notes()>& notes) {
  const std::uint64_t step = simulation_.step();
  if (!now && step < next_) return;
  keep_good(notes);
  const std::uint64_t every = sim::steps_between_looks(simulation_);
  next_ = (step / every + 1) * every;
  if (step < next_encounter_) return;
  look_for_encounters();
  const std::uint64_t rarely = std::min(sim::most_steps_between_looks, 16 * every);
  next_encounter_ = (step / rarely + 1) * rarely;
}

void Watch::keep_good(const std::function<Notes()>& notes) {
  if (no_room_) return;
  good_.reset();
  try {
    good_ = simulation_.keep();
    notes_ = notes();
  } catch (const std::exception& e) {
    no_room_ = true;
    engine::log().info("no last good state is kept, for lack of memory: {}", e.what());
  }
}

void Watch::look_for_encounters() {
  const auto found = sim::hardest_encounter(simulation_, scene_.units);
  if (!found || !sim::too_hard(*found, simulation_.dt())) return;
  if (!encounter_ || found->period < encounter_->period) encounter_ = found;
  if (std::exchange(warned_, true)) return;
  engine::log().warn("{}", sim::encounter_words(*found, simulation_));
}

std::optional<std::uint64_t> Watch::go_back(const std::function<void(const Notes&)>& keep,
                                            std::vector<std::uint32_t> offenders,
                                            const std::filesystem::path& offenders_file) {
  const std::uint64_t bad = simulation_.step();
  std::optional<std::uint64_t> step;
  if (good_ && good_->step() < bad) {
    simulation_.restore(*good_);
    step = simulation_.step();
    keep(notes_);
    if (bad - *step > 1) simulation_.advance(bad - *step - 1, {});
    warned_ = true;  // the report says it
    look_for_encounters();
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
