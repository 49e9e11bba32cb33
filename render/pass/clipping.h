#pragma once

#include <GL/glew.h>

namespace mote::render {

/// While it lives, primitives are cut where their shader's gl_ClipDistance is negative, if `on`.
class Clipping {
 public:
  explicit Clipping(bool on, GLenum distance = GL_CLIP_DISTANCE0) : distance_(on ? distance : 0) {
    if (distance_) glEnable(distance_);
  }
  ~Clipping() {
    if (distance_) glDisable(distance_);
  }
  Clipping(const Clipping&) = delete;
  Clipping& operator=(const Clipping&) = delete;

 private:
  GLenum distance_;
};

}  // namespace mote::render
