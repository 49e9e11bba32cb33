#include "tests/app/sweep_support.h"
#include "engine/json.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace mote::test {
namespace fs = std::filesystem;

const char* const sweep_scene =
    R"(local distance = param("distance", 1.0, { min = 0.5, max = 4, unit = "length" })
local steps = param("steps", 20, { min = 0, max = 1e15 })
local limit = param("limit", 1.0, { min = 0, max = 1 })
local number = param("number", 0)
if number == 17 then error("not seventeen") end
return {
  gravity = { softening = 0 },
  integrator = { "leapfrog", dt = 1 / 128 },
  bodies = {
    { mass = 0.5, position = { -distance / 2, 0, 0 }, velocity = { 0, -0.5, 0 } },
    { mass = 0.5, position = { distance / 2, 0, 0 }, velocity = { 0, 0.5, 0 } },
    { mass = 0, position = { math.random() + 9, 0, 0 } },
  },
  series = { steps = 10 },
  health = { energy_error = limit },
  stop = { steps = steps },
}
)";

std::vector<CsvRow> csv_rows(const std::string& text) {
  std::vector<std::vector<std::string>> table{{""}};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' && quoted && i + 1 < text.size() && text[i + 1] == '"')
      table.back().back() += text[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      table.back().emplace_back();
    else if (c == '\n' && !quoted)
      table.push_back({""});
    else
      table.back().back() += c;
  }
  table.pop_back();  // after the last newline
  std::vector<CsvRow> rows;
  for (std::size_t i = 1; i < table.size(); ++i) {
    EXPECT_EQ(table[i].size(), table[0].size()) << "row " << i;
    CsvRow row;
    for (std::size_t k = 0; k < std::min(table[i].size(), table[0].size()); ++k)
      row[table[0][k]] = table[i][k];
    rows.push_back(row);
  }
  return rows;
}

std::vector<engine::Json> jobs_of_plan(const fs::path& folder, const std::string& plan) {
  const Result result = mote(folder, {"sweep", plan, "--dry-run", "--json"});
  EXPECT_EQ(result.code, 0) << result.err;
  std::vector<engine::Json> jobs;
  for (const std::string& line : lines_of(result.out)) jobs.push_back(engine::parse_json(line));
  return jobs;
}

std::vector<pid_t> processes_in(const fs::path& folder, const std::string& word) {
  std::vector<pid_t> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != name.npos) continue;
    const std::string line = text_of(entry.path() / "cmdline");
    if (line.find(word) != line.npos && fs::read_symlink(entry.path() / "cwd", ignored) == folder)
      found.push_back(std::stoi(name));
  }
  return found;
}

bool comes_true(const std::function<bool()>& done) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!done()) {
    if (std::chrono::steady_clock::now() > limit) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

}  // namespace mote::test
