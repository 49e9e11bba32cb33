#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/app/program.h"

namespace mote::test {

/// A scene of two bodies, with the parameters that the sweep tests vary.
extern const char* const sweep_scene;

/// The rows of a CSV file, as maps from column name to value.
using CsvRow = std::map<std::string, std::string>;
std::vector<CsvRow> csv_rows(const std::string& text);

/// The jobs of a plan, one JSON object each; a failed assertion and no jobs if it is refused.
std::vector<engine::Json> jobs_of_plan(const std::filesystem::path& folder,
                                       const std::string& plan);

/// Processes with this working folder and this word in the command line.
std::vector<pid_t> processes_in(const std::filesystem::path& folder, const std::string& word);

/// Waits until `done` is true, at most a minute. Returns its last value.
bool comes_true(const std::function<bool()>& done);

}  // namespace mote::test
