#include "render/pass/lit_tiles.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/check.h"
#include "render/gl/compute.h"
#include "render/gl/uniforms.h"

namespace mote::render {
namespace {

constexpr int tile_group = 16;  ///< invocations on each side of a work tile_group
constexpr int tile_pixels = 4;  ///< pixels along each axis, as in mark_tiles.comp

void clear(const BufferHandle& buffer) {
  const GLuint zero = 0;
  glClearNamedBufferData(buffer.name(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &zero);
}

}  // namespace

LitTiles::LitTiles(const std::filesystem::path& shaders)
    : mark_(load_program(shaders, {"mark_tiles.comp"})),
      list_(load_program(shaders, {"list_tiles.comp"})),
      groups_(make_buffer()) {
  glNamedBufferStorage(groups_.name(), 3 * sizeof(GLuint), nullptr, GL_DYNAMIC_STORAGE_BIT);
}

void LitTiles::resize(glm::ivec2 tiles) {
  count_ = tiles;
  for (BufferHandle* buffer : {&lit_, &before_, &tiles_}) {
    *buffer = make_buffer();
    glNamedBufferStorage(buffer->name(),
                         static_cast<GLsizeiptr>(sizeof(GLuint)) * tiles.x * tiles.y, nullptr, 0);
  }
  clear(before_);
}

void LitTiles::find(const Target& light, int side, double reach, bool all) {
  MOTE_EXPECT(side > 0 && side % tile_group == 0);
  const glm::ivec2 tiles{(light.width() + side - 1) / side, (light.height() + side - 1) / side};
  all = all || tiles != count_ || side != side_;
  if (tiles != count_) resize(tiles);
  side_ = side;
  clear(lit_);
  set(mark_, "columns", tiles.x);
  set(mark_, "side", side);
  glBindTextureUnit(0, light.texture());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, lit_.name());
  const auto blocks = [](int pixels) { return (pixels + tile_pixels - 1) / tile_pixels; };
  run_for_pixels(mark_, blocks(light.width()), blocks(light.height()));

  const std::array<GLuint, 3> none{0, 1, 1};
  glNamedBufferSubData(groups_.name(), 0, sizeof(none), none.data());
  set(list_, "columns", tiles.x);
  set(list_, "rows", tiles.y);
  // A pixel and light that is more than n tiles away from its tile are at least n sides apart.
  set(list_, "reach", static_cast<int>(std::ceil(reach / side)));
  set(list_, "all", all ? 1 : 0);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, before_.name());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, groups_.name());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 3, tiles_.name());
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  glUseProgram(list_.name());
  glDispatchCompute(static_cast<GLuint>((tiles.x * tiles.y + 63) / 64), 1, 1);
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT |
                  GL_BUFFER_UPDATE_BARRIER_BIT);
}

void LitTiles::run(const ProgramHandle& program, int scale) const {
  const int across = side_ / scale / tile_group;
  MOTE_EXPECT(across * tile_group * scale == side_);
  const auto parts = static_cast<GLuint>(across * across);
  glNamedBufferSubData(groups_.name(), sizeof(GLuint), sizeof(GLuint), &parts);
  set(program, "columns", count_.x);
  set(program, "side", side_ / scale);
  glUseProgram(program.name());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 3, tiles_.name());
  glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, groups_.name());
  glDispatchComputeIndirect(0);
  glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, 0);
}

}  // namespace mote::render
