#include "sim/script/hook_tables.h"

#include <algorithm>
#include <utility>

#include "engine/check.h"
#include "engine/json.h"
#include "engine/log.h"
#include "engine/text.h"
#include "sim/io/series.h"

namespace mote::sim {
namespace {

constexpr std::size_t max_row_files = 100;
constexpr const char* units_ending = ".units.json";

std::string value_text(const engine::ParamValue& value) {
  if (const auto* d = std::get_if<double>(&value)) return series_number(*d);
  if (const auto* s = std::get_if<std::string>(&value)) return series_field(*s);
  return engine::text_of(value);
}

}  // namespace

void check_file_name(const std::string& name) {
  const auto good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  };
  if (name.empty() || name.size() > 64 || !std::all_of(name.begin(), name.end(), good))
    throw engine::InputError("", engine::quoted(name) + " is not a valid file name",
                             "use 1 to 64 letters, digits, - and _");
}

void check_row(const std::string& name, const HookRow& row, const std::vector<std::string>* columns,
               std::size_t files) {
  check_file_name(name);
  if (columns && columns_of(row) != *columns)
    throw engine::InputError(
        "", "the row has the columns " + engine::joined(columns_of(row), ", "),
        "the first row of " + name + ".csv has " + engine::joined(*columns, ", "));
  if (columns) return;
  if (files >= max_row_files)
    throw engine::InputError("", "hooks can write at most 100 tables in a run");
  for (const auto& [column, ignored] : row)
    if (column == "time" || column == "step")
      throw engine::InputError("", "the column " + column + " is added automatically",
                               "leave it out");
}

std::vector<std::string> columns_of(const HookRow& row) {
  std::vector<std::string> names;
  for (const auto& [name, ignored] : row) names.push_back(name);
  return names;
}

std::string row_text(double time, std::uint64_t step, const HookRow& row) {
  std::string text = series_number(time) + ',' + std::to_string(step);
  for (const auto& [ignored, value] : row) text += ',' + value_text(value);
  return text + '\n';
}

std::filesystem::path HookTables::units_path_of(const std::string& name) const {
  return folder_ / (name + units_ending);
}

HookTables::File& HookTables::open(const std::string& name, const HookRow& row) {
  const auto known = files_.find(name);
  check_row(name, row, known == files_.end() ? nullptr : &known->second.columns, files_.size());
  if (known != files_.end()) return known->second;
  std::filesystem::create_directories(folder_);
  File file;
  file.columns = columns_of(row);
  file.file = std::make_unique<engine::AppendFile>(path_of(name));
  engine::Json units = engine::Json::object();
  if (!time_unit_.empty()) units["time"] = time_unit_;
  engine::write_file(units_path_of(name), engine::json_text(units, 2) + "\n");
  std::string header = "time,step";
  for (const std::string& column : file.columns) header += ',' + series_field(column);
  header += '\n';
  file.file->write(header);
  return files_[name] = std::move(file);
}

void HookTables::add_row(const std::string& name, double time, std::uint64_t step,
                         const HookRow& row) {
  File& file = open(name, row);
  const std::string text = row_text(time, step, row);
  check_size(name, text.size());
  if (file.rows.empty() || file.rows.back().first != step)
    file.rows.emplace_back(step, file.file->bytes());
  file.file->write(text);
}

/// Counts the sizes of the files themselves, so that the limit does not depend on how often the run
/// was resumed.
void HookTables::check_size(const std::string& name, std::size_t more) {
  std::uint64_t used = 0;
  for (const auto& [ignored, file] : files_) used += file.file->bytes();
  const std::string limit = engine::bytes_text(static_cast<double>(max_bytes_));
  if (used + more > max_bytes_)
    throw engine::InputError("rows/" + name + ".csv",
                             "the tables of hooks are limited to " + limit + " in a run",
                             "write fewer rows, or trust the scene with --trust");
  if (used > max_bytes_ / 2 && !std::exchange(warned_, true))
    engine::log().warn(
        "the tables of hooks have reached half of the limit of {} (--trust lifts the limit)",
        limit);
}

void HookTables::discard_after(std::uint64_t step) {
  for (auto& [name, file] : files_) {
    const auto later = std::find_if(file.rows.begin(), file.rows.end(),
                                    [step](const auto& row) { return row.first > step; });
    if (later == file.rows.end()) continue;
    file.file->cut(later->second);
    file.rows.erase(later, file.rows.end());
  }
}

void HookTables::resume(const engine::Json& sizes) {
  for (const auto& [name, size] : sizes.items()) {
    check_file_name(name);
    File file;
    file.columns = size.at("columns").get<std::vector<std::string>>();
    file.file =
        std::make_unique<engine::AppendFile>(path_of(name), size.at("bytes").get<std::uint64_t>());
    files_[name] = std::move(file);
  }
  std::error_code ignored;
  std::vector<std::filesystem::path> others;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, ignored)) {
    std::string file = entry.path().filename().string();
    if (file.ends_with(".part")) file.resize(file.size() - 5);
    const std::string name = file.substr(0, file.find('.')), ending = file.substr(name.size());
    if ((ending == ".csv" || ending == units_ending) && !files_.contains(name))
      others.push_back(entry.path());
  }
  for (const auto& file : others) std::filesystem::remove(file, ignored);
}

engine::Json HookTables::sizes() const {
  engine::Json all = engine::Json::object();
  for (const auto& [name, file] : files_)
    all[name] = engine::Json{{"bytes", file.file->bytes()}, {"columns", file.columns}};
  return all;
}

void HookTables::flush() {
  for (auto& [ignored, file] : files_) file.file->flush();
}

void HookTables::commit() {
  for (auto& [ignored, file] : files_) file.file->commit();
  files_.clear();
}

}  // namespace mote::sim
