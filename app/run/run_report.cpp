#include "app/run/run_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/look/measures_shown.h"
#include "engine/json.h"
#include "engine/log.h"
#include "engine/machine.h"
#include "engine/readable.h"
#include "engine/terminal.h"
#include "engine/text.h"
#include "sim/motion/integrators.h"
#include "sim/output/run_folder.h"
#include "sim/run/health.h"
#include "sim/source/reader.h"

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

Json ranks_json(const std::vector<sim::RankWork>& ranks) {
  Json all = Json::array();
  for (const sim::RankWork& rank : ranks)
    all.push_back({{"interactions", rank.interactions},
                   {"bytes_sent", rank.bytes_sent},
                   {"bytes_received", rank.bytes_received}});
  return all;
}

Json histograms_json(const RunReport& report, const engine::UnitSystem& units) {
  Json all = Json::object();
  for (const sim::Histogram& h : report.histograms) {
    const sim::ScalarInfo scalar = sim::scalar_info(h.scalar);
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

}  // namespace

std::string gpus_text(const sim::Plan& plan) {
  const std::size_t ranks = plan.devices.size();
  return ranks > 1 ? fmt::format("{} x {}", ranks, plan.device_name) : plan.device_name;
}

namespace {

/// "Xeon (16 threads, avx512, single)", "NVIDIA H200 (cooperative stepping, single)".
std::string device_text(const sim::Plan& plan) {
  if (plan.backend == engine::Backend::cuda)
    return fmt::format("{} ({} stepping, {})", gpus_text(plan), sim::name_of(plan.stepping),
                       engine::name_of(plan.precision));
  return fmt::format("{} ({}, {}, {})", engine::machine_info().processor,
                     engine::counted(plan.cpu.threads, "thread"), engine::name_of(plan.cpu.simd),
                     engine::name_of(plan.precision));
}

/// Errors of approximate forces, and what they do to the centre of mass.
void print_forces(const RunReport& report, const engine::UnitSystem& units) {
  if (report.force_errors) {
    const SampledForceErrors& sampled = *report.force_errors;
    engine::print("  force errors: {}\n", force_errors_text(sampled.last.errors));
    if (sampled.largest.step != sampled.last.step)
      engine::print("  largest of {} samples: 99 % {:.2g} at step {}\n", sampled.samples,
                    sampled.largest.errors.percentile_99, sampled.largest.step);
  }
  if (const auto& c = report.center_of_mass)
    engine::print(
        "  speed of the centre of mass: {:.2g}{}, at the start {:.2g}; changed by "
        "{:.2g} of the bodies' rms speed\n",
        c->last, units.velocity.empty() ? "" : " " + units.velocity, c->first, c->relative);
}

/// Counts of this run, without those of the run that it continued.
std::uint64_t since(std::uint64_t now, std::uint64_t first) {
  return now > first ? now - first : 0;
}

double rate(std::uint64_t count, double seconds) {
  return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

}  // namespace

std::optional<CenterOfMassSpeed> center_of_mass_speed(const sim::Measurement& first,
                                                      const sim::Measurement& last) {
  if (!(last.mass > 0)) return {};
  CenterOfMassSpeed speed{length(first.momentum) / last.mass, length(last.momentum) / last.mass,
                          length(last.momentum - first.momentum) / last.mass, 0};
  // Kinetic energies are not negative; without any, nothing has moved.
  if (last.kinetic > 0) speed.relative = speed.change / std::sqrt(2 * last.kinetic / last.mass);
  return speed;
}

void RunReport::set_without_checkpoint(const sim::CheckpointTimes& times, std::uint64_t bytes) {
  if (times.at_end == "never") return;
  without_checkpoint = fmt::format(
      "no checkpoint of the end, from which the run could be taken further: it would have {}, more "
      "than {}; --checkpoint-final always writes it",
      engine::bytes_text(static_cast<double>(bytes)),
      engine::bytes_text(static_cast<double>(sim::CheckpointTimes::largest_unasked)));
  engine::log().info("{}", without_checkpoint);
}

std::uint64_t RunReport::continued_number(const char* key) const {
  return continued->is_object() ? continued->value(key, std::uint64_t{0}) : 0;
}

void RunReport::note_energy(const sim::Simulation& simulation) {
  // The first energy is compared with that of the start, from which a continued run has drifted.
  const double error = first.energy_error,
               compared = error == 0
                              ? first.energy
                              : first.energy / (1 + std::copysign(error, error * first.energy));
  energy_given = simulation.reference_for(last).energy - compared;
}

std::string RunReport::warning() const {
  std::string text = encounter;
  const auto add = [&](const std::string& more) {
    if (!more.empty()) text += (text.empty() ? "" : "; ") + more;
  };
  add(energy.warning());
  if (force_errors) add(force_errors_warning(force_errors->largest));
  return text;
}

Json measurement_json(const sim::Measurement& m) {
  const auto vector = [](engine::Vec3d v) { return Json::array({v.x, v.y, v.z}); };
  return Json{{"time", m.time},
              {"step", m.step},
              {"kinetic", m.kinetic},
              {"potential", m.potential},
              {"constraint_energy", m.constraint_energy},
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
  json["series_units"] = sim::units_json(sim::series_columns(scene));
  json["parameters"] = params_json(scene);
  json["backend"] = engine::name_of(plan.backend);
  json["precision"] = engine::name_of(plan.precision);
  if (plan.backend == engine::Backend::cuda) {
    json["stepping"] = sim::name_of(plan.stepping);
    json["device"] = plan.device_name;
    if (!plan.devices.empty()) json["devices"] = plan.devices;
    json["cuda"] = cuda_json();
  } else {
    json["simd"] = engine::name_of(plan.cpu.simd);
    json["device"] = machine.processor;
  }
  json["threads"] = plan.cpu.threads;
  json["choices"] = plan.reasons;
  json["processor"] = machine.processor;
  json["host"] = machine.host;
  json["system"] = machine.system;
  json["version"] = build.version;
  json["commit"] = build.commit;
  json["compiler"] = build.compiler;
  json["command_line"] = request.command_line;
  if (!scene.hooks.empty()) json["hooks"] = sim::hooks_json(scene.hooks);
  if (const auto notes = sim::energy_notes(scene); !notes.empty()) json["notes"] = notes;
  json["scene"] = scene.expanded;
  // A command line need not be UTF-8, but JSON is.
  return engine::parse_json(engine::json_text(json));
}

Json run_json(const HeadlessRequest& request, const sim::SceneDescription& scene,
              const sim::Plan& plan, const RunReport& report, Outcome outcome) {
  Json json = run_json_of(request, scene, plan, std::string(name_of(outcome)), report.reason);
  json["state_hash"] = sim::hash_text(report.hash);
  // The number of initial bodies. The scene of a resumed run has those of its checkpoint.
  json["bodies"] = static_cast<std::int64_t>(report.bodies) +
                   static_cast<std::int64_t>(report.removed) -
                   static_cast<std::int64_t>(report.added);
  if (report.added + report.removed > 0) {
    json["bodies_at_end"] = report.bodies;
    json["bodies_added"] = report.added;
    json["bodies_removed"] = report.removed;
  }
  json["steps"] = report.steps;
  json["time"] = report.time;
  if (!report.renderer.empty()) json["renderer"] = report.renderer;
  if (!report.continued->is_null()) json["continued_from"] = report.continued;
  if (!report.resumed.empty()) json["resumed_at_steps"] = report.resumed;
  if (const std::string warning = report.warning(); !warning.empty()) json["warning"] = warning;
  if (!report.checkpoint.empty()) json["checkpoint"] = report.checkpoint.string();
  if (!report.without_checkpoint.empty()) json["without_checkpoint"] = report.without_checkpoint;
  json["timings"] = Json{
      {"open_seconds", report.opening_seconds},
      {"stepping_seconds", report.stepping_seconds},
      {"total_seconds", report.total_seconds},
      {"steps_per_second", rate(since(report.steps, report.first_step()), report.stepping_seconds)},
      {"interactions_per_second",
       rate(since(report.interactions, report.first_interactions()), report.stepping_seconds)}};
  if (!report.ranks.empty()) json["ranks"] = ranks_json(report.ranks);
  json["first"] = measurement_json(report.first);
  json["last"] = measurement_json(report.last);
  json["energy_given"] = report.energy_given;
  json["energy_error_max"] = report.energy.largest_error();
  if (report.force_errors) json["force_errors"] = force_errors_json(*report.force_errors);
  if (const auto& c = report.center_of_mass)
    json["center_of_mass_speed"] = Json{
        {"first", c->first}, {"last", c->last}, {"change", c->change}, {"relative", c->relative}};
  if (report.verdict.kind == sim::HookVerdict::Kind::stop)
    json["stop_reason"] = report.verdict.reason;
  if (report.verdict.kind == sim::HookVerdict::Kind::fail) json["failure"] = report.verdict.reason;
  if (!report.data->empty()) json["data"] = report.data;
  if (Json edits = sim::edits_json(report.edits); !edits.empty()) json["edits"] = std::move(edits);
  if (!report.histograms.empty()) json["histograms"] = histograms_json(report, scene.units);
  if (report.radial_samples)
    json["radial_distribution"] =
        Json{{"file", "radial_distribution.csv"}, {"samples", *report.radial_samples}};
  return engine::parse_json(engine::json_text(json));
}

void print_summary(const HeadlessRequest& request, const sim::SceneDescription& scene,
                   const sim::Plan& plan, const RunReport& report, Outcome outcome,
                   const std::filesystem::path& folder) {
  const std::string problem = outcome == Outcome::unhealthy ? report.reason : "";
  if (!problem.empty()) engine::log().error("unhealthy: {}", problem);
  if (request.json) {
    Json line{{"event", name_of(outcome)},
              {"folder", folder.string()},
              {"state_hash", sim::hash_text(report.hash)},
              {"steps", report.steps},
              {"time", report.time},
              {"energy_error", report.last.energy_error},
              {"seconds", report.total_seconds}};
    if (!problem.empty()) line["problem"] = problem;
    if (const std::string warning = report.warning(); !warning.empty()) line["warning"] = warning;
    if (!report.checkpoint.empty()) line["checkpoint"] = report.checkpoint.string();
    if (!report.without_checkpoint.empty()) line["without_checkpoint"] = report.without_checkpoint;
    if (report.verdict.kind == sim::HookVerdict::Kind::stop)
      line["stop_reason"] = report.verdict.reason;
    if (const auto notes = sim::energy_notes(scene); !notes.empty()) line["notes"] = notes;
    engine::print("{}\n", engine::json_text(line));
    std::fflush(stdout);
    return;
  }
  if (request.quiet) return;
  const std::string changed =
      report.added + report.removed == 0
          ? ""
          : fmt::format(" ({} added, {} removed)", report.added, report.removed);
  engine::print("{}: {}{}, {} to t = {}, {}\n", name_of(outcome),
                engine::counted(report.bodies, "body"), changed,
                engine::counted(static_cast<long long>(report.steps), "step"),
                engine::readable_time(report.time, scene.units, 6),
                engine::duration_text(report.total_seconds));
  if (report.verdict.kind == sim::HookVerdict::Kind::stop)
    engine::print("  stopped by the scene: {}\n", report.verdict.reason);
  const MeasuresShown shown = measures_shown(scene);
  const std::string virial =
      shown.of_clusters ? fmt::format("virial ratio {:.3g}, ", report.last.virial_ratio) : "";
  engine::print("  {} {:.3g}, {}{}state hash {}\n", shown.energy_error, report.last.energy_error,
                energy_given_text(report.energy_given, report.last.energy), virial,
                sim::hash_text(report.hash));
  print_forces(report, scene.units);
  for (const std::string& note : sim::energy_notes(scene)) engine::print("  {}\n", note);
  if (const std::string warning = report.warning(); !warning.empty())
    engine::print("  {}\n", engine::styled(engine::Style::warning, "warning: " + warning, stdout));
  engine::print(
      "  {:.3g} steps/s, {:.3g} interactions/s on {}\n",
      rate(since(report.steps, report.first_step()), report.stepping_seconds),
      rate(since(report.interactions, report.first_interactions()), report.stepping_seconds),
      device_text(plan));
  engine::print("  {}: run.json, series.csv, {}", folder.string(),
                report.snapshot.lexically_relative(folder).string());
  if (!report.offenders.empty()) engine::print(", {}", report.offenders.filename().string());
  for (const sim::Histogram& histogram : report.histograms)
    engine::print(", {}", sim::file_name(sim::scalar_info(histogram.scalar)));
  if (!request.pictures.picture.empty() && !report.renderer.empty())
    engine::print(", {}", request.pictures.picture.string());
  if (!report.movie.empty()) engine::print(", {}", report.movie.string());
  engine::print("\n");
  if (!report.without_checkpoint.empty()) engine::print("  {}\n", report.without_checkpoint);
  if (!report.checkpoint.empty() && outcome != Outcome::done)
    engine::print("  {}; resume with: mote resume {}{}\n", report.checkpoint.string(),
                  folder.string(),
                  outcome == Outcome::unhealthy && info_of(scene.integrator).accuracy == "dt"
                      ? " --set integrator.dt=..."
                      : "");
  std::fflush(stdout);
}

}  // namespace mote::app
