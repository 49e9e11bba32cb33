#pragma once

#include <string_view>

namespace mote::render {

/// How bodies are drawn.
enum class Bodies { stars, spheres, fluid };

/// The way of drawing with this name in a scene file; stars for unknown names.
inline Bodies bodies_named(std::string_view name) {
  return name == "spheres" ? Bodies::spheres : name == "fluid" ? Bodies::fluid : Bodies::stars;
}

}  // namespace mote::render
