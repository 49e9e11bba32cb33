#include "api/painter.h"

#include <cstdlib>
#include <utility>

#include "api/present.h"
#include "api/scenes.h"
#include "render/picture.h"

namespace mote::api {
namespace {

/// The folder installed with the library; find_shaders searches only relative to the program.
std::filesystem::path shaders() {
  std::error_code ignored;
  const std::filesystem::path installed = installed_folder() / "shaders";
  const bool found =
      !std::getenv("MOTE_SHADERS") && std::filesystem::is_directory(installed, ignored);
  return found ? installed : render::find_shaders();
}

class GlPainter final : public Painter {
 public:
  GlPainter(const sim::SceneDescription& scene, int wide, int high)
      : camera_(scene.camera),
        presenter_(scene),
        maker_(context_, picture_options(scene, wide, high), shaders()) {
    width = wide, height = high;
  }

  Picture draw(sim::Simulation& simulation) override {
    const render::Frame& frame = presenter_.present(simulation);
    render::Image image =
        maker_.draw(frame, camera_for(camera_, frame, static_cast<double>(width) / height));
    return {image.width, image.height, std::move(image.rgb)};
  }

 private:
  sim::Camera camera_;
  Presenter presenter_;
  render::EglContext context_;
  render::PictureMaker maker_;
};

}  // namespace

std::unique_ptr<Painter> make_painter(const sim::SceneDescription& scene, int width, int height) {
  return std::make_unique<GlPainter>(scene, width, height);
}

}  // namespace mote::api
