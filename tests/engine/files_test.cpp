#include "engine/files.h"

#include <gtest/gtest.h>

#include "engine/check.h"
#include "tests/engine/full_disk.h"
#include "tests/support/temporary_folder.h"

namespace mote::engine {
namespace {

using test::message_of;
using test::TemporaryFolder;

namespace fs = std::filesystem;
using testing::AssertionFailure;
using testing::AssertionResult;
using testing::AssertionSuccess;

AssertionResult contains(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return AssertionSuccess();
  return AssertionFailure() << "\"" << text << "\" does not contain \"" << part << "\"";
}

TEST(Files, WholeFileAppearsOnlyWhenCommitted) {
  const TemporaryFolder folder;
  const fs::path path = folder / "a.csv";
  WholeFile file(path);
  file.write("one,");
  file.write("two\n");
  EXPECT_FALSE(fs::exists(path));
  EXPECT_TRUE(fs::exists(part_of(path)));
  file.commit();
  EXPECT_EQ(read_whole(path), "one,two\n");
  EXPECT_FALSE(fs::exists(part_of(path)));
}

TEST(Files, CommittedFileStaysWhenItsWriterEnds) {
  const TemporaryFolder folder;
  { WholeFile(folder / "empty").commit(); }
  EXPECT_EQ(read_whole(folder / "empty"), "");
}

TEST(Files, WholeFileWithoutCommitLeavesNothing) {
  const TemporaryFolder folder;
  const auto interrupted = [&] {
    WholeFile file(folder / "a.csv");
    file.write(std::string(100000, 'x'));
    throw std::runtime_error("interrupted");
  };
  EXPECT_THROW(interrupted(), std::runtime_error);
  EXPECT_TRUE(folder.empty());
}

TEST(Files, FormerFileStaysUntilTheNewOneIsWhole) {
  const TemporaryFolder folder;
  const fs::path path = folder / "a.csv";
  write_whole(path, "old");
  {
    WholeFile file(path);
    file.write("half");
    file.flush();
    EXPECT_EQ(read_whole(path), "old");
  }
  EXPECT_EQ(read_whole(path), "old");
  write_whole(path, "new");
  EXPECT_EQ(read_whole(path), "new");
}

TEST(Files, FlushedTextIsSeenByReadersOfThePart) {
  const TemporaryFolder folder;
  WholeFile file(folder / "a.csv");
  file.write("row\n");
  file.flush();
  EXPECT_EQ(read_whole(part_of(folder / "a.csv")), "row\n");
}

TEST(Files, BytesAreWrittenAndReadAsTheyAre) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 300000; ++i)
    text += static_cast<char>(i * 7 % 256);  // zeros and line ends among them
  for (std::size_t size : {0u, 1u, 65535u, 65536u, 65537u, 300000u}) {
    write_whole(folder / "bytes", std::string_view(text).substr(0, size));
    EXPECT_TRUE(read_whole(folder / "bytes") == text.substr(0, size)) << size;
  }
}

TEST(Files, OpeningBelowARegularFileFailsWithPathAndReason) {
  const TemporaryFolder folder;
  write_whole(folder / "file", "");
  const fs::path path = folder / "file" / "a.csv";
  const std::string message = message_of<SystemError>([&] { WholeFile{path}; });
  EXPECT_TRUE(contains(
      message, "open " + path.string() + ": Not a directory; check that the folder exists"));
}

TEST(Files, OpeningInAMissingFolderFailsWithPathAndReason) {
  const TemporaryFolder folder;
  const std::string message =
      message_of<SystemError>([&] { WholeFile{folder / "none" / "a.csv"}; });
  EXPECT_TRUE(
      contains(message, (folder / "none" / "a.csv").string() + ": No such file or directory"));
}

TEST(Files, FullDiskFailsWithPathAndReasonAndLeavesNothing) {
  const TemporaryFolder folder;
  for (std::size_t size : {std::size_t{5000}, std::size_t{1} << 20}) {  // within a stream's buffer,
                                                                        // and beyond
    std::string message;
    {
      const FullDisk full(4096);
      message =
          message_of<SystemError>([&] { write_whole(folder / "a.csv", std::string(size, 'x')); });
    }
    EXPECT_EQ(message.rfind("write " + (folder / "a.csv").string() + ": File too large; check", 0),
              0u)
        << message;
    EXPECT_TRUE(folder.empty());
  }
}

TEST(Files, FlushReportsWhatCouldNotBeWritten) {
  const TemporaryFolder folder;
  WholeFile file(folder / "a.csv");
  file.write("a few bytes");
  const FullDisk full(4);
  EXPECT_EQ(message_of<SystemError>([&] {
              file.flush();
            }).rfind("write " + (folder / "a.csv").string() + ": File too large", 0),
            0u);
}

// What is left in the stream's buffer can fail as late as here.
TEST(Files, CommitReportsWhatCouldNotBeFlushed) {
  const TemporaryFolder folder;
  std::string message;
  {
    WholeFile file(folder / "a.csv");
    file.write("a few bytes");
    const FullDisk full(4);
    message = message_of<SystemError>([&] { file.commit(); });
  }
  EXPECT_TRUE(contains(message, (folder / "a.csv").string() + ": File too large"));
  EXPECT_TRUE(folder.empty());
}

TEST(Files, PartThatCannotTakeItsNameIsRemovedAndReported) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "taken");
  const std::string message =
      message_of<SystemError>([&] { write_whole(folder / "taken", "text"); });
  EXPECT_TRUE(contains(message, "rename " + (folder / "taken.part").string() + ": Is a directory"));
  EXPECT_FALSE(fs::exists(folder / "taken.part"));
  EXPECT_TRUE(fs::is_directory(folder / "taken"));
}

// Another user may have put it there, in a folder that others may write to.
TEST(Files, PartsDoNotFollowLinks) {
  const TemporaryFolder folder;
  write_whole(folder / "theirs", "text");
  const auto link = [&](const char* name) {
    fs::create_symlink(folder / "theirs", part_of(folder / name));
  };
  link("a");
  write_whole(folder / "a", "whole");
  link("b");
  GrowingFile(folder / "b").write("growing");
  link("c");
  EXPECT_TRUE(
      contains(message_of<SystemError>([&] { GrowingFile(folder / "c", 2); }), "symbolic link"));
  EXPECT_EQ(read_whole(folder / "theirs"), "text");
  EXPECT_EQ(read_whole(folder / "a"), "whole");
  EXPECT_EQ(read_whole(part_of(folder / "b")), "growing");
}

TEST(Files, ALockIsOnTheFileThatHasTheName) {
  const TemporaryFolder folder;
  const fs::path path = folder / "a";
  auto first = std::make_unique<FileLock>(path);
  EXPECT_TRUE(first->held());
  EXPECT_FALSE(FileLock(path).held());
  fs::remove(path);
  const FileLock second(path);
  EXPECT_TRUE(second.held()) << "of a new file";
  first.reset();
  EXPECT_FALSE(FileLock(path).held());
}

TEST(Files, CommitOfAPartThatIsGoneIsReported) {
  const TemporaryFolder folder;
  const std::string message = message_of<SystemError>([&] { commit_part(folder / "gone"); });
  EXPECT_TRUE(contains(
      message, "rename " + (folder / "gone.part").string() + ": No such file or directory"));
}

TEST(Files, ReadingWhatCannotBeReadFailsWithPathAndReason) {
  const TemporaryFolder folder;
  write_whole(folder / "file", "");
  fs::create_symlink("loop", folder / "loop");
  const std::string long_name(5000, 'x');
  const std::pair<fs::path, const char*> cases[] = {
      {folder / "none", "No such file or directory"},
      {folder / "file" / "below", "Not a directory"},
      {folder / ".", "is a folder"},
      {folder / "loop", "Too many levels of symbolic links"},
      {folder / long_name.c_str(), "File name too long"},
  };
  for (const auto& [path, reason] : cases) {
    const std::string message = message_of<SystemError>([&] { read_whole(path); });
    EXPECT_TRUE(contains(message, "read " + path.string() + ": " + reason));
  }
}

// Address 0 of this process is a place that opens well and cannot be read.
TEST(Files, FailureInTheMiddleOfReadingIsReported) {
  if (!fs::exists("/proc/self/mem")) GTEST_SKIP() << "no /proc";
  const std::string message = message_of<SystemError>([] { read_whole("/proc/self/mem"); });
  EXPECT_TRUE(contains(message, "read /proc/self/mem: Input/output error"));
}

}  // namespace
}  // namespace mote::engine
