#include "app/view/opening.h"

#include <chrono>

#include "app/scenes.h"

namespace mote::app {

Opened open(const OpenRequest& request) {
  const auto start = std::chrono::steady_clock::now();
  Opened opened{request, sim::read_scene(find_scene(request.scene), request.settings), {}, nullptr};
  opened.plan = sim::make_plan(opened.scene, request.options);
  opened.simulation = sim::open_simulation(opened.scene, opened.plan);
  opened.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return opened;
}

Opener::~Opener() {
  if (future_.valid()) future_.wait();
}

void Opener::start(const OpenRequest& request) {
  if (future_.valid()) future_.wait();
  request_ = request;
  future_ = std::async(std::launch::async, [request] { return open(request); });
}

std::optional<Opened> Opener::take() {
  if (!future_.valid() || future_.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return std::nullopt;
  return future_.get();
}

}  // namespace mote::app
