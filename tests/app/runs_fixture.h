#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/json.h"
#include "tests/app/commands_fixture.h"
#include "tests/app/sweep_support.h"

namespace mote::test {

/// Runs makes and lists runs of two bodies, and a sweep of which one job of forty fails.
class Runs : public Commands {
 protected:
  void SetUp() override { write(here() / "binary.lua", binary_scene); }

  void run_in(const std::string& folder, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"run", "binary.lua", "--out", folder, "--quiet"});
    good(more);
  }
  void sweep_in(const std::string& folder) const {
    write(here() / "scene.lua", sweep_scene);
    write(here() / "plan.lua",
          "return { scene = 'scene.lua', set = { steps = 1 }, "
          "grid = { number = { min = 1, max = 40, count = 40, whole = true } } }");
    EXPECT_EQ(mote(here(), {"sweep", "plan.lua", "--out", folder, "--quiet"}).code, 1);
  }
  /// Returns the rows by name.
  std::map<std::string, engine::Json> rows(std::vector<std::string> words = {}) const {
    words.insert(words.begin(), {"runs", "--json"});
    const Result result = mote(here(), words);
    EXPECT_EQ(result.code, 0) << result.err;
    std::map<std::string, engine::Json> rows;
    for (const std::string& line : lines_of(result.out)) {
      const engine::Json row = engine::parse_json(line);
      rows[row.at("name")] = row;
    }
    return rows;
  }
};

}  // namespace mote::test
