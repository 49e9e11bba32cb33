#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "render/gl/handle.h"
#include "render/pass/lens.h"

namespace mote::render {

/// Towards the key lamp of lighting.glsl, in the camera's axes. The lamp goes with the camera: what
/// faces the viewer is lit from every side, and shadows fall away from the viewer, to the lower
/// right, where they show what is before what.
glm::vec3 to_lamp();

/// The parallel view from the lamp, for what casts shadows. Lengths are those of Lens::unit_view().
struct LampView {
  glm::mat4 view{1};           ///< to the lamp's axes: x right, y up, z towards it
  glm::mat4 projection{1};     ///< depth grows towards the lamp
  glm::vec4 clip{0, 0, 0, 1};  ///< plane in these axes: what it hides casts no shadow
  bool clipped = false;        ///< there is such a plane
  float unit = 1;              ///< factor from world lengths
  float least = 0;             ///< smallest radius that covers texels
};

/// Names the file with `lamp_seen` for shaders of what is lit.
inline const char* lamp_shader(bool shadowed) {
  return shadowed ? "lamp_shadow.glsl" : "lamp_clear.glsl";
}
/// Sets the uniforms of that file.
void set_shadows(const ProgramHandle& program, const Lens& lens);

}  // namespace mote::render
