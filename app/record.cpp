#include "app/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/json.h"
#include "engine/log.h"
#include "engine/machine.h"
#include "engine/text.h"
#include "sim/run/health.h"
#include "sim/run/run_folder.h"
#include "sim/scene/energy.h"
#include "sim/scene/reader.h"

namespace mote::app {
namespace {

using engine::Json;

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::done:
      return "done";
    case Outcome::unhealthy:
      return "unhealthy";
    case Outcome::interrupted:
      return "interrupted";
  }
  return "?";
}

Json histograms_json(const RunRecord& record, const engine::UnitSystem& units) {
  Json all = Json::object();
  for (const sim::Histogram& h : record.histograms) {
    const sim::ScalarInfo& scalar = sim::scalar_info(h.scalar);
    all[scalar.name] = Json{{"file", sim::file_name(scalar)},
                            {"unit", sim::unit_text(scalar, units)},
                            {"bins", h.bins.count},
                            {"range", Json::array({h.bins.low, h.bins.high})},
                            {"below", h.below},
                            {"above", h.above},
                            {"not_finite", h.not_finite}};
  }
  return all;
}

Json params_json(const sim::SceneDescription& scene) {
  Json params = Json::object();
  for (const sim::SceneParam& p : scene.params) params[p.info.name] = sim::to_json(p.value);
  return params;
}

Json cuda_json() {
  const engine::CudaInfo cuda = engine::cuda_info();
  return Json{{"runtime", cuda.runtime}, {"driver", cuda.driver}};
}

/// "Xeon (16 threads, avx512, single)", "NVIDIA H200 (cooperative stepping, single)".
std::string where(const sim::Plan& plan) {
  if (plan.backend == engine::Backend::cuda)
    return fmt::format("{} ({} stepping, {})", plan.device_name, sim::name_of(plan.stepping),
                       engine::name_of(plan.precision));
  return fmt::format("{} ({}, {}, {})", engine::machine_info().processor,
                     engine::counted(plan.cpu.threads, "thread"), engine::name_of(plan.cpu.simd),
                     engine::name_of(plan.precision));
}

double rate(std::uint64_t count, double seconds) {
  return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

}  // namespace

std::string RunRecord::warning() const {
  const std::string& off = energy.warning();
  return encounter + (encounter.empty() || off.empty() ? "" : "; ") + off;
}

std::string diagnosis(const RunRecord& record, const sim::SceneDescription& scene,
                      const sim::Plan& plan, const sim::Simulation& simulation) {
  const auto id = static_cast<std::uint32_t>(record.offender);
  const std::string name =
      record.offender < 0 || simulation.name(id).empty() ? "" : " (" + simulation.name(id) + ")";
  const std::string& cause = record.encounter;
  if (has(record.health, sim::Health::bond_overstretched))
    return fmt::format(
        "a bond of body {}{} is longer than its extension at step {}, t = {}; likely the time step "
        "is too "
        "large, or something pulls harder than the bond holds: set a smaller dt, or a larger "
        "extension or stiffness of its kind",
        id, name, record.steps, record.time);
  if (has(record.health, sim::Health::not_finite)) {
    const bool unsoftened = scene.gravity && scene.gravity->softening == 0;
    return fmt::format(
        "body {}{} has numbers that are not finite at step {}, t = {}; {}{}", id, name,
        record.steps, record.time,
        !cause.empty() ? cause
        : unsoftened
            ? "likely two bodies met without softening: set gravity.softening, or a smaller dt"
            : "likely the time step is too large: set a smaller dt",
        plan.precision == engine::Precision::full
            ? ""
            : "; or numbers outgrew single precision: use --precision double");
  }
  if (has(record.health, sim::Health::step_too_long))
    return sim::long_step_words(simulation, record.steps, record.time);
  if (has(record.health, sim::Health::escaped))
    return fmt::format(
        "body {}{} is further from the centre of mass than the scene's escape_radius {} at step "
        "{}, t = {}; "
        "{}",
        id, name, scene.health.escape_radius.value_or(0), record.steps, record.time,
        cause.empty() ? "if it may, set a larger health.escape_radius" : cause);
  if (has(record.health, sim::Health::energy_drift))
    return record.energy.trouble() + (cause.empty() ? "" : ": " + cause);
  return record.verdict.reason;
}

Json measurement_json(const sim::Measurement& m) {
  const auto vector = [](engine::Vec3d v) { return Json::array({v.x, v.y, v.z}); };
  return Json{{"time", m.time},
              {"step", m.step},
              {"kinetic", m.kinetic},
              {"potential", m.potential},
              {"energy", m.energy},
              {"energy_error", m.energy_error},
              {"virial_ratio", m.virial_ratio},
              {"temperature", m.temperature},
              {"virial", m.virial},
              {"pressure", m.pressure},
              {"displacement", m.displacement},
              {"momentum", vector(m.momentum)},
              {"angular_momentum", vector(m.angular_momentum)},
              {"center_of_mass", vector(m.center_of_mass)},
              {"lagrangian_radii", m.lagrangian_radii},
              {"box", Json::array({vector(m.low), vector(m.high)})},
              {"fastest", m.fastest}};
}

Json run_json_of(const HeadlessRequest& request, const sim::SceneDescription& scene,
                 const sim::Plan& plan, const std::string& status, const std::string& reason) {
  const engine::BuildInfo& build = engine::build_info();
  const engine::MachineInfo machine = engine::machine_info();
  Json json;
  json["title"] = scene.head.title;
  json["status"] = status;
  if (!reason.empty()) json["reason"] = reason;
  json["bodies"] = scene.body_count();
  json["seed"] = scene.head.seed;
  json["parameters"] = params_json(scene);
  json["backend"] = engine::name_of(plan.backend);
  json["precision"] = engine::name_of(plan.precision);
  if (plan.backend == engine::Backend::cuda) {
    json["stepping"] = sim::name_of(plan.stepping);
    json["device"] = plan.device_name;
    json["cuda"] = cuda_json();
  } else {
    json["simd"] = engine::name_of(plan.cpu.simd);
    json["device"] = machine.processor;
  }
  json["threads"] = plan.cpu.threads;
  json["choices"] = plan.reasons;
  json["processor"] = machine.processor;
  json["system"] = machine.system;
  json["version"] = build.version;
  json["commit"] = build.commit;
  json["compiler"] = build.compiler;
  json["command_line"] = request.command_line;
  if (!scene.hooks.empty()) json["hooks"] = sim::hooks_json(scene.hooks);
  json["scene"] = scene.expanded;
  // Words of a command line need not be UTF-8, but JSON is.
  return engine::parse_json(engine::json_text(json));
}

Json run_json(const HeadlessRequest& request, const sim::SceneDescription& scene,
              const sim::Plan& plan, const RunRecord& record, Outcome outcome) {
  Json json = run_json_of(request, scene, plan, std::string(name_of(outcome)), record.reason);
  json["state_hash"] = sim::hash_text(record.hash);
  // A scene that goes on has the bodies of its checkpoint.
  json["bodies"] = static_cast<std::int64_t>(record.bodies) +
                   static_cast<std::int64_t>(record.removed) -
                   static_cast<std::int64_t>(record.added);
  if (record.added + record.removed > 0) {
    json["bodies_at_end"] = record.bodies;
    json["bodies_added"] = record.added;
    json["bodies_removed"] = record.removed;
  }
  json["steps"] = record.steps;
  json["time"] = record.time;
  if (!record.renderer.empty()) json["renderer"] = record.renderer;
  if (!record.resumed.empty()) json["resumed_at_steps"] = record.resumed;
  if (const std::string warning = record.warning(); !warning.empty()) json["warning"] = warning;
  if (!record.checkpoint.empty()) json["checkpoint"] = record.checkpoint.string();
  json["timings"] = Json{{"open_seconds", record.opened},
                         {"stepping_seconds", record.stepping},
                         {"total_seconds", record.total},
                         {"steps_per_second", rate(record.steps, record.stepping)},
                         {"interactions_per_second", rate(record.interactions, record.stepping)}};
  json["first"] = measurement_json(record.first);
  json["last"] = measurement_json(record.last);
  if (record.verdict.kind == sim::HookVerdict::Kind::stop)
    json["stop_reason"] = record.verdict.reason;
  if (record.verdict.kind == sim::HookVerdict::Kind::fail) json["failure"] = record.verdict.reason;
  if (!record.data->empty()) json["data"] = record.data;
  if (Json edits = sim::edits_json(record.edits); !edits.empty()) json["edits"] = std::move(edits);
  if (!record.histograms.empty()) json["histograms"] = histograms_json(record, scene.units);
  return engine::parse_json(engine::json_text(json));
}

void report(const HeadlessRequest& request, const sim::SceneDescription& scene,
            const sim::Plan& plan, const RunRecord& record, Outcome outcome,
            const std::filesystem::path& folder) {
  const std::string trouble = outcome == Outcome::unhealthy ? record.reason : "";
  if (!trouble.empty()) engine::log().error("unhealthy: {}", trouble);
  if (request.json) {
    Json line{{"event", name_of(outcome)},
              {"folder", folder.string()},
              {"state_hash", sim::hash_text(record.hash)},
              {"steps", record.steps},
              {"time", record.time},
              {"energy_error", record.last.energy_error},
              {"seconds", record.total}};
    if (!trouble.empty()) line["problem"] = trouble;
    if (const std::string warning = record.warning(); !warning.empty()) line["warning"] = warning;
    if (!record.checkpoint.empty()) line["checkpoint"] = record.checkpoint.string();
    if (record.verdict.kind == sim::HookVerdict::Kind::stop)
      line["stop_reason"] = record.verdict.reason;
    if (const auto notes = sim::energy_notes(scene); !notes.empty()) line["notes"] = notes;
    fmt::print("{}\n", engine::json_text(line));
    std::fflush(stdout);
    return;
  }
  if (request.quiet) return;
  const std::string unit = scene.units.time.empty() ? "" : " " + scene.units.time;
  const std::string changed =
      record.added + record.removed == 0
          ? ""
          : fmt::format(" ({} added, {} removed)", record.added, record.removed);
  fmt::print("{}: {} bodies{}, {} steps to t = {:.6g}{}, {}\n", name_of(outcome),
             engine::with_thousands(record.bodies), changed,
             engine::with_thousands(static_cast<long long>(record.steps)), record.time, unit,
             engine::duration_text(record.total));
  if (record.verdict.kind == sim::HookVerdict::Kind::stop)
    fmt::print("  stopped by the scene: {}\n", record.verdict.reason);
  fmt::print("  energy error {:.3g}, virial ratio {:.3g}, state hash {}\n",
             record.last.energy_error, record.last.virial_ratio, sim::hash_text(record.hash));
  for (const std::string& note : sim::energy_notes(scene)) fmt::print("  {}\n", note);
  if (const std::string warning = record.warning(); !warning.empty())
    fmt::print("  warning: {}\n", warning);
  fmt::print("  {:.3g} steps/s, {:.3g} interactions/s on {}\n", rate(record.steps, record.stepping),
             rate(record.interactions, record.stepping), where(plan));
  fmt::print("  {}: run.json, series.csv, {}", folder.string(),
             record.snapshot.lexically_relative(folder).string());
  if (!record.offenders.empty()) fmt::print(", {}", record.offenders.filename().string());
  for (const sim::Histogram& histogram : record.histograms)
    fmt::print(", {}", sim::file_name(sim::scalar_info(histogram.scalar)));
  if (!request.pictures.picture.empty() && !record.renderer.empty())
    fmt::print(", {}", request.pictures.picture.string());
  if (!record.movie.empty()) fmt::print(", {}", record.movie.string());
  fmt::print("\n");
  if (!record.checkpoint.empty() && outcome != Outcome::done)
    fmt::print("  {}; go on with: mote resume {}{}\n", record.checkpoint.string(), folder.string(),
               outcome == Outcome::unhealthy ? " --set integrator.dt=..." : "");
  std::fflush(stdout);
}

}  // namespace mote::app
