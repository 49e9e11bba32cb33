#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "app/view/model.h"
#include "app/view/script.h"

namespace mote::app {

/// A script of what a user does, a line each, played frame by frame. Where a line waits, nothing
/// behind it happens before. docs/window.md says what each command does.
class Drive {
 public:
  /// Throws InputError with all lines that are wrong.
  explicit Drive(const std::filesystem::path& file);

  /// What happens in this frame: input is added to `events`, commands are done. Throws InputError
  /// when an expectation is not met.
  void next(Model& model, std::vector<render::InputEvent>& events);
  bool done() const { return at_ >= lines_.size(); }
  /// This frame passes only because the machine is not ready: how many there are depends on it, so
  /// nothing fades in them.
  bool waiting() const { return waiting_; }

 private:
  using Line = ScriptLine;
  bool play(Model& model, const Line& line, std::vector<render::InputEvent>& events);
  bool wait(Model& model, const Line& line);
  bool input(const Line& line, std::vector<render::InputEvent>& events);
  bool command(Model& model, const Line& line);
  bool look(Model& model, const Line& line);
  bool check_hash(Model& model, const Line& line);
  std::string is(const Model& model, const Line& line) const;
  static std::string wanted_of(const Line& line);
  void expect(const Model& model, const Line& line) const;
  [[noreturn]] void fail(const Line& line, const std::string& what) const;
  std::string place(const Line& line) const;

  std::string file_;
  std::vector<Line> lines_;
  std::size_t at_ = 0;
  std::int64_t waited_ = 0;
  bool waiting_ = false;
  std::chrono::steady_clock::time_point since_;
  std::vector<std::pair<std::string, std::uint64_t>> hashes_;
};

}  // namespace mote::app
