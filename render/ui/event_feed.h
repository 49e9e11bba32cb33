#pragma once

#include <deque>
#include <span>
#include <vector>

#include "render/input.h"

struct ImGuiIO;

namespace mote::render::ui {

/// Feeds InputEvents to Dear ImGui, which looks at the state of buttons and keys once a frame: what
/// would be undone or overtaken within a frame waits for the next one.
class EventFeed {
 public:
  /// Tells ImGui which of our keys are its own. Once for each context.
  static void map_keys(ImGuiIO& io);

  void add(std::span<const InputEvent> events) {
    waiting_.insert(waiting_.end(), events.begin(), events.end());
  }
  /// Before a frame: sets what ImGui shall see in it. Returns the events that were used up, in
  /// their order.
  std::vector<InputEvent> feed(ImGuiIO& io);
  bool empty() const { return waiting_.empty(); }

 private:
  std::deque<InputEvent> waiting_;
};

}  // namespace mote::render::ui
