// Checkpoints in tests/checkpoints were written before integrators declared what they keep
// (decision 69), some before backends had one text of a simulation (decision 68). Resumed, they end
// as the runs that wrote them would have: with the state hashes that the program of that time
// printed. Scalar loops in double precision have the same bits on all processors that have the same
// C library.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "sim/measure/measurement.h"
#include "sim/output/checkpoint.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

struct OldRun {
  const char* file;
  std::uint64_t step;  ///< of the checkpoint
  std::uint64_t end;
  const char* hash;  ///< at the end
};

TEST(OldCheckpoints, EndAsTheRunsThatWroteThem) {
  for (const OldRun& run : {OldRun{"ias15", 150, 300, "8389c9afbf3779a8"},
                            OldRun{"yoshida4", 150, 300, "0ea65daa662e2dd2"},
                            // Older: contacts of grains, lists and a thermostat, chosen steps, and
                            // gravity alone.
                            OldRun{"hourglass", 200, 300, "010357f29758bde9"},
                            OldRun{"argon", 100, 200, "017170d5009acbb2"},
                            OldRun{"figure_eight", 200, 300, "f02a436561cabf67"},
                            OldRun{"plummer", 20, 40, "0c3af804ee2408b6"}}) {
    const sim::Checkpoint checkpoint =
        sim::read_checkpoint(std::filesystem::path(source_dir()) / "tests/checkpoints" /
                             (std::string(run.file) + ".h5"));
    const auto simulation = sim::open_checkpoint(
        checkpoint,
        {.backend = engine::Backend::cpu, .threads = 1, .simd = engine::SimdLevel::scalar});
    EXPECT_EQ(simulation->step(), run.step) << run.file;
    simulation->advance(run.end - simulation->step(), {});
    EXPECT_EQ(sim::hash_text(simulation->hash()), run.hash) << run.file;
  }
}

}  // namespace
}  // namespace mote::test
