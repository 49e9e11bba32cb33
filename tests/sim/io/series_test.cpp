#include "sim/io/series.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

#include "engine/check.h"
#include "engine/files.h"
#include "tests/support/temporary_folder.h"

namespace mote::sim {
namespace {

using test::message_of;
using test::TemporaryFolder;

const std::vector<SeriesColumn> columns{{"step", true}, {"time_day"}, {"energy"}};

void add(SeriesFile& file, double step, double time, double energy) {
  file.row(std::array{step, time, energy});
}

TEST(Series, PrintsEveryNumberSoThatItReadsBackTheSame) {
  const TemporaryFolder folder;
  {
    SeriesFile file(folder / "series.csv", columns);
    add(file, 0, 0, -0.25);
    add(file, 1000000, 0.1, 1.0 / 3);
    add(file, 9007199254740991, -0.0, 5e-324);
    add(file, -3, std::numeric_limits<double>::infinity(), std::copysign(std::nan(""), -1));
    file.commit();
  }
  EXPECT_EQ(engine::read_file(folder / "series.csv"),
            "step,time_day,energy\n"
            "0,0,-0.25\n"
            "1000000,0.1,0.3333333333333333\n"
            "9007199254740991,-0,5e-324\n"
            "-3,inf,nan\n");
}

TEST(Series, QuotesNamesOfItsHeader) {
  const TemporaryFolder folder;
  SeriesFile file(folder / "s.csv", {{"a,b"}, {"the \"c\""}});
  file.commit();
  EXPECT_EQ(engine::read_file(folder / "s.csv"), "\"a,b\",\"the \"\"c\"\"\"\n");
}

TEST(Series, CanBeReadWhileItIsWritten) {
  const TemporaryFolder folder;
  SeriesFile file(folder / "s.csv", columns);
  EXPECT_EQ(engine::read_file(folder / "s.csv.part"), "step,time_day,energy\n");
  add(file, 0, 0, 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(260));
  add(file, 1, 0, 1);
  EXPECT_EQ(engine::read_file(folder / "s.csv.part"), "step,time_day,energy\n0,0,1\n1,0,1\n");
  EXPECT_FALSE(std::filesystem::exists(folder / "s.csv"));
  file.commit();
  EXPECT_FALSE(std::filesystem::exists(folder / "s.csv.part"));
  EXPECT_TRUE(std::filesystem::exists(folder / "s.csv"));
}

TEST(Series, KeepsItsRowsWithoutCommitAndContinuesAfterThem) {
  const TemporaryFolder folder;
  std::uint64_t bytes = 0;
  {
    SeriesFile file(folder / "s.csv", columns);
    add(file, 0, 0, 1);
    bytes = file.bytes();
    add(file, 1, 0, 1);
  }
  EXPECT_EQ(engine::read_file(folder / "s.csv.part"), "step,time_day,energy\n0,0,1\n1,0,1\n");
  for (int time = 0; time < 2; ++time) {  // the second pass finds a committed file
    SeriesFile file(folder / "s.csv", columns, bytes);
    add(file, 2, 0, 1);
    file.commit();
    EXPECT_EQ(engine::read_file(folder / "s.csv"), "step,time_day,energy\n0,0,1\n2,0,1\n");
  }
  EXPECT_EQ(message_of<engine::InputError>([&] {
              SeriesFile(folder / "s.csv", columns, 1000);
            }).substr(0, 6),
            folder.path().string().substr(0, 6));
  EXPECT_TRUE(std::filesystem::exists(folder / "s.csv.part"))
      << "a file that is too short is not removed";
}

TEST(Series, CannotBeMadeBelowAFile) {
  const TemporaryFolder folder;
  const auto path = folder.file("file", "") / "s.csv";
  EXPECT_EQ(message_of<engine::SystemError>([&] { SeriesFile file(path, columns); }),
            "open " + path.string() +
                ": Not a directory; check that the folder exists and is writable and that the disk "
                "has space");
}

}  // namespace
}  // namespace mote::sim
