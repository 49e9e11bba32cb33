#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "render/gl/handle.h"

namespace mote::render {

/// A buffer of these values, which do not change any more. OpenGL allows no empty ones: without
/// values it has one.
template <class T>
BufferHandle buffer_of(const std::vector<T>& values) {
  BufferHandle buffer = make_buffer();
  const T none{};
  glNamedBufferStorage(buffer.name(),
                       static_cast<GLsizeiptr>(std::max<std::size_t>(values.size(), 1) * sizeof(T)),
                       values.empty() ? &none : values.data(), 0);
  return buffer;
}

/// Bytes of a buffer that a shader may read at once.
inline GLint64 largest_block() {
  GLint64 bytes = 0;
  glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &bytes);
  return bytes;
}

}  // namespace mote::render
