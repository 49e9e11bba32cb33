#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "engine/check.h"
#include "engine/packed.h"

namespace mote::engine {

/// mote-read is a small program that reads files for mote with libraries that a damaged or
/// malicious file may crash: HDF5. Its crashes and hangs do no harm here. It
/// serves the requests of one process, in order, until the connection is closed.

/// Limits for reading one file.
struct ReadLimits {
  double seconds;        ///< CPU time; 0: what earlier requests have left
  double timeout;        ///< wall time without an answer [s]: machines may be busy, and disks slow
  std::uint64_t memory;  ///< bytes beyond what the program uses when it starts
};

/// First byte of an answer. It is followed by the data; by problem and remedy; or by nothing.
enum class ReadAnswer : char { good, wrong, too_large };

/// Limits that are enough for any valid file of this length, compressed ones included.
ReadLimits read_limits(const std::filesystem::path& file);

/// Path of mote-read: MOTE_READ if set, else the one beside the program or library, else the
/// installed one, else that of the build folder.
std::filesystem::path reader_program();

/// First message of the reader; detects a mote-read of another version.
std::string reader_greeting();

/// mote-read itself has failed: no fault of a file.
struct ReaderFailure : SystemError {
  using SystemError::SystemError;
};

/// One reader process. Not thread-safe.
class ReadProcess {
 public:
  /// Throws SystemError if the program cannot be started or has another version.
  explicit ReadProcess(const std::filesystem::path& program);
  ~ReadProcess();
  ReadProcess(const ReadProcess&) = delete;
  ReadProcess& operator=(const ReadProcess&) = delete;

  /// Sends a request about a file and waits for the answer. Throws InputError at the file for
  /// problems in it, and if the reader crashes or exceeds its limits; SystemError if the machine
  /// fails. After an exception this reader must not be used again.
  Unpacker call(const std::filesystem::path& file, std::string_view request,
                const ReadLimits& limits);

 private:
  bool send(std::string_view bytes);
  bool receive(char* to, std::size_t size, double timeout);
  bool receive(std::string& answer, double timeout, std::uint64_t longest);
  [[noreturn]] void throw_no_answer(const std::filesystem::path& file);
  int wait() noexcept;

  pid_t process_ = -1;
  int connection_ = -1;
  bool timed_out_ = false, malformed_ = false;
};

/// While a session lives, files that its thread reads share a reader; nested sessions use that of
/// the outermost. The reader starts when first needed, and is restarted after a refused file, whose
/// effects on it are unknown.
class ReadSession {
 public:
  ReadSession();
  ~ReadSession();
  ReadSession(const ReadSession&) = delete;
  ReadSession& operator=(const ReadSession&) = delete;

  /// Like ReadProcess::call.
  Unpacker call(const std::filesystem::path& file, std::string_view request,
                const ReadLimits& limits);
};

}  // namespace mote::engine
