#pragma once

#include <deque>
#include <span>
#include <vector>

#include "render/input.h"

struct ImGuiIO;

namespace mote::render::ui {

/// Feeds InputEvents to Dear ImGui, which samples buttons and keys once a frame: events that would
/// cancel or overtake an earlier one of the same frame are deferred to the next.
class EventFeed {
 public:
  /// Registers our key codes with ImGui. Call once for each context.
  static void map_keys(ImGuiIO& io);

  void add(std::span<const InputEvent> events) {
    waiting_.insert(waiting_.end(), events.begin(), events.end());
  }
  /// Call before a frame: applies the events of this frame to `io` and returns them in order.
  std::vector<InputEvent> feed(ImGuiIO& io);
  bool empty() const { return waiting_.empty(); }

 private:
  std::deque<InputEvent> waiting_;
};

}  // namespace mote::render::ui
