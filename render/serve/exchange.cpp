#include "render/serve/exchange.h"

#include <chrono>
#include <utility>

namespace mote::render::serve {
namespace {

bool is_move(const Input& input) {
  const auto* event = std::get_if<InputEvent>(&input);
  return event && event->kind == InputEvent::Kind::mouse_move;
}

}  // namespace

bool Exchange::push(Input input, bool always) {
  {
    const std::lock_guard lock(mutex_);
    if (!waiting_.empty() && is_move(waiting_.back()) && is_move(input)) {
      waiting_.back() = std::move(input);
    } else {
      if (waiting_.size() >= most_waiting && !always) return false;
      waiting_.push_back(std::move(input));
    }
  }
  changed_.notify_one();
  return true;
}

void Exchange::set_demand(Demand demand) {
  {
    const std::lock_guard lock(mutex_);
    if (demand == demand_) return;
    demand_ = demand;
  }
  changed_.notify_one();
}

std::vector<Input> Exchange::take(double seconds, bool for_room) {
  std::unique_lock lock(mutex_);
  const bool watched = demand_.watched;
  changed_.wait_for(lock, std::chrono::duration<double>(seconds), [&] {
    // A page that opens is a reason to draw.
    return !waiting_.empty() || (for_room && demand_.room) || (demand_.watched && !watched);
  });
  return std::exchange(waiting_, {});
}

Demand Exchange::demand() const {
  const std::lock_guard lock(mutex_);
  return demand_;
}

}  // namespace mote::render::serve
