#include "engine/log.h"

#include <gtest/gtest.h>

#include <regex>

#include "engine/check.h"
#include "engine/files.h"
#include "tests/engine/full_disk.h"
#include "tests/support/temporary_folder.h"

namespace mote::engine {
namespace {

using test::message_of;
using test::TemporaryFolder;

/// Output of an action on stdout and stderr.
template <class Action>
std::string printed_by(Action action) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  action();
  return testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr();
}

void log_at_every_level() {
  log().debug("a debug line");
  log().info("an info line");
  log().warn("a warning");
  log().error("an error");
}

TEST(Log, IsSilentWithoutSinks) {
  ASSERT_EQ(log_sinks(), 0u);
  EXPECT_EQ(printed_by(log_at_every_level), "");
}

TEST(Log, FileHoldsTimedLinesOfEveryLevelAndTheTerminalNone) {
  const TemporaryFolder folder;
  const std::string path = (folder / "log.txt").string();
  EXPECT_EQ(printed_by([&] {
              const LogFile file(path);
              log_at_every_level();
            }),
            "");
  const std::string time = R"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} )";
  EXPECT_TRUE(std::regex_match(
      read_file(path), std::regex(time + "debug: a debug line\n" + time + "info: an info line\n" +
                                  time + "warning: a warning\n" + time + "error: an error\n")))
      << read_file(path);
}

TEST(Log, LinesFromInfoUpReachTheFileAtOnce) {
  const TemporaryFolder folder;
  const LogFile file((folder / "log.txt").string());
  log().info("chosen");
  EXPECT_NE(read_file(folder / "log.txt").find("info: chosen\n"), std::string::npos);
}

TEST(Log, FileDetachesWhenItsHandleGoesAway) {
  const TemporaryFolder folder;
  const LogFile stays((folder / "stays").string());
  { const LogFile goes((folder / "goes").string()); }
  log().info("afterwards");
  EXPECT_EQ(read_file(folder / "goes"), "");
  EXPECT_NE(read_file(folder / "stays").find("afterwards"), std::string::npos);
  EXPECT_EQ(log_sinks(), 1u);
}

TEST(Log, FileThatCannotBeOpenedThrowsWithItsPathAndAddsNoSink) {
  const TemporaryFolder folder;
  write_file(folder / "file", "");
  const std::string path = (folder / "file" / "log.txt").string();
  const std::string message = message_of<SystemError>([&] { LogFile{path}; });
  EXPECT_EQ(message.rfind("open " + path + ": ", 0), 0u) << message;
  EXPECT_NE(message.find("Not a directory"), std::string::npos) << message;
  EXPECT_EQ(log_sinks(), 0u);
}

TEST(Log, FullDiskNeitherThrowsNorPrints) {
  const TemporaryFolder folder;
  const LogFile file((folder / "log.txt").string());
  EXPECT_EQ(printed_by([&] {
              const FullDisk full(4096);  // enough for captured output, not for the line
              log().error("{}", std::string(100000, 'x'));  // larger than any buffer
            }),
            "");
}

TEST(Log, TerminalShowsWarningsAndInfoOnlyWhenAsked) {
  for (bool verbose : {false, true}) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    log_to_terminal(verbose);
    log_at_every_level();
    silence_log();
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              verbose ? "mote: an info line\nmote: a warning\nmote: an error\n"
                      : "mote: a warning\nmote: an error\n");
  }
}

TEST(Log, LastLinesAreThereFromInfoUp) {
  const LogLines lines(3);
  log_at_every_level();
  log().info("one more");
  const std::vector<std::string> last = lines.lines();
  ASSERT_EQ(last.size(), 3u);
  EXPECT_NE(last[0].find("warning: a warning"), std::string::npos);
  EXPECT_NE(last[1].find("error: an error"), std::string::npos);
  EXPECT_NE(last[2].find("info: one more"), std::string::npos);
}

}  // namespace
}  // namespace mote::engine
