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
  AtomicFile file(path);
  file.write("one,");
  file.write("two\n");
  EXPECT_FALSE(fs::exists(path));
  EXPECT_TRUE(fs::exists(part_of(path)));
  file.commit();
  EXPECT_EQ(read_file(path), "one,two\n");
  EXPECT_FALSE(fs::exists(part_of(path)));
}

TEST(Files, CommittedFileStaysWhenItsWriterEnds) {
  const TemporaryFolder folder;
  { AtomicFile(folder / "empty").commit(); }
  EXPECT_EQ(read_file(folder / "empty"), "");
}

TEST(Files, WholeFileWithoutCommitLeavesNothing) {
  const TemporaryFolder folder;
  const auto interrupted = [&] {
    AtomicFile file(folder / "a.csv");
    file.write(std::string(100000, 'x'));
    throw std::runtime_error("interrupted");
  };
  EXPECT_THROW(interrupted(), std::runtime_error);
  EXPECT_TRUE(folder.empty());
}

TEST(Files, FormerFileStaysUntilTheNewOneIsWhole) {
  const TemporaryFolder folder;
  const fs::path path = folder / "a.csv";
  write_file(path, "old");
  {
    AtomicFile file(path);
    file.write("half");
    file.flush();
    EXPECT_EQ(read_file(path), "old");
  }
  EXPECT_EQ(read_file(path), "old");
  write_file(path, "new");
  EXPECT_EQ(read_file(path), "new");
}

TEST(Files, FlushedTextIsSeenByReadersOfThePart) {
  const TemporaryFolder folder;
  AtomicFile file(folder / "a.csv");
  file.write("line\n");
  file.flush();
  EXPECT_EQ(read_file(part_of(folder / "a.csv")), "line\n");
}

TEST(Files, BytesAreWrittenAndReadAsTheyAre) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 300000; ++i)
    text += static_cast<char>(i * 7 % 256);  // zeros and line ends among them
  for (std::size_t size : {0u, 1u, 65535u, 65536u, 65537u, 300000u}) {
    write_file(folder / "bytes", std::string_view(text).substr(0, size));
    EXPECT_TRUE(read_file(folder / "bytes") == text.substr(0, size)) << size;
  }
}

TEST(Files, OpeningBelowARegularFileFailsWithPathAndReason) {
  const TemporaryFolder folder;
  write_file(folder / "file", "");
  const fs::path path = folder / "file" / "a.csv";
  const std::string message = message_of<SystemError>([&] { AtomicFile{path}; });
  EXPECT_TRUE(contains(
      message, "open " + path.string() + ": Not a directory; check that the folder exists"));
}

TEST(Files, OpeningInAMissingFolderFailsWithPathAndReason) {
  const TemporaryFolder folder;
  const std::string message =
      message_of<SystemError>([&] { AtomicFile{folder / "none" / "a.csv"}; });
  EXPECT_TRUE(
      contains(message, (folder / "none" / "a.csv").string() + ": No such file or directory"));
}

TEST(Files, FullDiskFailsWithPathAndReasonAndLeavesNothing) {
  const TemporaryFolder folder;
  // Smaller and larger than a stream's buffer.
  for (std::size_t size : {std::size_t{5000}, std::size_t{1} << 20}) {
    std::string message;
    {
      const FullDisk full(4096);
      message =
          message_of<SystemError>([&] { write_file(folder / "a.csv", std::string(size, 'x')); });
    }
    EXPECT_EQ(message.rfind("write " + (folder / "a.csv").string() + ": File too large; check", 0),
              0u)
        << message;
    EXPECT_TRUE(folder.empty());
  }
}

TEST(Files, FlushReportsWhatCouldNotBeWritten) {
  const TemporaryFolder folder;
  AtomicFile file(folder / "a.csv");
  file.write("a few bytes");
  const FullDisk full(4);
  EXPECT_EQ(message_of<SystemError>([&] {
              file.flush();
            }).rfind("write " + (folder / "a.csv").string() + ": File too large", 0),
            0u);
}

// Writing the rest of the stream's buffer can fail as late as in commit.
TEST(Files, CommitReportsWhatCouldNotBeFlushed) {
  const TemporaryFolder folder;
  std::string message;
  {
    AtomicFile file(folder / "a.csv");
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
      message_of<SystemError>([&] { write_file(folder / "taken", "text"); });
  EXPECT_TRUE(contains(message, "rename " + (folder / "taken.part").string() + ": Is a directory"));
  EXPECT_FALSE(fs::exists(folder / "taken.part"));
  EXPECT_TRUE(fs::is_directory(folder / "taken"));
}

// In a world-writable folder, another user may have created the link.
TEST(Files, PartsDoNotFollowLinks) {
  const TemporaryFolder folder;
  write_file(folder / "theirs", "text");
  const auto link = [&](const char* name) {
    fs::create_symlink(folder / "theirs", part_of(folder / name));
  };
  link("a");
  write_file(folder / "a", "whole");
  link("b");
  AppendFile(folder / "b").write("growing");
  link("c");
  EXPECT_TRUE(
      contains(message_of<SystemError>([&] { AppendFile(folder / "c", 2); }), "symbolic link"));
  EXPECT_EQ(read_file(folder / "theirs"), "text");
  EXPECT_EQ(read_file(folder / "a"), "whole");
  EXPECT_EQ(read_file(part_of(folder / "b")), "growing");
}

TEST(Files, ALockIsOnTheFileThatHasTheName) {
  const TemporaryFolder folder;
  const fs::path path = folder / "a";
  auto first = std::make_unique<FileLock>(path);
  EXPECT_TRUE(first->held());
  EXPECT_FALSE(FileLock(path).held());
  fs::remove(path);
  const FileLock second(path);
  EXPECT_TRUE(second.held()) << "on a new file";
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
  write_file(folder / "file", "");
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
    const std::string message = message_of<SystemError>([&] { read_file(path); });
    EXPECT_TRUE(contains(message, "read " + path.string() + ": " + reason));
  }
}

// /proc/self/mem can be opened, but address 0 cannot be read.
TEST(Files, FailureInTheMiddleOfReadingIsReported) {
  if (!fs::exists("/proc/self/mem")) GTEST_SKIP() << "no /proc";
  const std::string message = message_of<SystemError>([] { read_file("/proc/self/mem"); });
  EXPECT_TRUE(contains(message, "read /proc/self/mem: Input/output error"));
}

}  // namespace
}  // namespace mote::engine
