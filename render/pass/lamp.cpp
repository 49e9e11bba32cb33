#include "render/pass/lamp.h"

#include <glm/geometric.hpp>

#include "render/gl/uniforms.h"

namespace mote::render {
namespace {

constexpr GLuint map_unit = 7;  // texture unit

}  // namespace

glm::vec3 to_lamp() {
  return glm::normalize(glm::vec3(-0.55f, 0.68f, 0.6f));  // lighting.glsl has the same
}

void set_shadows(const ProgramHandle& program, const Lens& lens) {
  if (!lens.shadows) return;
  set(program, "lamp_map", lens.shadows->to_map);
  set(program, "lamp_texel", lens.shadows->texel);
  set(program, "lamp_taken", lens.shadows->strength);
  set(program, "lamp_depths", static_cast<int>(map_unit));
  glBindTextureUnit(map_unit, lens.shadows->map);
}

}  // namespace mote::render
