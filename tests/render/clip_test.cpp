// The plane behind which nothing is drawn.
#include <algorithm>
#include <cstdlib>

#include "render/pass/spheres.h"
#include "render/picture.h"
#include "render/shader_folder.h"
#include "tests/render/cloud.h"
#include "tests/render/scene_test.h"

namespace mote::render::clip_test {
namespace {

constexpr int width = 320, height = 240;
const glm::vec4 right_half{1, 0, 0, 0}, upper_half{0, 0, 1, 0}, far_half{0, 1, 0, 0};

/// The camera is at (0, -3, 0) and looks along y; x is right and z up.
class Clip : public SceneTest {
 protected:
  Clip() { camera_.elevation = 0; }
  Viewpoint from() const { return camera_.viewpoint(width, height); }

  /// The picture, from the bottom row.
  std::vector<std::uint8_t> draw(const Cloud& cloud, const ViewStyle& style,
                                 const Extras& extras = {}) {
    SceneView view;
    return draw(view, cloud, style, extras);
  }
  std::vector<std::uint8_t> draw(SceneView& view, const Cloud& cloud, const ViewStyle& style,
                                 const Extras& extras = {}) {
    FrameBuffers buffers;
    const Target screen(width, height, Target::Kind::screen);
    view.draw(buffers.upload(cloud.frame()), from(), style, extras, screen.framebuffer(), width,
              height);
    return screen.read_screen();
  }
  /// Fraction of the pixels between two columns that show anything but the sky.
  static double lit(const std::vector<std::uint8_t>& picture, int begin, int end) {
    int count = 0;
    for (int y = 0; y < height; ++y)
      for (int x = begin; x < end; ++x) count += level(picture, x, y) > 60;
    return static_cast<double>(count) / (height * (end - begin));
  }
  /// Sum of the channels.
  static int level(const std::vector<std::uint8_t>& picture, int x, int y) {
    const std::size_t at = 3 * (static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x));
    return picture[at] + picture[at + 1] + picture[at + 2];
  }
  int level(const std::vector<std::uint8_t>& picture, const glm::dvec3& at) const {
    const glm::dvec2 p = pixels_of(from(), at, width, height);
    return level(picture, static_cast<int>(p.x), static_cast<int>(p.y));
  }

  OrbitCamera camera_;
};

/// None at x = 0.
Cloud lattice(int side) {
  Cloud all;
  for (int i = 0; i < side * side * side; ++i) {
    const auto at = [&](int k) {
      return 1.6f * ((static_cast<float>(k % side) + 0.5f) / static_cast<float>(side) - 0.5f);
    };
    all.add(at(i), at(i / side), at(i / side / side), 0.7f);
  }
  return all;
}

TEST_F(Clip, MakesHalfOfALatticeBlack) {
  const Cloud all = lattice(12);
  std::vector<ViewStyle> styles(4);
  styles[1].bodies = Bodies::spheres, styles[2].bodies = Bodies::fluid;
  styles[0].bloom = styles[3].bloom = 0;
  styles[3].splat_from = 0;
  for (ViewStyle& style : styles) {
    style.sphere_radius = style.bodies == Bodies::stars ? 0 : 0.066, style.point_size = 6;
    const std::vector<std::uint8_t> whole = draw(all, style);
    style.clip = right_half;
    for (const SplatPath path : {SplatPath::raster, SplatPath::compute}) {
      style.splat = path;
      const std::vector<std::uint8_t> half = draw(all, style);
      // The sprite of a star reaches a few pixels beyond it.
      const int margin = style.bodies == Bodies::stars ? 3 : 0;
      EXPECT_GT(lit(whole, 60, 160), 0.1) << static_cast<int>(style.bodies);
      EXPECT_EQ(lit(half, 0, width / 2 - margin), 0) << static_cast<int>(style.bodies);
      EXPECT_NEAR(lit(half, width / 2, width), lit(whole, width / 2, width), 0.02);
    }
  }
}

TEST_F(Clip, CutsSpheresOpen) {
  Cloud one;
  one.add(0, 0, 0, 0.7f);
  ViewStyle style{.bodies = Bodies::spheres, .sphere_radius = 0.6};
  const std::vector<std::uint8_t> whole = draw(one, style);
  style.clip = far_half;
  const std::vector<std::uint8_t> open = draw(one, style);
  style.clip = upper_half;
  const std::vector<std::uint8_t> dome = draw(one, style);
  const glm::dvec3 left{-0.4, 0, 0}, middle{0, 0, 0}, right{0.4, 0, 0};
  EXPECT_GT(std::abs(level(whole, left) - level(whole, right)), 60) << "round";
  EXPECT_LT(std::abs(level(open, left) - level(open, right)), 12) << "flat";
  EXPECT_GT(level(open, middle), 100);
  EXPECT_GT(level(open, {0.58, 0, 0}), 100) << "up to its edge";
  EXPECT_LT(level(open, {0.63, 0, 0}), 40);
  EXPECT_EQ(level(dome, {0, 0, 0.3}), level(whole, {0, 0, 0.3}));
  EXPECT_LT(level(dome, {0, 0, -0.1}), 40);
}

TEST_F(Clip, PutsTheCutWhereThePlaneIs) {
  Cloud one;
  one.add(0, 0, 0, 0.7f);
  FrameBuffers buffers;
  const SampleTarget target(width, height);
  Lens lens(from().view, from().projection);
  lens.clip = glm::vec4(0, 1, 0, -0.2f);
  SpheresPass(find_shaders(), color_map_named("grey"))
      .draw(buffers.upload(one.frame()), lens, {0.6f}, target);
  const std::vector<float> nearness = target.read_nearness();
  const std::size_t at = static_cast<std::size_t>(height / 2) * width + width / 2;
  EXPECT_NEAR(lens.near / nearness[at], camera_.distance + 0.2, 1e-3);
}

TEST_F(Clip, CutsSurfacesTubesAndLines) {
  Cloud sheet;
  for (const float x : {-0.5f, 0.5f})
    for (const float z : {-0.5f, 0.5f}) sheet.add(x, 0, z, 0.7f);
  ViewStyle style{.bodies = Bodies::spheres, .sphere_radius = 0.02};
  const auto mesh = [](BodyMesh of) {
    of.count = 4;
    Extras extras;
    extras.mesh = std::make_shared<const BodyMesh>(std::move(of));
    return extras;
  };
  const std::vector<glm::dvec3> corners{{-0.5, 0, -0.5}, {0.5, 0, -0.5}, {0.5, 0, 0.5}};
  const std::vector<glm::uvec3> triangle{{0, 1, 2}};
  std::vector<Extras> all{
      mesh({.triangles = {{0, 1, 2}, {1, 3, 2}}}), mesh({.rods = {{0, 2, 4}, {1, 3, 4}}}), {}, {}};
  all[2].surfaces.push_back(
      {.mesh = std::make_shared<const SurfaceMesh>(with_normals(corners, triangle)),
       .color = {1, 1, 1, 0.9f}});
  all[3].lines.push_back(
      {.points = {{-0.7f, 0, 0.2f}, {0.7f, 0, 0.2f}}, .color = {1, 1, 1, 1}, .width = 4});
  for (std::size_t k = 0; k < all.size(); ++k) {
    style.clip.reset();
    EXPECT_GT(lit(draw(sheet, style, all[k]), 80, 155), 0.01) << k;
    style.clip = right_half;
    const std::vector<std::uint8_t> half = draw(sheet, style, all[k]);
    EXPECT_EQ(lit(half, 0, 159), 0) << k;
    EXPECT_GT(lit(half, 162, 240), 0.01) << k;
  }
}

TEST_F(Clip, CutsTrails) {
  for (const Bodies bodies : {Bodies::stars, Bodies::spheres}) {
    SceneView view;
    Cloud walker;
    walker.add(-0.6f, 0, 0.3f, 0.7f);
    for (float x = -0.6f; x < 0.6f; x += 0.1f) {
      FrameBuffers buffers;
      walker.positions[0] = x;
      view.add_to_trails(buffers.upload(walker.frame()), 20);
    }
    ViewStyle style{.bodies = bodies, .sphere_radius = 0.01, .bloom = 0, .trail_length = 20};
    // A trail is a pixel wide; a driver may round one of ten away.
    const auto trail = [](int columns) { return 0.9 * columns / (width * height); };
    EXPECT_GT(lit(draw(view, walker, style), 100, 150), trail(50));
    style.clip = right_half;
    const std::vector<std::uint8_t> half = draw(view, walker, style);
    EXPECT_EQ(lit(half, 0, 158), 0);
    EXPECT_GT(lit(half, 162, 200), trail(38));
  }
}

TEST_F(Clip, KeepsWhatItHidesFromBeingPicked) {
  Cloud two;
  two.add(-0.5f, 0, 0, 0.7f);
  two.add(0.4f, 0, 0, 0.7f);
  for (const Bodies bodies : {Bodies::stars, Bodies::spheres}) {
    SceneView view;
    FrameBuffers buffers;
    ViewStyle style{.bodies = bodies, .clip = right_half};
    style.sphere_radius = bodies == Bodies::stars ? 0 : 0.6;
    draw(view, two, style);
    const PointBuffers points = buffers.upload(two.frame());
    const auto picked = [&](double x) {
      const glm::dvec2 at = pixels_of(from(), {x, 0, 0}, width, height);
      return view.pick(points, from(), {at.x, height - at.y}, 4, width, height);
    };
    EXPECT_EQ(picked(0.4), 1);
    EXPECT_EQ(picked(-0.5).has_value(), false) << "behind the plane";
  }
}

TEST_F(Clip, HidesNames) {
  Cloud one;
  one.add(0, 0, 0, 0.7f);
  const auto picture = [&](const std::string& name, float x) {
    PictureOptions options{.width = width, .height = height, .clip = right_half};
    options.overlay = PictureOptions::Overlay::measures;
    Frame frame = one.frame();
    frame.names = {{{x, 0, 0}, name}};
    return PictureMaker(context(), options).draw(frame, camera_).rgb;
  };
  EXPECT_EQ(picture("far", -0.3f), picture("", -0.3f));
  EXPECT_NE(picture("far", 0.3f), picture("", 0.3f));
}

}  // namespace
}  // namespace mote::render::clip_test
