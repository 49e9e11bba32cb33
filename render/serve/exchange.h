#pragma once

#include <condition_variable>
#include <mutex>
#include <variant>
#include <vector>

#include "render/serve/message.h"

namespace mote::render::serve {

/// Demand says whether pages want frames.
struct Demand {
  bool watched = false;    ///< at least one page is looked at
  bool room = false;       ///< at least one of these can take a frame
  bool h264 = false;       ///< it is only one, and decodes H.264
  bool key_frame = false;  ///< this one lacks frames that the next one of H.264 would need

  bool operator==(const Demand&) const = default;
};

/// The window's thread receives inputs of these types.
using Input = std::variant<InputEvent, ViewSize, Clipboard>;

/// The Exchange is the queue between the server's thread and the window's: it keeps input in order,
/// and says whether frames are wanted.
class Exchange {
 public:
  /// At most this many inputs wait for the window's thread; a hand on a mouse makes fewer in a
  /// minute, since consecutive moves are joined.
  static constexpr std::size_t most_waiting = 4096;

  // The server's thread calls these.

  /// Returns false, and drops the input, if too much waits already. `always`: does not drop it, for
  /// what ends something, of which there is as much as was begun.
  bool push(Input input, bool always = false);
  void set_demand(Demand demand);

  // The window's thread calls these.

  /// Takes all input. If there is none, waits for it for at most this long, or, with `for_room`,
  /// until a frame is wanted.
  std::vector<Input> take(double seconds, bool for_room);
  Demand demand() const;

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Input> waiting_;
  Demand demand_;
};

}  // namespace mote::render::serve
