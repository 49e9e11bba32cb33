#include "sim/run/run_folder.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/files.h"

namespace mote::sim {
namespace fs = std::filesystem;

namespace {

/// What a run leaves in its folder, and what --force may therefore remove, beside the histograms.
const std::array<const char*, 19> run_files{"run.json",
                                            "scene.lua",
                                            "scene.json",
                                            "series.csv",
                                            "picture.png",
                                            "movie.mp4",
                                            "log.txt",
                                            "snapshots",
                                            "checkpoints",
                                            "frames",
                                            "series.csv.part",
                                            "rows",
                                            "pictures",
                                            "scene",
                                            "offenders.csv",
                                            "movie.parts",
                                            "export",
                                            "radial_distribution.csv",
                                            "radial_distribution.csv.part"};

/// All names that a run may write to. A histogram of something that bodies do not have is somebody else's file.
std::vector<std::string> names_of_runs() {
  std::vector<std::string> names(run_files.begin(), run_files.end());
  for (const ScalarInfo& scalar : scalars())
    for (const char* ending : {"", ".part"}) names.push_back(file_name(scalar) + ending);
  return names;
}

/// Names in the folder that a run would write, as text; "" for none.
std::string taken_names(const fs::path& folder) {
  std::string taken;
  for (const std::string& name : names_of_runs())
    if (fs::exists(folder / name)) taken += (taken.empty() ? "" : ", ") + name;
  return taken;
}

/// Whether a run was here, finished or not. Only then may --force remove anything.
bool is_run(const fs::path& folder) {
  return fs::exists(folder / "run.json") || fs::exists(folder / "log.txt");
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder))
    throw engine::SystemError("make the folder " + folder.string(),
                              error ? error.message() : "a file of this name is in the way",
                              "choose another with --out, or check its permissions");
}

/// Writes what the scene is made of, so that it can run again: one file as scene.lua or scene.json, several as they were
/// into scene/.
void keep_scene(const fs::path& folder, const SceneDescription& scene) {
  if (scene.included.empty())
    return engine::write_whole(folder / ("scene" + scene.file.extension().string()), scene.text);
  const fs::path all = folder / "scene";
  make_folder(all);
  engine::write_whole(all / scene.file.filename(), scene.text);
  for (const SceneFile& file : scene.included) {
    // Only a scene that is trusted reaches files elsewhere.
    if (file.path.is_absolute() || *file.path.begin() == "..") {
      engine::log().warn("{} is outside the folder of the scene, and not kept in {}", file.path.string(),
                         all.string());
      continue;
    }
    make_folder((all / file.path).parent_path());
    engine::write_whole(all / file.path, file.text);
  }
}

/// The number in the name of a snapshot, or nothing. A partial one has none.
std::optional<int> number_of_snapshot(const fs::path& file) {
  int number = 0;
  const std::string stem = file.stem().string();
  const bool good = std::sscanf(stem.c_str(), "snapshot_%d", &number) == 1 && file.extension() != ".part";
  return good ? std::optional(number) : std::nullopt;
}

/// Removes snapshots from a number on, and what is left of unfinished ones.
void take_back_snapshots(const fs::path& folder, int first) {
  std::vector<fs::path> later;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const auto number = number_of_snapshot(entry.path());
    if (entry.path().extension() == ".part" || (number && *number >= first)) later.push_back(entry.path());
  }
  for (const fs::path& file : later) fs::remove(file, error);
  make_folder(folder);
}

std::vector<SnapshotFormat> formats_of(const SceneDescription& scene) {
  return snapshot_formats_named(scene.snapshots.format, "snapshots.format");
}

ColumnChoice columns_of(const SceneDescription& scene) {
  return columns_named(scene.snapshots.columns, "snapshots.columns");
}
}  // namespace

std::vector<SeriesColumn> series_columns(const SceneDescription& scene) {
  const engine::UnitSystem& units = scene.units;
  const auto with_unit = [](const std::string& name, const std::string& unit) {
    return unit.empty() ? SeriesColumn{name} : SeriesColumn{name + " [" + unit + "]"};
  };
  const std::string v = units.velocity, m = units.mass, l = units.length;
  const std::string energy = m.empty() ? "" : m + " (" + v + ")^2";
  const std::string momentum = m.empty() ? "" : m + " " + v;
  const std::string angular = m.empty() ? "" : m + " " + l + " " + v;
  std::vector<SeriesColumn> columns{with_unit("time", units.time),
                                    {"step", true},
                                    with_unit("kinetic", energy),
                                    with_unit("potential", energy),
                                    with_unit("energy", energy),
                                    {"energy_error"},
                                    with_unit("momentum_x", momentum),
                                    with_unit("momentum_y", momentum),
                                    with_unit("momentum_z", momentum),
                                    with_unit("angular_momentum_x", angular),
                                    with_unit("angular_momentum_y", angular),
                                    with_unit("angular_momentum_z", angular),
                                    with_unit("center_x", l),
                                    with_unit("center_y", l),
                                    with_unit("center_z", l),
                                    {"virial_ratio"},
                                    with_unit("radius_10", l),
                                    with_unit("radius_50", l),
                                    with_unit("radius_90", l)};
  if (has_temperature(scene)) {
    columns.push_back(with_unit("temperature", units.label("energy")));
    columns.push_back(with_unit("pressure", units.label("pressure")));
  }
  if (scene.series.displacement) columns.push_back(with_unit("displacement", l.empty() ? "" : l + "^2"));
  return columns;
}

std::string hash_text(std::uint64_t hash) {
  return fmt::format("{:016x}", hash);
}

namespace {

/// Whether a run has ended before its time, or is under way, and has checkpoints to go on from.
bool can_go_on(const fs::path& run) {
  std::error_code ignored;
  const fs::path checkpoints = run / "checkpoints";
  if (!fs::exists(checkpoints, ignored) || fs::is_empty(checkpoints, ignored)) return false;
  try {
    return engine::parse_json(engine::read_whole(run / "run.json")).value("status", "") != "done";
  } catch (const std::exception&) {
    return false;  // no record that can be read
  }
}

}  // namespace

fs::path choose_run_folder(const fs::path& wanted, bool force) {
  if (!wanted.empty()) {
    const std::string taken = taken_names(wanted);
    if (!taken.empty() && !is_run(wanted))
      throw engine::InputError("--out " + wanted.string(), "has files that a run would overwrite: " + taken,
                               "choose another folder");
    if (!taken.empty() && !force)
      throw engine::InputError(
          "--out " + wanted.string(), "holds a run already",
          (can_go_on(wanted) ? "`mote resume " + wanted.string() + "` goes on with it; or " : std::string()) +
              "choose another folder, or overwrite it with --force");
    return wanted;
  }
  fs::path folder = "out";
  for (int i = 2; fs::exists(folder) && !(force && is_run(folder)); ++i) folder = "out-" + std::to_string(i);
  return folder;
}

RunFolder::RunFolder(const fs::path& folder, const SceneDescription& scene, bool force)
    : folder_(folder),
      columns_(series_columns(scene)),
      thermal_(has_temperature(scene)),
      displacement_(scene.series.displacement),
      rows_(folder / "rows", scene.units.time),
      formats_(formats_of(scene)),
      writer_(formats_, columns_of(scene), scene.snapshots.compress) {
  const bool existed = fs::exists(folder_);
  make_folder(folder_);
  if (is_run(folder_)) lock();
  lock_.reset();
  if (force)
    for (const std::string& name : names_of_runs()) fs::remove_all(folder_ / name);
  try {
    lock();
    make_folder(folder_ / "snapshots");
    log_ = std::make_unique<engine::LogFile>((folder_ / "log.txt").string());
    keep_scene(folder_, scene);
    series_ = std::make_unique<SeriesFile>(folder_ / "series.csv", columns_);
  } catch (...) {
    // A start that failed must not stand in the way of the next one.
    log_.reset();
    std::error_code ignored;
    for (const std::string& name : names_of_runs()) fs::remove_all(folder_ / name, ignored);
    if (!existed) fs::remove(folder_, ignored);
    throw;
  }
}

RunFolder::RunFolder(const fs::path& folder, const SceneDescription& scene, const engine::Json& positions)
    : folder_(folder),
      columns_(series_columns(scene)),
      thermal_(has_temperature(scene)),
      displacement_(scene.series.displacement),
      rows_(folder / "rows", scene.units.time),
      formats_(formats_of(scene)),
      writer_(formats_, columns_of(scene), scene.snapshots.compress) {
  lock();
  series_ = std::make_unique<SeriesFile>(folder_ / "series.csv", columns_,
                                         positions.at("series").get<std::uint64_t>());
  rows_.go_on(positions.at("rows"));
  snapshots_ = positions.at("snapshots").get<int>();
  take_back_snapshots(folder_ / "snapshots", snapshots_);
  log_ = std::make_unique<engine::LogFile>((folder_ / "log.txt").string(), true);
}

RunFolder::~RunFolder() = default;

void RunFolder::lock() {
  lock_ = std::make_unique<engine::FileLock>(folder_ / "log.txt");
  if (!lock_->held())
    throw engine::InputError(folder_.string(), "another mote is writing this run",
                             "wait until it has ended, or end it");
}

engine::Json RunFolder::positions(bool sync) {
  if (sync) {
    series_->sync();
    writer_.drain();
    for (const fs::path& file : not_synced_) engine::sync_to_disk(file);
    if (!not_synced_.empty()) engine::sync_to_disk(folder_ / "snapshots");
    not_synced_.clear();
  }
  return engine::Json{
      {"series", series_->bytes()}, {"rows", rows_.positions(sync)}, {"snapshots", snapshots_}};
}

void RunFolder::record(const engine::Json& record) {
  engine::write_whole(folder_ / "run.json", engine::json_text(record, 2) + "\n");
}

void RunFolder::series_row(const Measurement& m) {
  std::vector<double> row{m.time,
                          static_cast<double>(m.step),
                          m.kinetic,
                          m.potential,
                          m.energy,
                          m.energy_error,
                          m.momentum.x,
                          m.momentum.y,
                          m.momentum.z,
                          m.angular_momentum.x,
                          m.angular_momentum.y,
                          m.angular_momentum.z,
                          m.center_of_mass.x,
                          m.center_of_mass.y,
                          m.center_of_mass.z,
                          m.virial_ratio,
                          m.lagrangian_radii[0],
                          m.lagrangian_radii[1],
                          m.lagrangian_radii[2]};
  if (thermal_) row.insert(row.end(), {m.temperature, m.pressure});
  if (displacement_) row.push_back(m.displacement);
  series_->row(row);
}

void RunFolder::hook_row(const std::string& name, const Simulation& simulation, const HookRow& row) {
  rows_.row(name, simulation.time(), simulation.step(), row);
}

fs::path RunFolder::picture_path(const std::string& name) const {
  check_file_name(name);
  make_folder(folder_ / "pictures");
  return folder_ / "pictures" / (name + ".png");
}

void RunFolder::cut_series(std::uint64_t step) {
  series_->flush();
  const fs::path path = folder_ / "series.csv";
  std::istringstream before(engine::read_whole(engine::part_of(path)));
  series_.reset();
  series_ = std::make_unique<SeriesFile>(path, columns_);
  std::string line;
  std::getline(before, line);  // the header
  while (std::getline(before, line)) {
    std::vector<double> row;
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, ',');)
      row.push_back(std::strtod(field.c_str(), nullptr));
    if (row.size() > 1 && row[1] <= static_cast<double>(step)) series_->row(row);
  }
}

fs::path RunFolder::snapshot(Simulation& simulation, const SceneDescription& scene) {
  const fs::path path = folder_ / "snapshots" / fmt::format("snapshot_{:04}", snapshots_);
  writer_.write(path, simulation, scene);
  ++snapshots_;
  for (const SnapshotFormat format : formats_) {
    not_synced_.push_back(path.string() + info_of(format).ending);
    if (scene.snapshots.contacts && info_of(format).write_contacts)
      not_synced_.push_back(contacts_file(path, format));
  }
  return path.string() + info_of(formats_.front()).ending;
}

fs::path RunFolder::histogram(const Histogram& histogram, const engine::UnitSystem& units) {
  const fs::path path = folder_ / file_name(scalar_info(histogram.scalar));
  engine::write_whole(path, csv_text(histogram, units));
  return path;
}

fs::path RunFolder::radial_distribution(const RadialCounts& counts, const engine::UnitSystem& units) {
  const fs::path path = folder_ / "radial_distribution.csv";
  const std::string unit = units.length.empty() ? "" : " [" + units.length + "]";
  std::vector<SeriesColumn> columns{{"low" + unit}, {"high" + unit}, {"g"}, {"coordination"}};
  for (const std::string& name : counts.pair_names()) columns.push_back({"g_" + name});
  SeriesFile file(path, std::move(columns), fmt::format("{} samples", counts.samples()));
  for (const RadialBin& bin : counts.bins()) {
    std::vector<double> row{bin.low, bin.high, bin.value, bin.coordination};
    row.insert(row.end(), bin.pairs.begin(), bin.pairs.end());
    file.row(row);
  }
  file.commit();
  return path;
}

void RunFolder::finish(const engine::Json& record) {
  writer_.drain();
  series_->commit();
  rows_.commit();
  this->record(record);
}

}  // namespace mote::sim
