#include <gtest/gtest.h>
#include <imgui.h>

#include <filesystem>

#include "engine/check.h"
#include "render/capture.h"
#include "render/surface.h"
#include "render/ui/layer.h"
#include "tests/render/ui_gallery.h"

namespace mote::render::ui {
namespace {

struct Shot {
  const char* name;
  int width, height;
  double scale;
  float mouse_x = -1, mouse_y = -1;
  bool help = false, light = false;
};

class UiGallery : public testing::TestWithParam<Shot> {};

/// For visual inspection: mote-gallery-NAME.png in the folder for temporary files.
TEST_P(UiGallery, IsDrawn) {
  const Shot& shot = GetParam();
  std::unique_ptr<Surface> surface;
  try {
    SurfaceOptions options;
    options.width = shot.width;
    options.height = shot.height;
    options.scale = shot.scale;
    surface = open_offscreen(options);
  } catch (const engine::SystemError& error) {
    GTEST_SKIP() << error.what();
  }
  Layer layer(*surface);
  layer.set_on_white(shot.light);
  const GalleryData data;
  InputEvent move{.kind = InputEvent::Kind::mouse_move};
  move.x = shot.mouse_x;
  move.y = shot.mouse_y;
  for (int frame = 0; frame < 4; ++frame) {
    layer.begin({&move, 1}, 0.5);
    gallery(data, static_cast<float>(shot.scale), shot.help);
    layer.end();
    glBindFramebuffer(GL_FRAMEBUFFER, surface->framebuffer());
    if (shot.light)
      glClearColor(1, 1, 1, 1);
    else
      glClearColor(0.03f, 0.035f, 0.05f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    layer.draw();
  }
  EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, 1000);
  const auto path =
      std::filesystem::temp_directory_path() / (std::string("mote-gallery-") + shot.name + ".png");
  write_png(path, surface->read());
  EXPECT_GT(std::filesystem::file_size(path), 10000u);
}

INSTANTIATE_TEST_SUITE_P(Sizes, UiGallery,
                         testing::Values(Shot{"small", 1280, 720, 1}, Shot{"large", 3840, 2160, 2},
                                         Shot{"plot", 1280, 720, 1, 250, 120},
                                         Shot{"row", 1280, 720, 1, 520, 135},
                                         Shot{"greyed", 1280, 720, 1, 650, 315},
                                         Shot{"time", 1280, 720, 1, 500, 672},
                                         Shot{"help", 1280, 720, 1, 1000, 120, true},
                                         Shot{"light", 1280, 720, 1, 250, 120, false, true},
                                         Shot{"light_help", 1280, 720, 1, -1, -1, true, true}),
                         [](const auto& shot) { return shot.param.name; });

}  // namespace
}  // namespace mote::render::ui
