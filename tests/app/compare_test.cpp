// mote bench and mote selftest: what they print, what they refuse, and that they pass here.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "engine/json.h"
#include "engine/machine.h"
#include "tests/app/program.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

class Compare : public testing::Test {
 protected:
  const fs::path& here() const { return folder_.path(); }

  std::string refused(const std::vector<std::string>& options) const {
    std::vector<std::string> words{"bench"};
    words.insert(words.end(), options.begin(), options.end());
    const Result result = mote(here(), words);
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.out, "");
    return result.err;
  }

  /// Why there is no GPU to compare with; "" if there is one.
  static std::string no_gpu() { return engine::cuda_info().problem; }

 private:
  TemporaryFolder folder_;
};

/// Expects a row with errors at round-off level and rates consistent with its time.
void expect_good(const engine::Json& row) {
  EXPECT_FALSE(row.contains("wrong")) << row;
  const bool full = row.at("precision") == "double";
  EXPECT_GE(row.at("p90_error"), 0);
  EXPECT_LE(row.at("p90_error"), full ? 1e-13 : 3e-6) << row;
  EXPECT_GE(row.at("worst_error"), row.at("p90_error")) << row;
  const double seconds = row.at("seconds").at("median"), n = row.at("n");
  EXPECT_GT(seconds, 0);
  EXPECT_LE(row.at("seconds").at("fastest"), seconds);
  EXPECT_GE(row.at("seconds").at("slowest"), seconds);
  EXPECT_GE(row.at("seconds").at("runs_a_timing"), 1);
  EXPECT_DOUBLE_EQ(row.at("per_second"), 1 / seconds);
  const double interactions = row.at("what") == "potential" ? n * (n - 1) / 2 : n * n;
  EXPECT_NEAR(row.at("interactions_per_second").get<double>() * seconds, interactions,
              1e-9 * interactions);
}

TEST_F(Compare, BenchOfTheCpuPrintsATableAndWritesJson) {
  const Result result = mote(here(), {"bench", "--backend", "cpu", "--n", "64,100", "--repeats",
                                      "2", "--precision", "single,double", "--json", "bench.json"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err, "");
  const engine::Json all = json_of(here() / "bench.json");
  EXPECT_EQ(all.at("backend"), "cpu");
  EXPECT_EQ(all.at("mote"), engine::build_info().version);
  EXPECT_EQ(all.at("commit"), engine::build_info().commit);
  EXPECT_EQ(all.at("repeats"), 2);
  EXPECT_FALSE(all.contains("device"));
  for (const char* field : {"compiler", "build_type", "system", "processor", "threads", "simd"})
    EXPECT_TRUE(all.contains(field)) << field;
  // Forces and steps at two precisions, the potential in double, each for two sizes.
  ASSERT_EQ(all.at("results").size(), 10u);
  for (const engine::Json& row : all.at("results")) {
    expect_good(row);
    EXPECT_EQ(row.at("kernel"), all.at("simd"));
    EXPECT_FALSE(row.contains("share_of_limit"));
  }
  const std::vector<std::string> lines = lines_of(result.out);
  ASSERT_GE(lines.size(), 11u);
  const std::string head = lines[lines.size() - 11];
  for (const char* column : {"what", "kernel or stepping", "precision", "N", "median time",
                             "interactions/s", "TFLOP/s", "of limit", "p90 error", "worst error"})
    EXPECT_NE(head.find(column), std::string::npos) << column;
  for (std::size_t k = lines.size() - 10; k < lines.size(); ++k)
    EXPECT_EQ(lines[k].size(), head.size()) << lines[k];
  EXPECT_EQ(files_below(here()), std::vector<std::string>{"bench.json"});
}

// Direct sums of all pairs would be 2,000 a body; expansions of order 6 take some of them.
TEST_F(Compare, BenchOfExpansionsHasErrorsAndCounts) {
  const Result result = mote(here(), {"bench", "--backend", "cpu", "--what", "forces", "--solver",
                                      "multipole", "--accuracy", "1e-2", "--n", "2000", "--repeats",
                                      "1", "--precision", "single,double", "--json", "bench.json"});
  EXPECT_EQ(result.code, 0) << result.err;
  const std::vector<std::string> lines = lines_of(result.out);
  ASSERT_GE(lines.size(), 3u);
  for (const char* column : {"solver", "pairs/body", "expansions/body", "99 %", "worst"})
    EXPECT_NE(lines[lines.size() - 3].find(column), std::string::npos) << column;
  for (std::size_t k : {1, 2})
    EXPECT_EQ(lines[lines.size() - k].size(), lines[lines.size() - 3].size());
  const engine::Json rows = json_of(here() / "bench.json").at("results");
  ASSERT_EQ(rows.size(), 2u);
  for (const engine::Json& row : rows) {
    EXPECT_EQ(row.at("solver"), "multipole, order 6");
    EXPECT_GT(row.at("pairs_per_body"), 0);
    EXPECT_LT(row.at("pairs_per_body"), 2000);
    EXPECT_GT(row.at("expansions_per_body"), 0);
    const engine::Json& errors = row.at("force_errors");
    EXPECT_EQ(errors.at("asked"), 1e-2);
    EXPECT_GT(errors.at("median"), 1e-6);  // far above rounding: expansions were used
    EXPECT_LE(errors.at("p99"), 1.3e-2);
    EXPECT_GT(row.at("seconds").at("median"), 0);
  }
}

TEST_F(Compare, BenchPrintsNothingButJsonWhenAsked) {
  const Result result = mote(here(), {"bench", "--backend", "cpu", "--n", "32", "--repeats", "1",
                                      "--precision", "mixed", "--what", "forces", "--json", "-"});
  EXPECT_EQ(result.code, 0);
  const engine::Json all = engine::parse_json(result.out);
  ASSERT_EQ(all.at("results").size(), 1u);
  expect_good(all.at("results").at(0));
  EXPECT_TRUE(files_below(here()).empty());
}

TEST_F(Compare, BenchRefusesWhatItCannotDo) {
  EXPECT_EQ(refused({"--n", "100,0"}),
            "--n: must be a whole number from 1 to 1000000000, not 0; `mote help bench` lists the "
            "options\n");
  EXPECT_EQ(
      refused({"--n", "1.5"}),
      "--n: must be a whole number from 1 to 1000000000, not 1.5; `mote help bench` lists the "
      "options\n");
  EXPECT_EQ(refused({"--n", "5000000"}),
            "--n: direct sums are timed up to 4194304 bodies, not 5000000; add --solver "
            "multipole\n");
  EXPECT_EQ(
      refused({"--precision", "single,quad"}),
      "--precision: quad not in {single,mixed,double}; `mote help bench` lists the options\n");
  EXPECT_EQ(refused({"--backend", "cpu", "--kernels", "tiled"}),
            "--kernels: is for the CUDA backend only; leave it out, or use --backend cuda\n");
  EXPECT_EQ(refused({"--backend", "cpu", "--stepping", "graph"}),
            "--stepping: is for the CUDA backend only; leave it out, or use --backend cuda\n");
  EXPECT_EQ(refused({"--backend", "cpu", "--device", "0"}),
            "--device: is for the CUDA backend only; leave it out, or use --backend cuda\n");
  EXPECT_EQ(refused({"--accuracy", "1e-3"}),
            "--accuracy: is for expansions; direct sums are exact up to rounding; leave it out, or "
            "add --solver multipole\n");
  EXPECT_EQ(refused({"--solver", "multipole", "--what", "steps"}),
            "--what: of expansions is the forces alone; use --what forces, or name a scene to time "
            "its steps\n");
  EXPECT_EQ(refused({"--backend", "cpu", "--solver", "multipole", "--accuracy", "1e-6",
                     "--precision", "single"}),
            "--accuracy: 1e-06 is less than single precision can keep; use --precision mixed or "
            "double\n");
  EXPECT_EQ(refused({"--json", "nowhere/b.json"}),
            "--json nowhere/b.json: there is no folder nowhere; create it first\n");
  EXPECT_EQ(refused({"--kernel", "tiled"}),
            "--kernel: unknown option; did you mean '--kernels'?\n");
  if (!no_gpu().empty()) {
    EXPECT_NE(refused({"--kernels", "tiled"}).find("--backend cuda: "), std::string::npos);
  }
}

TEST_F(Compare, BenchOfASceneTimesItsParts) {
  write(here() / "scene.lua",
        "return { gravity = { softening = 0.1 }, integrator = { 'yoshida4', dt = 0.01 },\n"
        "fields = { uniform { acceleration = { 0, 0, -1 } } }, bodies = plummer { n = param('n', "
        "20) } }");
  const Result table = run({.arguments = {"bench", "scene.lua", "--backend", "cpu", "--repeats",
                                          "1", "--set", "n=30", "--json", "parts.json"},
                            .folder = here(),
                            .environment = {{"TMPDIR", here().string()}}});
  ASSERT_EQ(table.code, 0) << table.err;
  EXPECT_NE(table.out.find("scene.lua, 30 bodies, double; medians of 1 timings\n"),
            std::string::npos)
      << table.out;
  const engine::Json all = json_of(here() / "parts.json");
  EXPECT_EQ(all.at("bodies"), 30);
  std::map<std::string, engine::Json> parts;
  for (const engine::Json& part : all.at("parts")) {
    EXPECT_GT(part.at("seconds"), 0) << part;
    parts[part.at("part")] = part;
  }
  for (const char* name : {"step", "forces of gravity", "forces of fields", "kick", "drift",
                           "measurement", "points of a picture", "state hash", "snapshot (hdf5)"})
    EXPECT_TRUE(parts.contains(name)) << name;
  // Yoshida's fourth order is three leapfrogs with their inner kicks merged.
  EXPECT_EQ(parts["forces of gravity"].at("per_step"), 3);
  EXPECT_EQ(parts["kick"].at("per_step"), 4);
  EXPECT_EQ(parts["forces of gravity"].at("interactions"), 30 * 30);
  EXPECT_EQ(parts["step"].at("interactions"), 3 * 30 * 30);
  EXPECT_EQ(files_below(here()), (std::vector<std::string>{"parts.json", "scene.lua"}));
}

TEST_F(Compare, BenchOfASceneRefusesWhatItCannotDo) {
  write(here() / "binary.lua", binary_scene);
  const auto refused = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"bench", "binary.lua", "--backend", "cpu"});
    const Result result = mote(here(), words);
    EXPECT_EQ(result.code, 2) << result.out;
    return result.err;
  };
  EXPECT_EQ(refused({"--n", "64"}), "--n: is for comparisons without a scene; leave it out\n");
  EXPECT_EQ(refused({"--precision", "single,double"}),
            "--precision single,double: a scene is timed in one way at a time; name one\n");
}

TEST_F(Compare, BenchOfAGpuFindsEveryKernelAndSteppingRight) {
  if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  const Result result =
      mote(here(), {"bench", "--backend", "cuda", "--n", "40", "--repeats", "1", "--json", "-"});
  EXPECT_EQ(result.code, 0);
  const engine::Json all = engine::parse_json(result.out);
  for (const char* field :
       {"name", "compute_capability", "multiprocessors", "clock_mhz", "driver", "runtime"})
    EXPECT_TRUE(all.at("device").contains(field)) << field;
  std::multiset<std::string> names;
  for (const engine::Json& row : all.at("results")) {
    expect_good(row);
    names.insert(row.contains("stepping") ? row.at("stepping") : row.at("kernel"));
    EXPECT_EQ(row.contains("share_of_limit"), row.at("what") != "potential") << row;
  }
  for (const char* name :
       {"auto", "tiled", "symmetric", "gather", "launch", "graph", "cooperative", "cluster"})
    EXPECT_EQ(names.count(name), 3u) << name;  // one for each precision
  EXPECT_EQ(names.count("split"), 4u);         // and one of the potential
}

TEST_F(Compare, SelfTestPassesOrSaysWhyThereIsNothingToCompare) {
  MOTE_SKIP_IF_SANITIZED("long on an emulated GPU; EmulatedGpu.* compares these kernels");
  const Result result = mote(here(), {"selftest"});
  EXPECT_EQ(result.code, 0) << result.out;
  EXPECT_EQ(result.err, "");
  if (engine::cuda_info().devices.empty()) {
    EXPECT_EQ(result.out, "nothing to compare: " + no_gpu() + "\n");
  } else {
    EXPECT_NE(result.out.find(" checks, 0 failed\n"), std::string::npos) << result.out;
    for (const char* line :
         {"ok      forces symmetric single N=33", "ok      potential energy", "ok      measurement",
          "ok      state hash", "ok      steps cluster double yoshida4", "ok      not finite"})
      EXPECT_NE(result.out.find(line), std::string::npos) << line;
  }
}

TEST_F(Compare, SelfTestWithoutAGpuIsNoFailure) {
  const Result result = run(
      {.arguments = {"selftest"}, .folder = here(), .environment = {{"CUDA_VISIBLE_DEVICES", ""}}});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out.find("nothing to compare: "), 0u) << result.out;
}

}  // namespace
}  // namespace mote::test
