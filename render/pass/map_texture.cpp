#include "render/pass/map_texture.h"

#include <array>

namespace mote::render {

TextureHandle texture_of(const ColorMap& map) {
  std::array<float, 4 * 256> linear{};
  for (std::size_t i = 0; i < map.entries.size(); ++i) {
    const Color& color = map.entries[i];
    linear[4 * i] = linear_of(color.red);
    linear[4 * i + 1] = linear_of(color.green);
    linear[4 * i + 2] = linear_of(color.blue);
    linear[4 * i + 3] = 1;
  }
  TextureHandle texture = make_texture(GL_TEXTURE_1D);
  glTextureStorage1D(texture.name(), 1, GL_RGBA32F, 256);
  glTextureSubImage1D(texture.name(), 0, 0, 256, GL_RGBA, GL_FLOAT, linear.data());
  const GLint filter = map.separate ? GL_NEAREST : GL_LINEAR;
  glTextureParameteri(texture.name(), GL_TEXTURE_MIN_FILTER, filter);
  glTextureParameteri(texture.name(), GL_TEXTURE_MAG_FILTER, filter);
  glTextureParameteri(texture.name(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  return texture;
}

}  // namespace mote::render
