#pragma once

#include <condition_variable>
#include <mutex>
#include <variant>
#include <vector>

#include "render/serve/message.h"

namespace mote::render::serve {

/// What pages ask for.
struct Demand {
  bool watched = false;  ///< at least one page is looked at
  bool room = false;     ///< at least one of these can take a frame
};

/// What the window's thread receives.
using Input = std::variant<InputEvent, ViewSize, Clipboard>;

/// The queue between the thread of the server and that of the window: input in order, and whether
/// frames are wanted.
class Exchange {
 public:
  /// The most that waits for the window's thread; a hand on a mouse makes fewer in a minute, since
  /// moves that follow each other are joined.
  static constexpr std::size_t most_waiting = 4096;

  // For the server.

  /// False if too much waits already, and this is lost.
  bool push(Input input);
  void set_demand(Demand demand);

  // For the window.

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
