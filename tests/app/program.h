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

/// What a finished program left: `code` is its exit code, or minus the signal that ended it.
struct Result {
  int code = 0;
  std::string out, err;
};

/// How the program is called. Arguments go to it as they are, no shell reads them.
struct Call {
  std::vector<std::string> arguments;
  std::filesystem::path folder = {};  ///< working directory; empty: that of the test
  std::map<std::string, std::string> environment = {};  ///< beside that of the test
  bool display = false;                          ///< may open windows on the display of the test
  std::optional<std::size_t> largest_file = {};  ///< bytes; writing more fails as on a full disk
  std::optional<std::size_t> memory = {};        ///< bytes of addresses that it may have
  std::filesystem::path output = {};             ///< instead of what Result::out is read from
};

/// A mote that runs; its output goes to files, so that it never waits for a reader. It is ended
/// when it lives on.
class Running {
 public:
  explicit Running(const Call& call);
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  void signal(int number) const;
  bool ended();
  /// Waits for the end.
  Result wait();

 private:
  TemporaryFolder output_;
  pid_t process_ = -1;
  std::optional<int> code_;
};

Result run(const Call& call);

/// `mote` with these arguments in a folder.
Result mote(const std::filesystem::path& folder, const std::vector<std::string>& arguments);

std::string text_of(const std::filesystem::path& file);
std::vector<std::string> lines_of(const std::string& text);
engine::Json json_of(const std::filesystem::path& file);

/// Writes a file and returns its path.
std::filesystem::path write(const std::filesystem::path& file, const std::string& text);

/// Names of all files below a folder, relative to it, sorted.
std::vector<std::string> files_below(const std::filesystem::path& folder);

/// "" or the first file below a folder that is not whole.
std::string first_partial_file(const std::filesystem::path& folder);

/// The state_hash of the run in a folder.
std::string hash_of(const std::filesystem::path& run_folder);

/// Why this machine draws nothing, "" where it does, and whether it makes movies, as `mote doctor`
/// says.
struct Drawing {
  std::string missing;
  bool movies = false;
};
Drawing drawing_here(const std::filesystem::path& folder);

/// Two bodies on a circle: a scene that takes no time, with a parameter `distance` and an end after
/// 100 steps.
extern const char* const binary_scene;

/// Waits until a file is there, or the program has ended, or a minute has passed; whether the file
/// is there.
bool appears(const std::filesystem::path& file, Running& running);

}  // namespace mote::test
