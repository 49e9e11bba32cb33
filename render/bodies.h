#pragma once

#include <string_view>

namespace mote::render {

/// How bodies are drawn.
enum class Bodies { stars, spheres, fluid };

/// As a scene names it; stars for what has no name.
inline Bodies bodies_named(std::string_view name) {
  return name == "spheres" ? Bodies::spheres : name == "fluid" ? Bodies::fluid : Bodies::stars;
}

}  // namespace mote::render
