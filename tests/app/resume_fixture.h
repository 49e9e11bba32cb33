#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/app/program.h"

namespace mote::test {

/// A run with all features: hooks that store data, write rows, change dt and add bodies.
inline const char* const busy_scene = R"(return {
  title = "Busy",
  gravity = { softening = 0.05 },
  integrator = { "leapfrog", dt = 1 / 256 },
  species = { old = {}, new = {} },
  bodies = plummer { n = 24, species = "old" },
  stop = { steps = 900 },
  series = { steps = 7 },
  snapshots = { time = 0.3 },
  on_step = { every = 40, run = function(sim)
    sim.data.calls = (sim.data.calls or 0) + 1
    sim:row("calls", { calls = sim.data.calls, chance = math.random() })
    if sim.data.calls == 5 then sim:set("integrator.dt", 1 / 300) end
    if sim.data.calls % 6 == 0 then
      sim:add { mass = 0.01, position = { math.random(), 1, 0 }, species = "new" }
      if sim.data.calls == 12 then sim:remove(3) end
    end
  end },
})";

class Resume : public testing::Test {
 protected:
  void SetUp() override { write(here() / "busy.lua", busy_scene); }
  const std::filesystem::path& here() const { return folder_.path(); }

  /// A run in a folder of this name.
  void run_in(const std::string& name, const std::vector<std::string>& more) const {
    std::vector<std::string> words{"run", "busy.lua", "--backend", "cpu", "--out", name, "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    const Result result = mote(here(), words);
    ASSERT_EQ(result.code, 0) << result.err;
  }

  /// The undisturbed run, in the folder "whole".
  void run_whole(const std::vector<std::string>& more = {}) const { run_in("whole", more); }

  void expect_same_as_whole(const std::string& run) const {
    EXPECT_EQ(hash_of(here() / run), hash_of(here() / "whole"));
    EXPECT_EQ(text_of(here() / run / "series.csv"), text_of(here() / "whole/series.csv"));
    EXPECT_EQ(text_of(here() / run / "rows/calls.csv"), text_of(here() / "whole/rows/calls.csv"));
    const auto snapshots = files_below(here() / "whole/snapshots");
    EXPECT_EQ(files_below(here() / run / "snapshots"), snapshots);
    for (const std::string& file : snapshots)
      EXPECT_EQ(text_of(here() / run / "snapshots" / file),
                text_of(here() / "whole/snapshots" / file))
          << file;
    EXPECT_EQ(first_partial_file(here() / run), "");
    const engine::Json a = json_of(here() / run / "run.json"),
                       b = json_of(here() / "whole/run.json");
    for (const char* key : {"status", "steps", "time", "bodies", "bodies_at_end", "edits", "first",
                            "last", "data", "parameters", "scene"})
      EXPECT_EQ(a.contains(key), b.contains(key)) << key;
    for (const char* key :
         {"status", "steps", "time", "bodies", "edits", "first", "last", "data"}) {
      if (a.contains(key) && b.contains(key)) {
        EXPECT_EQ(a.at(key), b.at(key)) << key;
      }
    }
  }

  bool has_checkpoint(const std::string& run) const {
    const auto files = files_below(here() / run / "checkpoints");
    return std::any_of(files.begin(), files.end(),
                       [](const std::string& f) { return f.ends_with(".h5"); });
  }

  Result go_on(const std::vector<std::string>& words) const {
    std::vector<std::string> all{"resume"};
    all.insert(all.end(), words.begin(), words.end());
    return mote(here(), all);
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace mote::test
