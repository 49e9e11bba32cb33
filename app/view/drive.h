#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "app/view/script.h"
#include "app/view/window_state.h"

namespace mote::app {

/// Plays a script of user input, one command per line, frame by frame. A line that waits blocks the
/// following ones. docs/window.md describes the commands.
class Drive {
 public:
  /// Throws InputError with all invalid lines.
  explicit Drive(const std::filesystem::path& file);

  /// Plays one frame: appends input to `events` and runs commands. Throws InputError when an
  /// expectation fails.
  void next(WindowState& model, std::vector<render::InputEvent>& events);
  bool done() const { return line_index_ >= lines_.size(); }
  /// Whether this frame only waits. The number of such frames depends on the machine, so nothing
  /// may fade in them.
  bool waiting() const { return waiting_; }
  /// Whether this frame only goes on with a line that waits or counts frames.
  bool idle() const { return idle_; }
  /// Whether the script prints the cost of frames.
  bool reports() const;

 private:
  using Line = ScriptLine;
  bool play(WindowState& model, const Line& line, std::vector<render::InputEvent>& events);
  bool wait(WindowState& model, const Line& line);
  bool input(const Line& line, std::vector<render::InputEvent>& events);
  bool command(WindowState& model, const Line& line);
  bool change_view(WindowState& model, const Line& line);
  bool check_hash(WindowState& model, const Line& line);
  std::string actual(const WindowState& model, const Line& line) const;
  static std::string expected(const Line& line);
  void expect(const WindowState& model, const Line& line) const;
  [[noreturn]] void fail(const Line& line, const std::string& what) const;
  std::string location(const Line& line) const;

  std::string file_;
  std::vector<Line> lines_;
  std::size_t line_index_ = 0;
  std::int64_t waited_ = 0;
  bool waiting_ = false, idle_ = false;
  std::chrono::steady_clock::time_point since_;
  std::vector<std::pair<std::string, std::uint64_t>> hashes_;
};

}  // namespace mote::app
