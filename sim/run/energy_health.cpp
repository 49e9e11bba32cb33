#include "sim/run/energy_health.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/json.h"
#include "sim/motion/integrators.h"
#include "sim/run/health.h"

namespace mote::sim {
namespace {

using Kind = EnergyEffect::Kind;

constexpr double infinite_energy = std::numeric_limits<double>::infinity();

bool only_falls(Kind kind) {
  return kind == Kind::takes || kind == Kind::limited;
}

/// The sentence for a change of this size in a scene of this kind.
std::string sentence_of(Kind kind, double part, const std::string& moment) {
  const std::string at = fmt::format("{:.3g} of the largest energy so far at {}, ", part, moment);
  switch (kind) {
    case Kind::takes:
      return "the energy has risen by " + at + "although nothing in the scene gives any";
    case Kind::limited:
      return "the energy has risen by " + at + "far more than anything in the scene gives";
    default:
      return "the energy is off by " + at + "although nothing in the scene changes it";
  }
}

template <class List>
void drop_after(std::uint64_t step, List& all, std::size_t least) {
  while (all.size() > least && all.back().step > step) all.pop_back();
}

}  // namespace

EnergyHealth::EnergyHealth(const SceneDescription& scene)
    : units_(scene.units),
      limit_(scene.health.energy_error),
      remedy_("a smaller " + info_of(scene.integrator).accuracy) {
  for (const Physics& p : scene.physics)
    if (const std::string advice = p.accuracy_advice(); !advice.empty()) remedy_ += " or " + advice;
  remedy_ += " may help";
}

void EnergyHealth::update(const Measurement& m, const EnergyReference& r) {
  const double change = m.energy - r.energy;
  if (r.since > bases_.back().step && std::isfinite(change)) bases_.push_back({m.step, change});
  const bool falls = only_falls(r.balance.kind);
  const double above = change - bases_.back().value;
  rise_ = falls ? std::max(above, 0.0) : std::fabs(above);
  const double warmth = r.balance.warmth * static_cast<double>(r.bodies),
               largest = std::max(largest_.back().value, falls ? warmth : 0);
  const double now =
      std::max({largest, std::fabs(r.energy), std::fabs(m.kinetic), std::fabs(m.potential)});
  if (!std::isfinite(change) || !std::isfinite(now)) {
    drift_ = excess_ = infinite_energy;
    return;
  }
  const bool counts = largest == 0 || rise_ <= warn_above * now;
  const double scale = counts ? now : largest;
  excess_ = rise_ == 0 ? 0 : rise_ / scale;
  drift_ = change == 0 ? 0 : std::fabs(change) / scale;
  if (counts && now > largest_.back().value) largest_.push_back({m.step, now});
  // Hundredths, so that a fall of many rows is a short list.
  if (falls && above < -0.01 * scale) bases_.push_back({m.step, change});
}

void EnergyHealth::check(const Measurement& m, const EnergyReference& reference) {
  update(m, reference);
  const double error = std::isfinite(m.energy_error) ? std::fabs(m.energy_error) : infinite_energy;
  if (error > errors_.back().value) errors_.push_back({m.step, error});
  check_change(m, reference);
  check_growth(m, reference);
}

void EnergyHealth::check_change(const Measurement& m, const EnergyReference& r) {
  const auto fail = [&](std::string why) {
    if (failure_.message.empty()) failure_ = {m.step, drift_, std::move(why)};
  };
  const std::string moment = moment_text(m.step, m.time, units_);
  if (!std::isfinite(m.energy))
    return fail(fmt::format("the energy is not finite (kinetic {:.3g}, potential {:.3g}) at {}; {}",
                            m.kinetic, m.potential, moment, remedy_));
  const Kind kind = r.balance.kind;
  if (kind == Kind::gives) return;
  if (limit_ && kind == Kind::counted && std::fabs(m.energy_error) > *limit_)
    fail(fmt::format("the relative energy error {:.3g} passed the scene's limit {:.3g} at {}; {}",
                     m.energy_error, *limit_, moment, remedy_));
  if (const double risen = std::fabs(relative_error(r.energy + rise_, r.energy));
      limit_ && only_falls(kind) && risen > *limit_)
    fail(
        fmt::format("the energy has risen by {:.3g} of its first value at {}, more than the "
                    "scene's limit {:.3g}; {}",
                    risen, moment, *limit_, remedy_));
  if (!(excess_ > (kind == Kind::limited ? fail_above : warn_above))) return;
  std::string off = sentence_of(kind, excess_, moment) + ": " + remedy_;
  if (!limit_ && excess_ > fail_above)
    return fail(off + "; if this is expected, set health.energy_error");
  if (worst_.empty() || excess_ > worst_.back().drift)
    worst_.push_back({m.step, excess_, std::move(off)});
}

void EnergyHealth::check_growth(const Measurement& m, const EnergyReference& r) {
  if (!std::isfinite(m.kinetic) || !std::isfinite(m.potential)) return;
  if (!first_start_) first_start_ = r.start;
  const double energy = std::max(m.kinetic, std::fabs(m.potential));
  if (grown_.empty() || energy > 1.25 * grown_.back().value)
    grown_.push_back({m.step, energy, m.time});
  if (-m.potential > (depths_.empty() ? 0 : 1.25 * depths_.back().value))
    depths_.push_back({m.step, -m.potential});
  if (!growth_.message.empty()) return;
  const double half = 0.5 * (grown_.front().time + m.time);
  double known =
      std::max({depths_.empty() ? 0 : depths_.back().value, std::fabs(r.start - *first_start_),
                r.balance.warmth * static_cast<double>(r.bodies)});
  for (const Extreme& e : grown_)
    if (e.time <= half) known = std::max(known, e.value);
  if (!(known > 0 && m.kinetic > growth_above * known)) return;
  growth_ = {
      m.step, m.kinetic / known,
      fmt::format("the kinetic energy, {:.3g} at {}, is {:.2g} times all energy of the first half "
                  "of that time and the depth of the potential: unless forces are meant to give "
                  "so much, {}",
                  m.kinetic, moment_text(m.step, m.time, units_), m.kinetic / known, remedy_)};
}

void EnergyHealth::discard_after(std::uint64_t step) {
  drop_after(step, worst_, 0);
  for (Extremes* all : {&largest_, &errors_, &bases_, &grown_}) drop_after(step, *all, 1);
  drop_after(step, depths_, 0);
  for (Finding* finding : {&growth_, &failure_})
    if (finding->step > step) *finding = {};
}

engine::Json EnergyHealth::json_of(const Extremes& all) {
  engine::Json list = engine::Json::array();
  for (const Extreme& e : all) list.push_back(engine::Json::array({e.step, e.value, e.time}));
  return list;
}

void EnergyHealth::read(const engine::Json& state, const char* key, Extremes& all) {
  if (!state.contains(key)) return;  // of older files
  all.clear();
  for (const engine::Json& e : state[key]) all.push_back({e.at(0), e.at(1), e.at(2)});
}

engine::Json EnergyHealth::to_json() const {
  const Finding worst = worst_.empty() ? Finding{} : worst_.back();
  engine::Json json{{"largest", largest_.back().value},
                    {"largest_error", errors_.back().value},
                    {"step", worst.step},
                    {"drift", worst.drift},
                    {"warning", worst.message},
                    {"base", json_of({bases_.back()})},
                    {"grown", json_of(grown_)},
                    {"depth", json_of(depths_)},
                    {"growth_step", growth_.step},
                    {"growth", growth_.message}};
  if (first_start_) json["start"] = *first_start_;
  return json;
}

void EnergyHealth::resume(const engine::Json& state) {
  largest_ = {{0, state.at("largest")}};
  const auto error = state.find("largest_error");  // older files have none
  errors_ = {{0, error != state.end() && error->is_number() ? error->get<double>() : 0}};
  worst_.clear();
  if (Finding saved{state.at("step"), state.at("drift"), state.at("warning").get<std::string>()};
      !saved.message.empty())
    worst_.push_back(std::move(saved));
  read(state, "base", bases_);
  read(state, "grown", grown_);
  read(state, "depth", depths_);
  growth_ = {state.value("growth_step", std::uint64_t{0}), growth_above,
             state.value("growth", std::string())};
  if (state.contains("start") && state["start"].is_number()) first_start_ = state["start"];
}

}  // namespace mote::sim
