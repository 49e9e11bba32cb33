#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/app/program.h"

namespace mote::test {

/// A scene for sweeps: two bodies, with parameters for what sweeps are tried with.
extern const char* const sweep_scene;

/// The rows of a CSV file, each by the names of its columns.
using CsvRow = std::map<std::string, std::string>;
std::vector<CsvRow> csv_rows(const std::string& text);

/// The jobs of a plan, one JSON object each; a failed assertion and nothing where it is refused.
std::vector<engine::Json> jobs_of_plan(const std::filesystem::path& folder,
                                       const std::string& plan);

/// Processes that work in a folder and whose command line has this word.
std::vector<pid_t> processes_in(const std::filesystem::path& folder, const std::string& word);

/// Waits until `done` is true, a minute at most; whether it is.
bool comes_true(const std::function<bool()>& done);

}  // namespace mote::test
