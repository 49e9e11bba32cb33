#include "app/run/run_state.h"
#include "engine/json.h"

#include <limits>
#include <optional>

#include "engine/check.h"

namespace mote::app {
namespace {

using engine::Json;
namespace fs = std::filesystem;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

template <class T>
std::optional<T> optional_at(const Json& json, const char* key) {
  const Json& value = json.at(key);
  return value.is_null() ? std::nullopt : std::optional<T>(value.get<T>());
}

std::string stored_path(const fs::path& file, const fs::path& folder) {
  if (file.empty()) return "";
  const fs::path inside = fs::absolute(file).lexically_relative(fs::absolute(folder));
  const bool below = !inside.empty() && *inside.begin() != "..";
  return below ? inside.string() : fs::absolute(file).string();
}

/// Resolves a stored path, following links. The file will be overwritten, and another user may have
/// written the checkpoint: paths outside the folder require trust.
fs::path resolved_path(const Json& file, const fs::path& folder, sim::Trust trust) {
  const fs::path path = file.get<std::string>();
  if (path.empty()) return {};
  const fs::path all = folder / path;  // an absolute one stays as it is
  const fs::path inside = fs::weakly_canonical(all).lexically_relative(fs::canonical(folder));
  if (trust == sim::Trust::no &&
      (inside.empty() || *inside.begin() == ".." || *inside.begin() == "."))
    throw engine::InputError(folder.string(),
                             "its checkpoint would write " + all.string() + ", outside the folder",
                             "if you trust the source of the run, add --trust");
  return all;
}

Json histogram_json(const sim::HistogramRequest& h) {
  Json json{{"scalar", sim::scalar_info(h.scalar).name}, {"bins", h.bins}};
  if (h.range) json["range"] = Json::array({h.range->low, h.range->high});
  return json;
}

sim::HistogramRequest read_histogram(const Json& json) {
  sim::HistogramRequest h;
  h.scalar = sim::Quantity(json.at("scalar").get<std::string>());
  h.bins = json.at("bins");
  if (json.contains("range")) h.range = {json["range"].at(0), json["range"].at(1)};
  return h;
}

/// JSON stores non-finite numbers as null.
double number(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

engine::Vec3d vector(const Json& json) {
  return {number(json.at(0)), number(json.at(1)), number(json.at(2))};
}

sim::Measurement read_measurement(const Json& json) {
  sim::Measurement m;
  m.time = number(json.at("time"));
  m.step = json.at("step");
  m.kinetic = number(json.at("kinetic"));
  m.potential = number(json.at("potential"));
  m.constraint_energy = json.value("constraint_energy", 0.0);
  m.energy = number(json.at("energy"));
  m.energy_error = number(json.at("energy_error"));
  m.virial_ratio = number(json.at("virial_ratio"));
  m.temperature = json.value("temperature", 0.0);
  m.virial = json.value("virial", 0.0);
  m.pressure = json.value("pressure", 0.0);
  m.displacement = json.value("displacement", 0.0);
  m.momentum = vector(json.at("momentum"));
  m.angular_momentum = vector(json.at("angular_momentum"));
  m.center_of_mass = vector(json.at("center_of_mass"));
  for (std::size_t k = 0; k < m.lagrangian_radii.size(); ++k)
    m.lagrangian_radii[k] = number(json.at("lagrangian_radii").at(k));
  m.low = vector(json.at("box").at(0));
  m.high = vector(json.at("box").at(1));
  m.fastest = number(json.at("fastest"));
  return m;
}

}  // namespace

Json request_json(const HeadlessRequest& r, const fs::path& folder) {
  Json histograms = Json::array();
  for (const sim::HistogramRequest& h : r.histograms) histograms.push_back(histogram_json(h));
  return Json{{"command_line", r.command_line},
              {"until", or_null(r.until)},
              {"steps", or_null(r.steps)},
              {"series_steps", or_null(r.series_steps)},
              {"snapshot_steps", or_null(r.snapshot_steps)},
              {"snapshot_time", or_null(r.snapshot_time)},
              {"snapshot_formats", r.snapshot_formats},
              {"snapshot_columns", r.snapshot_columns},
              {"checkpoint_steps", or_null(r.checkpoints.steps)},
              {"checkpoint_time", or_null(r.checkpoints.time)},
              {"checkpoint_wall", or_null(r.checkpoints.wall)},
              {"checkpoint_keep", or_null(r.checkpoints.keep)},
              {"checkpoint_final", or_null(r.checkpoints.at_end)},
              {"histograms", histograms},
              {"picture", stored_path(r.pictures.picture, folder)},
              {"movie", stored_path(r.pictures.movie, folder)},
              {"frames", r.pictures.frames},
              {"rate", r.pictures.rate},
              {"size", Json::array({r.pictures.width, r.pictures.height})}};
}

void read_request(const Json& json, const fs::path& folder, HeadlessRequest& r) {
  r.command_line = json.at("command_line").get<std::vector<std::string>>();
  r.until = optional_at<std::string>(json, "until");
  r.steps = optional_at<std::int64_t>(json, "steps");
  r.series_steps = optional_at<std::int64_t>(json, "series_steps");
  r.snapshot_steps = optional_at<std::int64_t>(json, "snapshot_steps");
  r.snapshot_time = optional_at<std::string>(json, "snapshot_time");
  r.snapshot_formats = json.at("snapshot_formats").get<std::vector<std::string>>();
  if (json.contains("snapshot_columns"))  // absent in older checkpoints
    r.snapshot_columns = json["snapshot_columns"].get<std::vector<std::string>>();
  r.checkpoints.steps = optional_at<std::int64_t>(json, "checkpoint_steps");
  r.checkpoints.time = optional_at<std::string>(json, "checkpoint_time");
  r.checkpoints.wall = optional_at<double>(json, "checkpoint_wall");
  r.checkpoints.keep = optional_at<std::int64_t>(json, "checkpoint_keep");
  if (json.contains("checkpoint_final"))  // absent in older checkpoints
    r.checkpoints.at_end = optional_at<std::string>(json, "checkpoint_final");
  for (const Json& h : json.at("histograms")) r.histograms.push_back(read_histogram(h));
  r.pictures.picture = resolved_path(json.at("picture"), folder, r.trust);
  r.pictures.movie = resolved_path(json.at("movie"), folder, r.trust);
  r.pictures.frames = json.at("frames");
  r.pictures.rate = json.at("rate");
  r.pictures.width = json.at("size").at(0);
  r.pictures.height = json.at("size").at(1);
}

Json progress_json(const RunReport& report) {
  Json json{
      {"first", measurement_json(report.first)}, {"last", measurement_json(report.last)},
      {"energy", report.energy.to_json()},       {"stepping_seconds", report.stepping_seconds},
      {"total_seconds", report.total_seconds},   {"resumed", report.resumed}};
  if (!report.continued->is_null()) json["continued"] = report.continued;
  return json;
}

void read_progress(const Json& json, RunReport& report) {
  report.first = read_measurement(json.at("first"));
  report.last = read_measurement(json.at("last"));
  if (json.contains("energy")) report.energy.resume(json["energy"]);  // absent in older files
  report.stepping_seconds = number(json.at("stepping_seconds"));
  report.earlier_seconds = number(json.at("total_seconds"));
  report.resumed = json.at("resumed").get<std::vector<std::uint64_t>>();
  if (json.contains("continued")) report.continued = json["continued"];
}

}  // namespace mote::app
