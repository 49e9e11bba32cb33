#include "app/sweep/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/files.h"
#include "engine/json.h"
#include "sim/output/run_folder.h"

namespace mote::app {
namespace {

using engine::Json;

const std::vector<std::string> own_columns{"job", "status", "reason", "seed", "folder"};
/// Columns of machines.csv beside the job: what depends on the clock or the machine.
const std::vector<std::string> machine_columns{"seconds", "steps_per_second", "backend",
                                               "simd",    "device",           "host"};

/// A CSV cell, quoted by RFC 4180.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == text.npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string cell(const Json& value) {
  if (value.is_null()) return "";
  return cell(value.is_string() ? value.get<std::string>() : value.dump());
}

std::string cell_at(const Json& row, const std::string& name) {
  return row.is_object() && row.contains(name) ? cell(row.at(name)) : "";
}

}  // namespace

SweepResults::SweepResults(std::filesystem::path out, const SweepPlan& plan,
                           const std::vector<SweepJob>& jobs, const CheckedScene& scene)
    : out_(std::move(out)), jobs_(jobs), varied_(varied_columns(plan, jobs, scene)) {
  for (const sim::SeriesColumn& column : scene.columns) measured_.push_back(column.name);
  for (const char* name : {"energy_error_max", "bodies", "state_hash"})
    measured_.emplace_back(name);
  Json units = sim::units_json(scene.columns);
  // A parameter may have the name of another column.
  for (SweepColumn& c : varied_)
    for (const std::vector<std::string>* names : {&std::as_const(measured_), &own_columns})
      if (std::find(names->begin(), names->end(), c.name) != names->end())
        c.title = "set." + c.title;
  for (const SweepColumn& c : varied_)
    if (!c.unit.empty()) units[c.title] = c.unit;
  units_ = std::move(units);
}

int& SweepCounts::of(const std::string& status) {
  if (status == "done") return done;
  if (status == "unhealthy") return unhealthy;
  if (status == "failed") return failed;
  return status == "missing" ? missing : interrupted;
}

void SweepResults::add(JobResult result) {
  const int number = result.job;
  if (const auto before = results_.find(number); before != results_.end())
    --counts_.of(before->second.status);
  ++counts_.of(result.status);
  if (result.data->is_object())
    for (const auto& [name, ignored] : result.data->items()) data_names_[name] = 0;
  rows_[number] = row(result);
  results_[number] = std::move(result);
  changed_ = true;
}

const JobResult* SweepResults::find(int number) const {
  const auto found = results_.find(number);
  return found == results_.end() ? nullptr : &found->second;
}

std::string SweepResults::header() const {
  std::string text = "job,status,reason,seed";
  for (const SweepColumn& c : varied_) text += "," + cell(c.title);
  for (const std::string& name : measured_) text += "," + cell(name);
  text += ",folder";
  for (const auto& [name, ignored] : data_names_) text += "," + cell("data." + name);
  return text + "\n";
}

std::string SweepResults::row(const JobResult& result) const {
  const SweepJob& job = jobs_[static_cast<std::size_t>(result.job - 1)];
  std::string text =
      fmt::format("{},{},{},{}", result.job, cell(result.status), cell(result.reason), job.seed);
  for (const SweepColumn& c : varied_) text += "," + cell(cell_text(c, job));
  for (const std::string& name : measured_) text += "," + cell_at(result.last, name);
  return text + "," + cell(job_folder("", result.job).string());
}

std::string SweepResults::machines_text() const {
  std::string text = "job";
  for (const std::string& name : machine_columns) text += "," + name;
  text += '\n';
  for (const auto& [number, result] : results_) {
    text += fmt::format("{}", number);
    for (const std::string& name : machine_columns) text += "," + cell_at(result.last, name);
    text += '\n';
  }
  return text;
}

std::map<std::string, int> SweepResults::arithmetics() const {
  std::map<std::string, int> counts;
  for (const auto& [number, result] : results_) {
    if (!result.finished()) continue;
    const bool on_gpu = cell_at(result.last, "backend") == "cuda";
    ++counts[cell_at(result.last, on_gpu ? "device" : "simd")];
  }
  return counts;
}

void SweepResults::write_if_due() {
  if (changed_ && Clock::now() >= next_write_) write();
}

void SweepResults::write(bool durable) {
  const auto start = Clock::now();
  std::string text = header();
  for (const auto& [number, row] : rows_) {
    text += row;
    for (const auto& [name, ignored] : data_names_)
      text += "," + cell_at(results_.at(number).data, name);
    text += '\n';
  }
  engine::write_file(out_ / "results.units.json", engine::json_text(*units_, 2) + "\n", durable);
  engine::write_file(out_ / "machines.csv", machines_text(), durable);
  engine::write_file(out_ / "results.csv", text, durable);
  changed_ = false;
  next_write_ = Clock::now() +
                std::max<Clock::duration>(std::chrono::seconds(1), 20 * (Clock::now() - start));
}

std::string ranges_text(const std::vector<int>& numbers) {
  std::string text;
  for (std::size_t i = 0, end = 0; i < numbers.size(); i = end) {
    for (end = i + 1; end < numbers.size() && numbers[end] == numbers[end - 1] + 1;) ++end;
    text += (text.empty() ? "" : ", ") + fmt::format("{}", numbers[i]);
    if (end > i + 1) text += fmt::format("-{}", numbers[end - 1]);
  }
  return text;
}

}  // namespace mote::app
