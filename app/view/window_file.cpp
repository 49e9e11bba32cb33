#include "app/view/window_file.h"

#include <cstdlib>
#include <utility>

#include "engine/files.h"
#include "engine/log.h"

namespace mote::app {

namespace fs = std::filesystem;

fs::path usual_window_file() {
  const auto folder = [](const char* name) {
    const char* value = std::getenv(name);
    return value && *value ? fs::path(value) : fs::path();
  };
  if (const fs::path config = folder("XDG_CONFIG_HOME"); config.is_absolute())
    return config / "mote" / "window.json";
  const fs::path home = folder("HOME");
  return home.empty() ? home : home / ".config" / "mote" / "window.json";
}

WindowFile::WindowFile(fs::path path, Panels& panels) : path_(std::move(path)) {
  std::error_code none;
  if (!path_.empty() && fs::exists(path_, none)) {
    try {
      panels.places = places_in(engine::read_file(path_), path_.string(), panels.standard);
    } catch (const std::exception& e) {
      engine::log().warn("{}; panels are where they are at first", e.what());
    }
  }
  written_ = last_ = panels.places;
}

void WindowFile::update(const Panels& panels) {
  if (panels.places == last_) return finish(panels);
  last_ = panels.places;
}

void WindowFile::finish(const Panels& panels) {
  if (path_.empty() || panels.places == written_) return;
  written_ = panels.places;
  write(panels);
}

void WindowFile::write(const Panels& panels) {
  try {
    if (path_.has_parent_path()) fs::create_directories(path_.parent_path());
    engine::write_file(path_, text_of(panels.places));
  } catch (const std::exception& e) {
    engine::log().warn("{}; the places of panels are not kept", e.what());
    path_.clear();
  }
}

}  // namespace mote::app
