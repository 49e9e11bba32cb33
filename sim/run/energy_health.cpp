#include "sim/run/energy_health.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/json.h"
#include "sim/scene/energy.h"

namespace mote::sim {

EnergyHealth::EnergyHealth(const SceneDescription& scene)
    : constant_(energy_notes(scene).empty()), limit_(scene.health.energy_error) {}

void EnergyHealth::take(const Measurement& m, double first_energy) {
  const double change = std::fabs(m.energy - first_energy);
  const double now =
      std::max({largest_, std::fabs(first_energy), std::fabs(m.kinetic), std::fabs(m.potential)});
  if (!std::isfinite(change) || !std::isfinite(now)) {
    drift_ = std::numeric_limits<double>::infinity();
  } else if (change == 0) {
    drift_ = 0, largest_ = now;
  } else if (largest_ == 0 || change <= wrong * now) {
    drift_ = change / now, largest_ = now;
  } else {
    drift_ = change / largest_;
  }
}

void EnergyHealth::look(const Measurement& m, double first_energy) {
  take(m, first_energy);
  const auto break_with = [&](std::string why) {
    if (trouble_.words.empty()) trouble_ = {m.step, drift_, std::move(why)};
  };
  if (!std::isfinite(m.energy))
    return break_with(fmt::format(
        "the energy is not finite (kinetic {:.3g}, potential {:.3g}) at step {}, t = {}; a smaller "
        "dt may help",
        m.kinetic, m.potential, m.step, m.time));
  if (limit_ && std::fabs(m.energy_error) > *limit_)
    break_with(
        fmt::format("the relative energy error {:.3g} passed the scene's limit {:.3g} at step {}, t = {}; a "
                    "smaller dt or a larger softening may help",
                    m.energy_error, *limit_, m.step, m.time));
  if (!constant_ || !(drift_ > wrong)) return;
  std::string off = fmt::format(
      "the energy is off by {:.3g} of the largest energy so far at step {}, t = {}, and nothing in the scene "
      "changes it: a smaller dt or a larger softening may help",
      drift_, m.step, m.time);
  if (!limit_ && drift_ > broken) return break_with(off + "; if it may, set health.energy_error");
  if (drift_ > worst_.drift) worst_ = {m.step, drift_, std::move(off)};
}

void EnergyHealth::cut(std::uint64_t step) {
  for (Said* said : {&worst_, &trouble_})
    if (said->step > step) *said = {};
}

engine::Json EnergyHealth::state() const {
  return engine::Json{
      {"largest", largest_}, {"step", worst_.step}, {"drift", worst_.drift}, {"warning", worst_.words}};
}

void EnergyHealth::go_on(const engine::Json& state) {
  largest_ = state.at("largest");
  worst_ = {state.at("step"), state.at("drift"), state.at("warning").get<std::string>()};
}

}  // namespace mote::sim
