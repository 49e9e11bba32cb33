#include "engine/read_process.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "engine/check.h"
#include "engine/packed.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"

namespace mote::engine {
namespace {

using test::Environment;
using test::message_of;
using test::TemporaryFolder;

constexpr ReadLimits limits{.seconds = 2, .timeout = 60, .memory = 1 << 20};

std::string frame(const std::string& bytes) {
  return Packer().text(bytes).bytes();  // a frame, like a text, is a length and bytes
}

/// Fake readers that send the right greeting and then do something else.
class ReadProcesses : public ::testing::Test {
 protected:
  /// A shell script whose standard input is the connection.
  std::filesystem::path program(const std::string& work) const {
    folder_.file("greeting", frame(reader_greeting()));
    const auto path = folder_.file(
        "reader", "#!/bin/sh\ncat '" + (folder_ / "greeting").string() + "' >&0\n" + work + "\n");
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }
  std::string answer(const std::string& bytes) const {
    return "head -c 1 >/dev/null\ncat '" + folder_.file("answer", bytes).string() +
           "' >&0\nexec sleep 100";
  }
  std::string message(const std::string& work, const ReadLimits& most = limits) const {
    return message_of<InputError>(
        [&] { ReadProcess(program(work)).call("a.h5", "request", most); });
  }

  TemporaryFolder folder_;
};

TEST_F(ReadProcesses, ThatDoNotSurviveAFileAreAFaultOfTheFile) {
  const std::string start = "a.h5: is damaged: reading it ends mote-read with ",
                    again = "; write or copy it again";
  EXPECT_EQ(message("kill -SEGV $$"), start + "segmentation fault" + again);
  EXPECT_EQ(message("kill -ABRT $$"), start + "aborted" + again);
  EXPECT_EQ(message("exit 3"), start + "an internal error" + again);
}

TEST_F(ReadProcesses, ThatTakeTooLongAreEnded) {
  const std::string too_long =
      "a.h5: is damaged: reading it takes too long; write or copy it again";
  EXPECT_EQ(message("kill -XCPU $$"), too_long);
  const ReadLimits soon{.seconds = 2, .timeout = 0.5, .memory = 1 << 20};
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(message("exec sleep 100", soon), too_long);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(50));
}

TEST_F(ReadProcesses, ThatAreEndedFromOutsideAreNoFaultOfTheFile) {
  const std::string text = message_of<SystemError>(
      [&] { ReadProcess(program("kill -TERM $$")).call("a.h5", "request", limits); });
  EXPECT_EQ(text, "read a.h5: mote-read was ended (terminated); try again");
  const std::string killed = message_of<SystemError>(
      [&] { ReadProcess(program("kill -KILL $$")).call("a.h5", "request", limits); });
  EXPECT_EQ(killed,
            "read a.h5: mote-read was killed, possibly for lack of memory; free some memory, and "
            "try again");
}

TEST_F(ReadProcesses, CannotMakeThisOneTakeMemory) {
  EXPECT_EQ(message(answer(std::string(8, '\x7f'))),
            "a.h5: is damaged: reading it ends mote-read with an internal error; write or copy "
            "it again");
  Packer list;  // of 2^40 numbers, which do not follow
  list.number(static_cast<char>(ReadAnswer::good)).number(std::uint64_t{1} << 40);
  ReadProcess reader(program(answer(frame(list.bytes()))));
  Unpacker short_list = reader.call("a.h5", "request", limits);
  EXPECT_EQ(message_of<InputError>([&] { short_list.list<double>(); }),
            "a.h5: the answer of mote-read about it is malformed");
}

TEST_F(ReadProcesses, ThatHaveEndedAreNotAskedAgain) {
  ReadProcess reader(program("exit 3"));
  EXPECT_NE(message_of<InputError>([&] { reader.call("a.h5", "request", limits); }), "");
  EXPECT_EQ(message_of<SystemError>([&] { reader.call("b.h5", "request", limits); }),
            "read b.h5: mote-read has ended; start another one");
}

TEST_F(ReadProcesses, OfAnotherMoteAreNotUsed) {
  const std::string text = message_of<SystemError>([&] { ReadProcess reader("/bin/true"); });
  EXPECT_NE(text.find("start /bin/true: it ended immediately"), std::string::npos) << text;
  folder_.file("greeting", "");
  const std::string none =
      message_of<SystemError>([&] { ReadProcess reader("/nowhere/mote-read"); });
  EXPECT_EQ(none,
            "start /nowhere/mote-read: No such file or directory; it is installed with mote; "
            "if it is elsewhere, set MOTE_READ to its path");
}

TEST_F(ReadProcesses, ReportThatMemoryDoesNotSuffice) {
  const std::string too_large(1, static_cast<char>(ReadAnswer::too_large));
  EXPECT_EQ(message(answer(frame(too_large))),
            "a.h5: is damaged, or too large: reading it takes more than 1.0 MiB; write or copy it "
            "again");
}

/// The soft limit of a process, from /proc/PID/limits.
std::string limit_of(pid_t process, const std::string& name) {
  std::ifstream table("/proc/" + std::to_string(process) + "/limits");
  for (std::string line; std::getline(table, line);)
    if (line.starts_with(name)) return line.substr(26, line.find(' ', 26) - 26);
  return "";
}

TEST_F(ReadProcesses, HaveLimitsOfTimeMemoryAndFiles) {
  const auto file = folder_.file("a.h5", "no HDF5");
  ReadProcess reader(reader_program());
  const std::string path = "/proc/self/task/" + std::to_string(::gettid()) + "/children";
  pid_t process = 0;
  if (!(std::ifstream(path) >> process)) GTEST_SKIP() << "the system does not list child processes";
  const std::string request = Packer().text("open").text(file.string()).bytes();
  EXPECT_NE(message_of<InputError>([&] {
              reader.call(file, request, {2, 60, std::uint64_t{1} << 30});
            }),
            "");
  EXPECT_EQ(limit_of(process, "Max core file size"), "0");
  EXPECT_EQ(limit_of(process, "Max file size"), "0");
  EXPECT_EQ(limit_of(process, "Max open files"), "32");
  // 2 s, plus what was used before, rounded up to a full second.
  EXPECT_LE(std::stoi(limit_of(process, "Max cpu time")), 5);
  EXPECT_NE(limit_of(process, "Max address space"), "unlimited");
}

/// The real reader, with a wrapper that appends a byte to a file at each start.
TEST_F(ReadProcesses, AreSharedByTheFilesOfASession) {
  const std::filesystem::path starts = folder_ / "starts",
                              counted = folder_.file(
                                  "counted", "#!/bin/sh\necho >>'" + starts.string() + "'\nexec '" +
                                                 reader_program().string() + "'\n");
  std::filesystem::permissions(counted, std::filesystem::perms::owner_all);
  const Environment program("MOTE_READ", counted.c_str());
  const auto file = folder_.file("a.h5", "");
  const auto refused = [&] {
    const std::string request = Packer().text("open").text(file.string()).bytes();
    EXPECT_NE(message_of<InputError>([&] { ReadSession().call(file, request, read_limits(file)); }),
              "");
  };
  const auto good = [&] {
    const std::string kepler = test::source_dir() + "/tests/fuzz/corpus/gadget/kepler.h5";
    ReadSession().call(kepler, Packer().text("open").text(kepler).bytes(), read_limits(kepler));
  };
  const auto count = [&] { return std::filesystem::file_size(starts); };
  {
    const ReadSession all;
    for (int i = 0; i < 5; ++i) good();
    EXPECT_EQ(count(), 1u);
    refused();
    EXPECT_EQ(count(), 1u);
    good();  // a new reader after a refused file
    EXPECT_EQ(count(), 2u);
  }
  good();
  EXPECT_EQ(count(), 3u);
}

}  // namespace
}  // namespace mote::engine
