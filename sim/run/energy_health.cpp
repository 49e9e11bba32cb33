#include "sim/run/energy_health.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/json.h"

namespace mote::sim {

EnergyHealth::EnergyHealth(const SceneDescription& scene)
    : constant_(energy_notes(scene).empty()),
      limit_(scene.health.energy_error),
      remedy_("a smaller dt") {
  for (const Physics& p : scene.physics)
    if (const std::string advice = p.accuracy_advice(); !advice.empty()) remedy_ += " or " + advice;
  remedy_ += " may help";
}

void EnergyHealth::update_drift(const Measurement& m, double first_energy) {
  const double change = std::fabs(m.energy - first_energy);
  const double largest = largest_.back().value;
  const double now =
      std::max({largest, std::fabs(first_energy), std::fabs(m.kinetic), std::fabs(m.potential)});
  if (!std::isfinite(change) || !std::isfinite(now)) {
    drift_ = std::numeric_limits<double>::infinity();
  } else if (change == 0) {
    drift_ = 0;
  } else if (largest == 0 || change <= warn_above * now) {
    drift_ = change / now;
  } else {
    drift_ = change / largest;
    return;
  }
  if (now > largest && std::isfinite(now)) largest_.push_back({m.step, now});
}

void EnergyHealth::check(const Measurement& m, double first_energy) {
  update_drift(m, first_energy);
  const double error = std::isfinite(m.energy_error) ? std::fabs(m.energy_error)
                                                     : std::numeric_limits<double>::infinity();
  if (error > errors_.back().value) errors_.push_back({m.step, error});
  const auto fail = [&](std::string why) {
    if (failure_.message.empty()) failure_ = {m.step, drift_, std::move(why)};
  };
  if (!std::isfinite(m.energy))
    return fail(fmt::format(
        "the energy is not finite (kinetic {:.3g}, potential {:.3g}) at step {}, t = {}; a smaller "
        "dt may help",
        m.kinetic, m.potential, m.step, m.time));
  if (limit_ && std::fabs(m.energy_error) > *limit_)
    fail(fmt::format(
        "the relative energy error {:.3g} passed the scene's limit {:.3g} at step {}, t = {}; {}",
        m.energy_error, *limit_, m.step, m.time, remedy_));
  if (!constant_ || !(drift_ > warn_above)) return;
  std::string off = fmt::format(
      "the energy is off by {:.3g} of the largest energy so far at step {}, t = {}, although "
      "nothing in the scene changes it: {}",
      drift_, m.step, m.time, remedy_);
  if (!limit_ && drift_ > fail_above)
    return fail(off + "; if this is expected, set health.energy_error");
  if (worst_.empty() || drift_ > worst_.back().drift)
    worst_.push_back({m.step, drift_, std::move(off)});
}

void EnergyHealth::discard_after(std::uint64_t step) {
  while (!worst_.empty() && worst_.back().step > step) worst_.pop_back();
  while (largest_.back().step > step) largest_.pop_back();
  while (errors_.back().step > step) errors_.pop_back();
  if (failure_.step > step) failure_ = {};
}

engine::Json EnergyHealth::to_json() const {
  const Finding worst = worst_.empty() ? Finding{} : worst_.back();
  return engine::Json{{"largest", largest_.back().value},
                      {"largest_error", errors_.back().value},
                      {"step", worst.step},
                      {"drift", worst.drift},
                      {"warning", worst.message}};
}

void EnergyHealth::resume(const engine::Json& state) {
  largest_ = {{0, state.at("largest")}};
  const auto error = state.find("largest_error");  // older files have none
  errors_ = {{0, error != state.end() && error->is_number() ? error->get<double>() : 0}};
  worst_.clear();
  if (Finding saved{state.at("step"), state.at("drift"), state.at("warning").get<std::string>()};
      !saved.message.empty())
    worst_.push_back(std::move(saved));
}

}  // namespace mote::sim
