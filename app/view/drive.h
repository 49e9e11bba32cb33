#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "app/view/model.h"

namespace mote::app {

/// A script of what a user does, a line each, played frame by frame. Words of a line are separated by blanks; text behind
/// `#` is left out. Where a line waits, nothing behind it happens before.
///
///     frames N                    lets N frames pass
///     settle                      waits until nothing is going on: commands done, the frame shown is that of now
///     reach STEP                  waits until the simulation has come to a step
///     key Ctrl+Shift+S            presses and releases a key; hold KEY N: holds it for N frames
///     move X Y                    the mouse, in pixels from the upper left corner
///     click X Y [left|right|middle], double X Y, drag X1 Y1 X2 Y2 [button], wheel X Y AMOUNT, type TEXT
///     run, pause, step N, seek STEP, rate TIME, reset, open SCENE, frame-all
///     set PATH VALUE              a parameter, as --set does, live where that can be
///     color NAME, size W H, pick COLUMN, panels on|off, show statistics|log|help on|off
///     camera DISTANCE AZIMUTH ELEVATION
///     screenshot FILE [scene]     with panels, or the scene alone
///     record FILE, record stop
///     hash NAME                   remembers the hash of the state; same NAME: it must be the remembered one
///     expect WHAT VALUE           ends with exit code 2 when it is something else; WHAT: step, mode, branch, bodies, body,
///                                 path, host-bytes, error (a part of it), or a live parameter
///     await WHAT VALUE            waits until it is so, two minutes at most
///     report                      prints a line of speeds and times, averages over the last second or so
///     quit
class Drive {
 public:
  /// Throws InputError with all lines that are wrong.
  explicit Drive(const std::filesystem::path& file);

  /// What happens in this frame: input is added to `events`, commands are done. Throws InputError when an
  /// expectation is not met.
  void next(Model& model, std::vector<render::InputEvent>& events);
  bool done() const { return at_ >= lines_.size(); }

 private:
  struct Line {
    int number;
    std::vector<std::string> words;
  };
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
  std::chrono::steady_clock::time_point since_;
  std::vector<std::pair<std::string, std::uint64_t>> hashes_;
};

}  // namespace mote::app
