#include "render/frame_buffers.h"

#include "engine/check.h"

namespace mote::render {
namespace {

void fill(const BufferHandle& buffer, std::span<const float> values) {
  glNamedBufferData(buffer.name(), static_cast<GLsizeiptr>(values.size_bytes()), values.data(),
                    GL_STREAM_DRAW);
}

}  // namespace

PointBuffers FrameBuffers::upload(const Frame& frame) {
  const engine::Index count = frame.count();
  MOTE_EXPECT(count <= 0x7fffffff);
  MOTE_EXPECT(static_cast<engine::Index>(frame.scalars.size()) == count);
  MOTE_EXPECT(frame.weights.empty() || static_cast<engine::Index>(frame.weights.size()) == count);
  MOTE_EXPECT(frame.radii.empty() || static_cast<engine::Index>(frame.radii.size()) == count);
  fill(positions_, frame.positions);
  fill(scalars_, frame.scalars);
  if (!frame.weights.empty()) fill(weights_, frame.weights);
  if (!frame.radii.empty()) fill(radii_, frame.radii);
  return {.positions = positions_.name(),
          .scalars = scalars_.name(),
          .weights = frame.weights.empty() ? 0 : weights_.name(),
          .count = count,
          .scalar_low = frame.scalar_low,
          .scalar_high = frame.scalar_high,
          .radii = frame.radii.empty() ? 0 : radii_.name()};
}

}  // namespace mote::render
