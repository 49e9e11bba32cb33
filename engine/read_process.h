#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "engine/packed.h"

namespace mote::engine {

/// mote-read is a small program that reads files for mote with libraries that may not survive a
/// damaged or hostile one: HDF5, and assimp for meshes. What ends it, or keeps it, does no harm
/// here. It answers requests of one process, one after the other, until that closes the connection.

/// What the reading of one file may take.
struct ReadLimits {
  double seconds;   ///< of the processor; 0: what the requests before have left
  double patience;  ///< seconds of the clock without an answer: machines may be busy, and disks
                    ///< slow
  std::uint64_t memory;  ///< bytes, beside what the program has when it starts
};

/// How an answer begins: what was asked for follows, or problem and remedy, or nothing.
enum class ReadAnswer : char { good, wrong, too_large };

/// Enough for any good file of this length, deflated ones among them.
ReadLimits limits_of_reading(const std::filesystem::path& file);

/// The program: the file that MOTE_READ names, else the one that was installed with this code, else
/// that of the build folder.
std::filesystem::path read_program();

/// What the reader says first, so that one of another mote is noticed.
std::string read_greeting();

/// One reader. Not for several threads at once.
class ReadProcess {
 public:
  /// Throws SystemError when the program cannot be started, or is another one.
  explicit ReadProcess(const std::filesystem::path& program);
  ~ReadProcess();
  ReadProcess(const ReadProcess&) = delete;
  ReadProcess& operator=(const ReadProcess&) = delete;

  /// Sends a request about a file and waits for its answer. Throws InputError at the file for what
  /// the reader finds wrong with it, and when the reader does not survive it, takes too much memory
  /// or too long; SystemError when the machine fails. Whatever it threw, this reader is not to be
  /// asked again.
  Unpacker ask(const std::filesystem::path& file, std::string_view request,
               const ReadLimits& limits);

 private:
  bool send(std::string_view bytes);
  bool receive(char* to, std::size_t size, double patience);
  bool receive(std::string& answer, double patience, std::uint64_t longest);
  [[noreturn]] void ended(const std::filesystem::path& file);
  int wait() noexcept;

  pid_t process_ = -1;
  int connection_ = -1;
  bool too_long_ = false, nonsense_ = false;
};

/// As long as one lives, files that its thread reads share a reader; inner ones use that of the
/// outermost. It starts when it is first needed, and again after a file was refused, because what a
/// damaged file leaves behind in it is not known.
class ReadSession {
 public:
  ReadSession();
  ~ReadSession();
  ReadSession(const ReadSession&) = delete;
  ReadSession& operator=(const ReadSession&) = delete;

  /// As ReadProcess::ask does.
  Unpacker ask(const std::filesystem::path& file, std::string_view request,
               const ReadLimits& limits);
};

}  // namespace mote::engine
