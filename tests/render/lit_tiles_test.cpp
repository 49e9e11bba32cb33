// Pictures of light are the same whether all of them is computed or only what differs from the
// last.
#include <gtest/gtest.h>

#include <vector>

#include "render/gl/target.h"
#include "render/pass/tonemap.h"
#include "render/shader_folder.h"
#include "tests/render/scene_test.h"

namespace mote::render {
namespace {

class LitTilesTest : public SceneTest {};

/// A picture of light with one bright pixel.
Target lit_at(int x, int y, int width, int height) {
  Target light(width, height, Target::Kind::light);
  light.clear({0, 0, 0, 0});
  const float value[4] = {900, 500, 100, 1000};
  glTextureSubImage2D(light.texture(), 0, x, y, 1, 1, GL_RGBA, GL_FLOAT, value);
  return light;
}

std::vector<std::uint8_t> shown_by(TonemapPass& pass, const Target& light, double bloom,
                                   bool on_white) {
  const Target screen(light.width(), light.height(), Target::Kind::screen);
  pass.draw(light, {4, 0.02f}, screen, bloom, on_white);
  return screen.read_screen();
}

struct Style {
  double bloom = 1;
  bool on_white = false;
};

// Light that moves, on pictures whose mipmap levels divide them, and do not.
TEST_F(LitTilesTest, AreAllThatDiffersFromThePreviousPicture) {
  TonemapPass some(find_shaders()), all(find_shaders());
  for (const auto& [width, height] : {std::pair{1280, 720}, {333, 719}, {640, 360}, {50, 30}})
    for (const Style& style : {Style{1, false}, {0, false}, {4, false}, {1, true}})
      for (const auto& [x, y] :
           {std::pair{0.5, 0.5}, {0.52, 0.47}, {0.1, 0.9}, {0.0, 0.0}, {0.99, 0.2}}) {
        const Target light =
            lit_at(static_cast<int>(x * width), static_cast<int>(y * height), width, height);
        // After a picture of another size all tiles are new.
        shown_by(all, lit_at(0, 0, 20, 20), style.bloom, style.on_white);
        EXPECT_TRUE(shown_by(some, light, style.bloom, style.on_white) ==
                    shown_by(all, light, style.bloom, style.on_white))
            << width << " x " << height << ", lit at " << x << ", " << y << ", bloom "
            << style.bloom << (style.on_white ? ", on white" : "");
      }
}

}  // namespace
}  // namespace mote::render
