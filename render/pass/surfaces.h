#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <vector>

#include "render/gl/canvas.h"
#include "render/gl/handle.h"
#include "render/gl/sample_target.h"
#include "render/pass/lens.h"
#include "render/surface_mesh.h"

namespace mote::render {

/// Draws translucent, lit surfaces over a screen picture.
class SurfacesPass {
 public:
  /// Throws engine::SystemError when the shaders cannot be loaded.
  explicit SurfacesPass(const std::filesystem::path& shaders);

  /// Draws in order, first the sides that face away, then those that face the viewer. `hides`: what
  /// is nearer hides surfaces, of the same size, or null. `fluid`: distances
  /// (FluidPass::distances), and only what is behind them is drawn; 0: everything.
  void draw(const std::vector<PlacedSurface>& surfaces, const Lens& lens, float brightness,
            const SampleTarget* hides, const Canvas& screen, GLuint fluid = 0);

 private:
  struct Uploaded {
    std::shared_ptr<const SurfaceMesh> mesh;
    BufferHandle positions, normals;
    bool used = true;
  };
  const ProgramHandle& program(bool shadowed);
  void fit_picture(const SampleTarget* hides, const Canvas& screen);
  const Uploaded& uploaded(const std::shared_ptr<const SurfaceMesh>& mesh);

  std::filesystem::path shaders_;
  ProgramHandle programs_[2];  ///< without shadows and with them; made on first use
  ProgramHandle over_;
  VertexArrayHandle corners_, no_vertices_;
  TextureHandle color_;
  int width_ = 0, height_ = 0, samples_ = 0;
  std::map<const SurfaceMesh*, Uploaded> meshes_;
};

}  // namespace mote::render
