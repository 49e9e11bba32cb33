#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/json.h"
#include "tests/support/temporary_folder.h"

namespace mote::test {

/// Result of a finished program: `code` is its exit code, or minus the signal that killed it.
struct Result {
  int code = 0;
  std::string out, err;
};

/// How to start the program. Arguments are passed without a shell.
struct Call {
  std::vector<std::string> arguments;
  std::filesystem::path folder = {};  ///< working directory; empty: that of the test
  std::map<std::string, std::string> environment = {};  ///< added to that of the test
  bool display = false;                          ///< may open windows on the display of the test
  std::optional<std::size_t> largest_file = {};  ///< bytes; larger writes fail as on a full disk
  std::optional<std::size_t> memory = {};        ///< limit of its address space [bytes]
  unsigned short columns = 80;                   ///< width of its terminal, where it has one
  std::filesystem::path output = {};  ///< file for standard output, instead of Result::out
  int ranks = 0;                  ///< processes that mpirun starts of it; 0: one, without mpirun
  std::string mpirun = "mpirun";  ///< a program with its arguments
};

/// A running mote process. Its output goes to files, so that it never blocks on a reader. The
/// destructor kills it if it is still running.
class Running {
 public:
  explicit Running(const Call& call);
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  void signal(int number) const;
  /// Processes that it has started and that have not ended.
  std::vector<pid_t> children() const;
  bool ended();
  /// Waits for the end.
  Result wait();

 private:
  TemporaryFolder output_;
  pid_t process_ = -1;
  std::optional<int> code_;
};

Result run(const Call& call);

/// Why there are no terminals to run in, or "".
std::string no_terminals();
/// The same with a terminal for input, output and errors; `out` has all that appears there.
Result run_on_terminal(const Call& call);

/// `mote` with these arguments in a folder.
Result mote(const std::filesystem::path& folder, const std::vector<std::string>& arguments);

std::string text_of(const std::filesystem::path& file);
std::vector<std::string> lines_of(const std::string& text);
engine::Json json_of(const std::filesystem::path& file);

/// Writes a file and returns its path.
std::filesystem::path write(const std::filesystem::path& file, const std::string& text);

/// Names of all files below a folder, relative to it, sorted.
std::vector<std::string> files_below(const std::filesystem::path& folder);

/// The first incomplete file below a folder, or "".
std::string first_partial_file(const std::filesystem::path& folder);

/// The state_hash of the run in a folder.
std::string hash_of(const std::filesystem::path& run_folder);

/// Why this machine cannot draw ("" if it can), and whether it can make movies, from `mote doctor`.
struct Drawing {
  std::string missing;
  bool movies = false;
};
Drawing drawing_here(const std::filesystem::path& folder);

/// Two bodies on a circle: a fast scene with a parameter `distance` that ends after 100 steps.
extern const char* const binary_scene;

/// Waits until a file exists, the program has ended, or a minute has passed. Returns true if the
/// file exists.
bool appears(const std::filesystem::path& file, Running& running);

}  // namespace mote::test
