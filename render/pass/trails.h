#pragma once

#include <filesystem>
#include <span>

#include "render/color_map.h"
#include "render/gl/canvas.h"
#include "render/gl/handle.h"
#include "render/gl/sample_target.h"
#include "render/gl/target.h"
#include "render/pass/exposure.h"
#include "render/pass/lens.h"
#include "render/point_buffers.h"

namespace mote::render {

/// Stores past positions of points on the GPU and draws them as trails that fade with age. Points
/// must keep their order and origin; call clear() when these change.
class TrailsPass {
 public:
  static constexpr int max_samples = 2048;
  static constexpr std::int64_t max_bytes = std::int64_t{64} << 20;
  static constexpr engine::Index max_bodies = 100'000;

  /// Throws engine::SystemError when the shaders cannot be loaded.
  TrailsPass(const std::filesystem::path& shaders, const ColorMap& map);

  void set_map(const ColorMap& map);

  /// Stores the newest positions, keeping at most `length` per point: fewer where that exceeds
  /// `max_bytes`, none beyond `max_bodies`. Clears when the number of points has changed.
  void add(const PointBuffers& points, int length);
  /// Stores the newest positions from host memory, 3 floats per point.
  void add(std::span<const float> positions, int length);
  void clear();
  /// Number of stored positions per point.
  int stored() const { return stored_; }

  /// Adds light, so that a trail begins with `brightness` (0 to 1) of what the tone map shows as
  /// white. Each begins at the point's current position and extends through `length` stored ones.
  void draw_light(const PointBuffers& points, const Lens& lens, int length,
                  const Exposure& exposure, float brightness, const Target& light);
  /// Draws over a screen picture, starting with `opacity`; spheres may hide parts of it.
  void draw_over(const PointBuffers& points, const Lens& lens, int length, float opacity,
                 const SampleTarget* spheres, const Canvas& screen);

 private:
  bool advance(engine::Index bodies, int length);
  void resize(engine::Index bodies, int capacity);
  bool begin(const PointBuffers& points, const Lens& lens, int length, const Canvas& canvas);
  void finish(const PointBuffers& points, const Lens& lens);

  ProgramHandle program_;
  TextureHandle map_;
  VertexArrayHandle no_vertices_;
  BufferHandle history_;
  engine::Index bodies_ = 0;
  int capacity_ = 0, stored_ = 0, newest_ = -1, count_ = 0;
};

}  // namespace mote::render
