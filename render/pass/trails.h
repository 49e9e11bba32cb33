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

/// Remembers where points were, on the GPU, and draws their ways as lines that fade with age. The
/// points must keep their order and their origin; when these change, clear.
class TrailsPass {
 public:
  static constexpr int most_rows = 2048;
  static constexpr std::int64_t most_bytes = std::int64_t{64} << 20;
  static constexpr engine::Index most_bodies = 100'000;

  /// Throws engine::SystemError when the shaders cannot be loaded.
  TrailsPass(const std::filesystem::path& shaders, const ColorMap& map);

  void set_map(const ColorMap& map);

  /// Remembers positions as the newest of at most `length`; fewer when there are so many points
  /// that they would not fit, none beyond `most_bodies`. Forgets all when their number has changed.
  void add(const PointBuffers& points, int length);
  /// The same of places that the host has, 3 floats a point.
  void add(std::span<const float> positions, int length);
  void clear();
  /// Positions of each point that are remembered now.
  int remembered() const { return used_; }

  /// Adds light, so that a trail begins with `brightness` (0 to 1) of what the tone map shows as
  /// white. Each begins where its point is now, and reaches through `length` remembered positions.
  void draw_light(const PointBuffers& points, const Lens& lens, int length,
                  const Exposure& exposure, float brightness, const Target& light);
  /// Draws over a picture for the screen, beginning with `opacity`, behind and before spheres.
  void draw_over(const PointBuffers& points, const Lens& lens, int length, float opacity,
                 const SampleTarget* spheres, const Canvas& screen);

 private:
  bool next_row(engine::Index bodies, int length);
  void resize(engine::Index bodies, int rows);
  bool begin(const PointBuffers& points, const Lens& lens, int length, const Canvas& canvas);
  void finish(const PointBuffers& points);

  ProgramHandle program_;
  TextureHandle map_;
  VertexArrayHandle no_vertices_;
  BufferHandle rows_;
  engine::Index bodies_ = 0;
  int row_count_ = 0, used_ = 0, newest_ = -1, count_ = 0;
};

}  // namespace mote::render
