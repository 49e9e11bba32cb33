#pragma once

#include <filesystem>

#include "render/gl/handle.h"
#include "render/gl/sample_target.h"
#include "render/pass/lens.h"

namespace mote::render {

/// How much of the sky each pixel of a picture of opaque objects sees, from depths alone.
class OcclusionPass {
 public:
  /// Throws engine::SystemError when the shaders cannot be loaded.
  explicit OcclusionPass(const std::filesystem::path& shaders);

  /// Returns a texture of the picture's size, valid until the next call: 1 where nothing hides the
  /// sky, down to 0. `strength`: 1 is natural, 0 none.
  GLuint find(const SampleTarget& picture, const Lens& lens, float strength);

 private:
  ProgramHandle program_, blur_;
  TextureHandle rough_, seen_;
  int width_ = 0, height_ = 0;
};

}  // namespace mote::render
