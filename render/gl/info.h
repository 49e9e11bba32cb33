#pragma once

#include <string>

namespace mote::render {

/// The OpenGL driver. `problem` is empty if a context could be made; otherwise the rest is empty.
struct GlInfo {
  std::string vendor, renderer, version, problem;
};

}  // namespace mote::render
