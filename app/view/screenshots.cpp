#include "app/view/screenshots.h"

#include <exception>

namespace mote::app {
namespace {

constexpr double movie_rate = 30, script_rate = 60;

/// A failed write does not end the program.
void report_error(WindowState& model, const std::exception& e) {
  model.notify(e.what());
  engine::log().error("{}", e.what());
}

}  // namespace

void Screenshots::screenshot(WindowState& model, const render::Surface& surface, bool scene_only) {
  if (!model.requests.screenshot || model.requests.screenshot_scene_only != scene_only ||
      surface.width() <= 0)
    return;
  try {
    render::write_png(*model.requests.screenshot, surface.read());
    model.written.push_back(*model.requests.screenshot);
    model.notify("screenshot: " + model.requests.screenshot->string());
    engine::log().info("screenshot: {}", model.requests.screenshot->string());
  } catch (const std::exception& e) {
    report_error(model, e);
  }
  model.requests.screenshot.reset();
}

void Screenshots::movie(WindowState& model, const render::Surface& surface, bool every_frame) {
  rate_ = every_frame ? script_rate : movie_rate;
  if (model.requests.record_toggle) toggle(model);
  if (!model.movie || surface.width() <= 0 || surface.height() <= 0) return;
  const auto now = std::chrono::steady_clock::now();
  if (!every_frame && std::chrono::duration<double>(now - last_).count() < 0.9 / movie_rate) return;
  last_ = now;
  // All frames of a movie have one size; those recorded so far are kept.
  if (model.movie->count() > 0 && (surface.width() != width_ || surface.height() != height_)) {
    toggle(model);
    model.notify("the window size has changed: the movie ends here");
    return;
  }
  width_ = surface.width();
  height_ = surface.height();
  try {
    model.movie->add(surface.read());
  } catch (const std::exception& e) {
    model.movie.reset();
    report_error(model, e);
  }
}

void Screenshots::finish(WindowState& model) {
  if (model.movie) toggle(model);
}

void Screenshots::toggle(WindowState& model) {
  try {
    if (model.movie) {
      const auto file = model.movie->finish();
      model.movie.reset();
      model.written.push_back(file);
      model.notify("movie: " + file.string());
      engine::log().info("movie: {}", file.string());
      return;
    }
    const auto file = model.movie_path.empty() ? free_name("movie", ".mp4") : model.movie_path;
    model.movie_path.clear();
    model.movie.emplace(file, rate_);
    model.notify("recording " + file.string() + "; F9 ends it");
  } catch (const std::exception& e) {
    model.movie.reset();
    report_error(model, e);
  }
}

}  // namespace mote::app
