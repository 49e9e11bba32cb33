#include "sim/output/run_folder.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/check.h"
#include "engine/files.h"
#include "engine/json.h"

namespace mote::sim {
namespace fs = std::filesystem;

namespace {

/// Writes the files of the scene, so that it can be run again: a single one as scene.lua or
/// scene.json, several as they were into scene/.
void write_scene(const fs::path& folder, const SceneDescription& scene) {
  if (scene.included.empty())
    return engine::write_file(folder / ("scene" + scene.file.extension().string()), scene.text);
  const fs::path all = folder / "scene";
  make_folder(all);
  engine::write_file(all / scene.file.filename(), scene.text);
  for (const SceneFile& file : scene.included) {
    // Only a trusted scene can include files from elsewhere.
    if (file.path.is_absolute() || *file.path.begin() == "..") {
      engine::log().warn("{} is outside the folder of the scene and was not copied to {}",
                         file.path.string(), all.string());
      continue;
    }
    make_folder((all / file.path).parent_path());
    engine::write_file(all / file.path, file.text);
  }
}

/// The number in the name of a snapshot; nothing for a partial file.
std::optional<int> number_of_snapshot(const fs::path& file) {
  int number = 0;
  const std::string stem = file.stem().string();
  const bool good =
      std::sscanf(stem.c_str(), "snapshot_%d", &number) == 1 && file.extension() != ".part";
  return good ? std::optional(number) : std::nullopt;
}

/// Removes the snapshots from number `first` on, and partial files.
void discard_snapshots(const fs::path& folder, int first) {
  std::vector<fs::path> later;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const auto number = number_of_snapshot(entry.path());
    if (entry.path().extension() == ".part" || (number && *number >= first))
      later.push_back(entry.path());
  }
  for (const fs::path& file : later) fs::remove(file, error);
  make_folder(folder);
}

/// Limit on the tables of hooks [bytes].
std::uint64_t row_bytes_of(const SceneDescription& scene) {
  return scene.trust == Trust::yes ? UINT64_MAX : max_row_bytes;
}

/// Limits on the snapshots and on the pictures of hooks in a run with an untrusted scene.
constexpr std::size_t max_hook_files = 10'000;

std::vector<SnapshotFormat> formats_of(const SceneDescription& scene) {
  return snapshot_formats_named(scene.snapshots.format, "snapshots.format");
}

ColumnChoice columns_of(const SceneDescription& scene) {
  return columns_named(scene.snapshots.columns, "snapshots.columns");
}

constexpr char constraint_column[] = "constraint_energy";  // the last one

/// The first line of a table, which a run that was killed left under its partial name.
std::string header_of(const fs::path& table) {
  std::string line;
  for (const fs::path& file : {table, engine::part_of(table)})
    if (std::ifstream in(file); line.empty() && in) std::getline(in, line);
  return line;
}

}  // namespace

SeriesParts series_parts(const SceneDescription& scene) {
  return {has_temperature(scene), scene.series.displacement, has_constraint_energy(scene)};
}

SeriesParts series_parts(const SceneDescription& scene, std::string_view header) {
  SeriesParts parts = series_parts(scene);
  parts.constraint_energy = parts.constraint_energy && header.ends_with(constraint_column);
  return parts;
}

std::vector<SeriesColumn> series_columns(const SceneDescription& scene, const SeriesParts& parts) {
  const engine::UnitSystem& units = scene.units;
  const std::string v = units.velocity, m = units.mass, l = units.length;
  const std::string energy = m.empty() ? "" : m + " (" + v + ")^2";
  const std::string momentum = units.label("momentum");
  const std::string angular = m.empty() ? "" : m + " " + l + " " + v;
  const std::string force = m.empty() ? "" : m + " (" + v + ")^2/" + l;
  const std::string per_time = units.label("rate");
  std::vector<SeriesColumn> columns{{"time", false, units.time},
                                    {"step", true},
                                    {"kinetic", false, energy},
                                    {"potential", false, energy},
                                    {"energy", false, energy},
                                    {"energy_error"},
                                    {"momentum_x", false, momentum},
                                    {"momentum_y", false, momentum},
                                    {"momentum_z", false, momentum},
                                    {"angular_momentum_x", false, angular},
                                    {"angular_momentum_y", false, angular},
                                    {"angular_momentum_z", false, angular},
                                    {"center_x", false, l},
                                    {"center_y", false, l},
                                    {"center_z", false, l},
                                    {"virial_ratio"},
                                    {"radius_10", false, l},
                                    {"radius_50", false, l},
                                    {"radius_90", false, l}};
  if (parts.temperature) {
    columns.push_back({"temperature", false, units.label("energy")});
    columns.push_back({"pressure", false, units.label("pressure")});
  }
  if (parts.displacement) columns.push_back({"displacement", false, l.empty() ? "" : l + "^2"});
  for (const std::string& name : solid_names(scene.obstacles)) {
    const auto& axles = axles_of(scene);
    if (std::any_of(axles.begin(), axles.end(), [&](const Axle& a) { return a.name == name; })) {
      columns.push_back({name + "_angle"});
      columns.push_back({name + "_angular_velocity", false, per_time});
    }
    for (const char* axis : {"_x", "_y", "_z"})
      columns.push_back({name + "_force" + axis, false, force});
    for (const char* axis : {"_x", "_y", "_z"})
      columns.push_back({name + "_torque" + axis, false, energy});
  }
  if (parts.constraint_energy) columns.push_back({constraint_column, false, energy});
  return columns;
}

engine::Json units_json(std::span<const SeriesColumn> columns) {
  engine::Json units = engine::Json::object();
  for (const SeriesColumn& column : columns)
    if (!column.unit.empty()) units[column.name] = column.unit;
  return units;
}

std::vector<double> series_values(const Measurement& m, const SeriesParts& parts) {
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
  if (parts.temperature) row.insert(row.end(), {m.temperature, m.pressure});
  if (parts.displacement) row.push_back(m.displacement);
  for (const MeasuredSolid& solid : m.solids) {
    if (solid.on_axle) row.insert(row.end(), {solid.angle, solid.angular_velocity});
    for (const engine::Vec3d& v : {solid.force, solid.torque})
      row.insert(row.end(), {v.x, v.y, v.z});
  }
  if (parts.constraint_energy) row.push_back(m.constraint_energy);
  return row;
}

std::string hash_text(std::uint64_t hash) {
  return fmt::format("{:016x}", hash);
}

RunFolder::RunFolder(RunClaim claim, const SceneDescription& scene)
    : claim_(std::move(claim)),
      folder_(claim_.path()),
      parts_(series_parts(scene)),
      columns_(series_columns(scene, parts_)),
      limited_(scene.trust == Trust::no),
      hook_tables_(folder_ / "rows", scene.units.time, row_bytes_of(scene)),
      formats_(formats_of(scene)),
      writer_(formats_, columns_of(scene), scene.snapshots.compress) {
  claim_.begin([&] {
    make_folder(folder_ / "snapshots");
    log_ = std::make_unique<engine::LogFile>((folder_ / "log.txt").string());
    write_scene(folder_, scene);
    series_ = std::make_unique<SeriesFile>(folder_ / "series.csv", columns_);
    engine::write_file(folder_ / "series.units.json",
                       engine::json_text(units_json(columns_), 2) + "\n");
  });
}

RunFolder::RunFolder(RunClaim claim, const SceneDescription& scene, const engine::Json& sizes)
    : claim_(std::move(claim)),
      folder_(claim_.path()),
      parts_(series_parts(scene, header_of(folder_ / "series.csv"))),
      columns_(series_columns(scene, parts_)),
      limited_(scene.trust == Trust::no),
      hook_tables_(folder_ / "rows", scene.units.time, row_bytes_of(scene)),
      formats_(formats_of(scene)),
      writer_(formats_, columns_of(scene), scene.snapshots.compress) {
  series_ = std::make_unique<SeriesFile>(folder_ / "series.csv", columns_,
                                         sizes.at("series").get<std::uint64_t>());
  hook_tables_.resume(sizes.at("rows"));
  snapshots_ = sizes.at("snapshots").get<int>();
  discard_snapshots(folder_ / "snapshots", snapshots_);
  log_ = std::make_unique<engine::LogFile>((folder_ / "log.txt").string(), true);
}

RunFolder::~RunFolder() = default;

void RunFolder::sync() {
  writer_.drain();
  series_->flush();
  hook_tables_.flush();
  engine::sync_file_system(folder_);
}

engine::Json RunFolder::output_sizes(bool sync) {
  if (sync) this->sync();
  return engine::Json{
      {"series", series_->bytes()}, {"rows", hook_tables_.sizes()}, {"snapshots", snapshots_}};
}

void RunFolder::record(const engine::Json& record) {
  engine::write_file(folder_ / "run.json", engine::json_text(record, 2) + "\n");
}

void RunFolder::series_row(const Measurement& measurement) {
  series_->row(series_values(measurement, parts_));
}

void RunFolder::hook_row(const std::string& name, const Simulation& simulation,
                         const HookRow& row) {
  hook_tables_.add_row(name, simulation.time(), simulation.step(), row);
}

fs::path RunFolder::picture_path(const std::string& name) {
  check_file_name(name);
  const fs::path folder = folder_ / "pictures";
  make_folder(folder);
  if (pictures_.empty())  // a resumed run may have some
    for (const auto& entry : fs::directory_iterator(folder))
      pictures_.insert(entry.path().stem().string());
  if (limited_ && pictures_.size() >= max_hook_files && !pictures_.contains(name))
    throw engine::InputError("pictures/" + name + ".png",
                             "hooks can draw at most 10,000 pictures in a run",
                             "draw fewer, or trust the scene with --trust");
  pictures_.insert(name);
  return folder / (name + ".png");
}

fs::path RunFolder::hook_snapshot(Simulation& simulation, const SceneDescription& scene) {
  if (limited_ && snapshots_ >= static_cast<int>(max_hook_files))
    throw engine::InputError("", "hooks cannot write snapshots beyond number 10,000 of a run",
                             "write fewer, or trust the scene with --trust");
  return snapshot(simulation, scene);
}

void RunFolder::discard_series_after(std::uint64_t step) {
  series_->flush();
  const fs::path path = folder_ / "series.csv";
  std::istringstream before(engine::read_file(engine::part_of(path)));
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
  return path.string() + info_of(formats_.front()).ending;
}

fs::path RunFolder::histogram(const Histogram& histogram, const engine::UnitSystem& units) {
  const fs::path path = folder_ / file_name(scalar_info(histogram.scalar));
  engine::write_file(path, csv_text(histogram, units));
  return path;
}

fs::path RunFolder::radial_distribution(const RadialCounts& counts,
                                        const engine::UnitSystem& units) {
  const fs::path path = folder_ / "radial_distribution.csv";
  std::vector<SeriesColumn> columns{
      {"low", false, units.length}, {"high", false, units.length}, {"g"}, {"coordination"}};
  for (const std::string& name : counts.pair_names()) columns.push_back({"g_" + name});
  engine::write_file(folder_ / "radial_distribution.units.json",
                     engine::json_text(units_json(columns), 2) + "\n");
  SeriesFile file(path, std::move(columns));
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
  hook_tables_.commit();
  // A run.json marked as done guarantees complete files, even after a power failure.
  engine::AtomicFile file(folder_ / "run.json");
  file.write(engine::json_text(record, 2) + "\n");
  file.flush();
  engine::sync_file_system(folder_);
  file.commit();
  engine::sync_to_disk(folder_);
}

}  // namespace mote::sim
