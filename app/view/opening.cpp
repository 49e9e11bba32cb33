#include "app/view/opening.h"

#include <chrono>

#include "app/scenes.h"
#include "app/view/settings.h"
#include "engine/check.h"
#include "sim/run/checkpoint.h"

namespace mote::app {

namespace {

Opened open_scene(const OpenRequest& request) {
  Opened opened{
      request, sim::read_scene(find_scene(request.scene), request.settings, request.trust), {}, nullptr};
  opened.in_file = in_file(opened.scene, request.settings);
  opened.same = same_parameters(opened.scene, request.settings);
  opened.plan = sim::make_plan(opened.scene, request.options);
  opened.simulation = sim::open_simulation(opened.scene, opened.plan);
  return opened;
}

Opened open_checkpoint(const OpenRequest& request) {
  if (!request.settings.empty())
    throw engine::InputError(request.scene.string(),
                             "is a checkpoint: its parameters are those that it was written with",
                             "leave --set and --seed out, and change live parameters in the window");
  const sim::Checkpoint checkpoint = sim::read_checkpoint(request.scene);
  Opened opened{request, sim::scene_of(checkpoint), {}, nullptr};
  opened.past = checkpoint.edits;
  opened.plan = sim::make_plan(opened.scene, sim::options_of(checkpoint, request.options));
  opened.simulation = sim::open_checkpoint(checkpoint, opened.scene, opened.plan);
  return opened;
}

}  // namespace

Opened open(const OpenRequest& request) {
  const auto start = std::chrono::steady_clock::now();
  Opened opened = request.scene.extension() == ".h5" ? open_checkpoint(request) : open_scene(request);
  opened.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return opened;
}

Opener::~Opener() {
  if (future_.valid()) future_.wait();
}

void Opener::start(const OpenRequest& request) {
  request_ = request;
  again_ = future_.valid();
  if (!again_) begin();
}

void Opener::begin() {
  std::error_code problem;
  try {
    file_ = find_scene_or_checkpoint(request_.scene);
  } catch (const engine::InputError&) {
    file_ = request_.scene;  // opening says what is wrong
  }
  written_ = std::filesystem::last_write_time(file_, problem);
  future_ = std::async(std::launch::async, [request = request_] { return open(request); });
}

bool Opener::is_outdated() const {
  if (busy() || file_.empty()) return false;
  std::error_code problem;
  const auto written = std::filesystem::last_write_time(file_, problem);
  return !problem && written != written_;
}

std::optional<Opened> Opener::take() {
  if (!future_.valid() || future_.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return std::nullopt;
  if (!again_) return future_.get();
  again_ = false;
  try {
    future_.get();
  } catch (const std::exception&) {  // nobody wants it any more
  }
  begin();
  return std::nullopt;
}

}  // namespace mote::app
