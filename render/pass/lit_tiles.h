#pragma once

#include <filesystem>
#include <glm/vec2.hpp>

#include "render/gl/handle.h"
#include "render/gl/target.h"

namespace mote::render {

/// The part of a picture of light that differs from the previous one of the same size: tiles that
/// light reaches, or reached then. Passes over all pixels run in these alone, because without a GPU
/// they cost as much for two bodies as for thousands.
class LitTiles {
 public:
  /// Throws engine::SystemError when the shaders cannot be loaded.
  explicit LitTiles(const std::filesystem::path& shaders);

  /// Lists the tiles. `side`: of a tile, in pixels, a multiple of 16. `reach`: distance to which
  /// light is seen [pixels]. `all`: lists every tile.
  void find(const Target& light, int side, double reach, bool all);

  /// Runs a program (with tiles.glsl) for each pixel of the tiles that were found, in a picture
  /// whose pixels are `scale` of the light's; a tile has a multiple of 16 of them on each side.
  void run(const ProgramHandle& program, int scale = 1) const;

 private:
  void resize(glm::ivec2 tiles);

  ProgramHandle mark_, list_;
  BufferHandle lit_, before_, groups_, tiles_;
  glm::ivec2 count_{0};  ///< columns and rows of tiles
  int side_ = 0;         ///< pixels
};

}  // namespace mote::render
