#include "app/view/camera_roll.h"

#include <exception>

namespace mote::app {
namespace {

constexpr double movie_rate = 30, script_rate = 60;

/// What could not be written is no reason to end.
void tell(Model& model, const std::exception& e) {
  model.say(e.what());
  engine::log().error("{}", e.what());
}

}  // namespace

void CameraRoll::screenshot(Model& model, const render::Surface& surface, bool scene_only) {
  if (!model.wanted.screenshot || model.wanted.screenshot_scene_only != scene_only ||
      surface.width() <= 0)
    return;
  try {
    render::write_png(*model.wanted.screenshot, surface.read());
    model.say("screenshot: " + model.wanted.screenshot->string());
    engine::log().info("screenshot: {}", model.wanted.screenshot->string());
  } catch (const std::exception& e) {
    tell(model, e);
  }
  model.wanted.screenshot.reset();
}

void CameraRoll::movie(Model& model, const render::Surface& surface, bool every_frame) {
  rate_ = every_frame ? script_rate : movie_rate;
  if (model.wanted.record_toggle) toggle(model);
  if (!model.movie || surface.width() <= 0 || surface.height() <= 0) return;
  const auto now = std::chrono::steady_clock::now();
  if (!every_frame && std::chrono::duration<double>(now - last_).count() < 0.9 / movie_rate) return;
  last_ = now;
  // All frames of a movie have one size: what was recorded until then is kept.
  if (model.movie->count() > 0 && (surface.width() != width_ || surface.height() != height_)) {
    toggle(model);
    model.say("the size of the window has changed: the movie ends here");
    return;
  }
  width_ = surface.width();
  height_ = surface.height();
  try {
    model.movie->add(surface.read());
  } catch (const std::exception& e) {
    model.movie.reset();
    tell(model, e);
  }
}

void CameraRoll::finish(Model& model) {
  if (model.movie) toggle(model);
}

void CameraRoll::toggle(Model& model) {
  try {
    if (model.movie) {
      const auto file = model.movie->finish();
      model.movie.reset();
      model.say("movie: " + file.string());
      engine::log().info("movie: {}", file.string());
      return;
    }
    const auto file = model.movie_path.empty() ? free_name("movie", ".mp4") : model.movie_path;
    model.movie_path.clear();
    model.movie.emplace(file, rate_);
    model.say("recording " + file.string() + "; F9 ends it");
  } catch (const std::exception& e) {
    model.movie.reset();
    tell(model, e);
  }
}

}  // namespace mote::app
