#pragma once

#include <filesystem>
#include <memory>

#include "render/body_mesh.h"
#include "render/color_map.h"
#include "render/gl/handle.h"
#include "render/gl/sample_target.h"
#include "render/pass/lamp.h"
#include "render/pass/lens.h"
#include "render/pass/spheres.h"
#include "render/point_buffers.h"

namespace mote::render {

/// Draws what connects points: tubes and lit surfaces through them, coloured by their scalars. All
/// of it is computed from the buffers of the points on the GPU.
class BodyMeshPass {
 public:
  /// Throws engine::SystemError when the shaders cannot be loaded.
  BodyMeshPass(const std::filesystem::path& shaders, const ColorMap& map);

  void set_map(const ColorMap& map);

  /// Sets the mesh. It is copied to the GPU where it differs from the last one.
  void use(std::shared_ptr<const BodyMesh> mesh);
  /// The points, without the spheres that the mesh replaces.
  PointBuffers visible(PointBuffers points) const;
  /// Draws into a picture that spheres were drawn into.
  void draw(const PointBuffers& points, const Lens& lens, const SphereStyle& style,
            const SampleTarget& target);
  /// Draws into the map of ShadowPass::begin.
  void cast(const PointBuffers& points, const LampView& lamp, const SphereStyle& style);

 private:
  struct Programs {
    ProgramHandle triangles, rods;
  };
  const Programs& lit(bool shadowed);
  bool fits(const PointBuffers& points) const;
  void set_lists();
  void draw_parts(const Programs& programs, const PointBuffers& points, float radius, float least,
                  bool clipped);
  void draw_triangles(const ProgramHandle& program, const PointBuffers& points, bool clipped);
  /// `radius`: of spheres, or a factor to their own; `least`: as in body_rods.vert.
  void draw_rods(const ProgramHandle& program, const PointBuffers& points, float radius,
                 float least, bool clipped);

  std::filesystem::path shaders_;
  Programs lit_[2], cast_;  ///< without shadows and with them, and into their map; on first use
  TextureHandle map_;
  VertexArrayHandle no_vertices_;
  std::shared_ptr<const BodyMesh> mesh_;
  BufferHandle shown_;  ///< a byte for each point: 255, or 0 for those without a sphere
  BufferHandle triangles_, starts_, others_;  ///< described in body_surface.vert
  BufferHandle rods_;
};

}  // namespace mote::render
