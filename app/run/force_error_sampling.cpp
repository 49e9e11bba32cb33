#include "app/run/force_error_sampling.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "engine/json.h"
#include "engine/log.h"
#include "engine/text.h"
#include "sim/run/health.h"

namespace mote::app {
namespace {

using engine::Json;

sim::ForceErrors errors_of(const Json& json) {
  const auto number = [&](const char* key) {  // JSON stores those that are not finite as null
    const Json& value = json.at(key);
    return value.is_number() ? value.get<double>() : std::numeric_limits<double>::infinity();
  };
  return {.bodies = json.at("bodies"),
          .median = number("median"),
          .percentile_90 = number("p90"),
          .percentile_99 = number("p99"),
          .worst = number("worst"),
          .asked = number("asked")};
}

Json sample_json(const ForceErrorSample& sample) {
  Json json = force_errors_json(sample.errors);
  json["step"] = sample.step;
  json["time"] = sample.time;
  return json;
}

ForceErrorSample sample_of(const Json& json) {
  return {errors_of(json), json.at("step"), json.at("time")};
}

}  // namespace

ForceErrorSampling::ForceErrorSampling(const sim::Simulation& simulation, const Json& before)
    : next_(simulation.step()) {
  if (!before.is_object()) return;
  sampled_ = SampledForceErrors{sample_of(before.at("last")), sample_of(before.at("largest")),
                                before.at("samples")};
  next_ = before.at("next");
}

void ForceErrorSampling::sample(sim::Simulation& simulation) {
  if (simulation.step() < next_) return;
  take(simulation);
  next_ = sampled_ ? simulation.step() + sim::steps_between_error_samples(simulation) : sim::never;
}

void ForceErrorSampling::finish(sim::Simulation& simulation) {
  if (next_ != sim::never && !(sampled_ && sampled_->last.step == simulation.step()))
    take(simulation);
}

void ForceErrorSampling::take(sim::Simulation& simulation) {
  const auto errors = simulation.force_errors();
  if (!errors) return;
  const ForceErrorSample now{*errors, simulation.step(), simulation.time()};
  if (!sampled_) sampled_ = SampledForceErrors{now, now, 0};
  sampled_->last = now;
  if (errors->percentile_99 > sampled_->largest.errors.percentile_99) sampled_->largest = now;
  ++sampled_->samples;
  if (errors->kept() || std::exchange(warned_, true)) return;
  engine::log().warn("{}", force_errors_warning(now));
}

Json ForceErrorSampling::json() const {
  if (!sampled_) return {};
  return Json{{"last", sample_json(sampled_->last)},
              {"largest", sample_json(sampled_->largest)},
              {"samples", sampled_->samples},
              {"next", next_}};
}

Json force_errors_json(const sim::ForceErrors& errors) {
  return Json{{"bodies", errors.bodies},     {"median", errors.median},
              {"p90", errors.percentile_90}, {"p99", errors.percentile_99},
              {"worst", errors.worst},       {"asked", errors.asked}};
}

Json force_errors_json(const SampledForceErrors& sampled) {
  Json json = force_errors_json(sampled.last.errors);
  json["step"] = sampled.last.step;
  json["samples"] = sampled.samples;
  json["largest"] = Json{{"p99", sampled.largest.errors.percentile_99},
                         {"step", sampled.largest.step},
                         {"time", sampled.largest.time}};
  return json;
}

std::string force_errors_text(const sim::ForceErrors& errors) {
  return fmt::format(
      "median {:.2g}, 90 % {:.2g}, 99 % {:.2g} (asked: {:g}), worst {:.2g} of {} bodies",
      errors.median, errors.percentile_90, errors.percentile_99, errors.asked, errors.worst,
      engine::with_thousands(errors.bodies));
}

std::string force_errors_warning(const ForceErrorSample& sample) {
  if (sample.errors.kept()) return "";
  return fmt::format(
      "forces are less accurate than asked: 99 % have errors below {:.2g} at step {}, not {:g}; a "
      "smaller accuracy of the solver may help",
      sample.errors.percentile_99, sample.step, sample.errors.asked);
}

}  // namespace mote::app
