// Kinds of bodies that are drawn larger, brighter, or not at all.
#include <algorithm>
#include <limits>

#include "render/pass/looks.h"
#include "render/picture.h"
#include "tests/render/cloud.h"
#include "tests/render/scene_test.h"

namespace mote::render {
namespace {

/// Draws bodies of two kinds.
class Looks : public SceneTest {
 protected:
  static PointKinds halves(std::size_t count) {
    std::vector<std::uint8_t> kinds(count, 1);
    for (std::size_t i = 0; i < count / 2; ++i) kinds[i] = 2;
    return std::make_shared<const std::vector<std::uint8_t>>(std::move(kinds));
  }
  Image draw(const Cloud& cloud, Bodies bodies, const std::vector<Look>& looks,
             const PointKinds& kinds, double radius = 0.05) {
    PictureOptions options{.width = 160, .height = 120, .bodies = bodies};
    options.sphere_radius = bodies == Bodies::spheres ? radius : 0;
    options.point_size = 8;
    options.looks = looks;
    Frame frame = cloud.frame();
    frame.kinds = kinds;
    OrbitCamera camera;
    return PictureMaker(context(), options).draw(frame, camera);
  }
};

Cloud second_half(const Cloud& all) {
  const auto half = static_cast<std::ptrdiff_t>(all.count() / 2);
  Cloud rest;
  rest.positions.assign(all.positions.begin() + 3 * half, all.positions.end());
  rest.scalars.assign(all.scalars.begin() + half, all.scalars.end());
  return rest;
}

TEST_F(Looks, AHiddenKindIsNotThere) {
  const Cloud all = ball_of(200);
  const std::vector<Look> hidden{{}, {}, {.visible = false}};
  for (const Bodies bodies : {Bodies::stars, Bodies::spheres}) {
    const Image without = draw(second_half(all), bodies, {}, nullptr);
    EXPECT_EQ(draw(all, bodies, hidden, halves(all.count())).rgb, without.rgb);
    EXPECT_NE(draw(all, bodies, {}, halves(all.count())).rgb, without.rgb);
  }
}

TEST_F(Looks, SizesAreFactorsOfTheRadius) {
  const Cloud one{{0.1f, 0, 0, 9, 9, 9}, {0.5f, 0.5f}, {}};
  const auto large = std::make_shared<const std::vector<std::uint8_t>>(2, std::uint8_t{1});
  EXPECT_EQ(draw(one, Bodies::spheres, {{}, {.size = 3}}, large, 0.1).rgb,
            draw(one, Bodies::spheres, {}, nullptr, 0.3).rgb);
}

TEST_F(Looks, BrightnessIsTheWeightOfAStar) {
  const Cloud all = ball_of(200);
  Cloud weighted = all;
  weighted.weights.assign(all.count(), 1);
  for (std::size_t i = 0; i < all.count() / 2; ++i) weighted.weights[i] = 0.125f;
  EXPECT_EQ(draw(all, Bodies::stars, {{}, {}, {.brightness = 0.125f}}, halves(all.count())).rgb,
            draw(weighted, Bodies::stars, {}, nullptr).rgb);
}

TEST_F(Looks, AHiddenKindHasNoSurfacesAndTubes) {
  Cloud sheet;
  for (const float x : {-0.5f, 0.5f})
    for (const float z : {-0.5f, 0.5f}) sheet.add(x, 0, z, 0.5f);
  const auto mesh = std::make_shared<const BodyMesh>(
      BodyMesh{.rods = {{0, 3, 0.5f}}, .triangles = {{0, 1, 2}}, .count = 4});
  const auto picture = [&](bool visible) {
    PictureOptions options{.width = 160, .height = 120, .bodies = Bodies::spheres};
    options.sphere_radius = 0.05;
    options.looks = {{}, {.visible = visible}};
    Frame frame = sheet.frame();
    frame.kinds = std::make_shared<const std::vector<std::uint8_t>>(4, std::uint8_t{1});
    frame.mesh = mesh;
    return PictureMaker(context(), options).draw(frame, OrbitCamera{}).rgb;
  };
  const std::vector<std::uint8_t> seen = picture(true), hidden = picture(false);
  EXPECT_GT(*std::max_element(seen.begin(), seen.end()), 100);
  EXPECT_LT(*std::max_element(hidden.begin(), hidden.end()), 20) << "the sky";
}

TEST_F(Looks, ATriangleWithAHiddenCornerIsNotThere) {
  Cloud sheet;
  for (const float x : {-0.5f, 0.5f})
    for (const float z : {-0.5f, 0.5f}) sheet.add(x, 0, z, 0.5f);
  const auto mesh = std::make_shared<const BodyMesh>(
      BodyMesh{.triangles = {{0, 1, 2}}, .hidden = {0, 1, 2, 3}, .count = 4});
  const auto brightest = [&](std::vector<std::uint8_t> kinds) {
    PictureOptions options{.width = 160, .height = 120, .bodies = Bodies::spheres};
    options.looks = {{}, {.size = 1.5f}};
    Frame frame = sheet.frame();
    frame.kinds = std::make_shared<const std::vector<std::uint8_t>>(std::move(kinds));
    frame.own_looks = {{.visible = false}};
    frame.mesh = mesh;
    const Image image = PictureMaker(context(), options).draw(frame, OrbitCamera{});
    return int(*std::max_element(image.rgb.begin(), image.rgb.end()));
  };
  EXPECT_GT(brightest({0, 0, 1, 2}), 60);
  for (std::size_t corner = 0; corner < 3; ++corner) {
    std::vector<std::uint8_t> kinds{0, 0, 1, 2};
    kinds[corner] = 2;
    EXPECT_LT(brightest(kinds), 20) << corner;
  }
}

// Few stars are never too dim to be seen, unless they are asked to be.
TEST_F(Looks, DimTheFewestStarsToo) {
  const Cloud one{{0, 0, 0, 0.4f, 0, 0}, {0.5f, 0.5f}, {}};
  const auto kinds =
      std::make_shared<const std::vector<std::uint8_t>>(std::vector<std::uint8_t>{1, 2});
  const auto at_star = [&](float brightness) {
    const Image image = draw(one, Bodies::stars, {{}, {}, {.brightness = brightness}}, kinds);
    const OrbitCamera camera;
    const auto p = pixel_of(camera.viewpoint(160, 120), {0.4f, 0, 0}, 160, 120);
    return int(*image.pixel(static_cast<int>(p->x), static_cast<int>(p->y)));
  };
  EXPECT_LT(at_star(0.02f), at_star(0.5f) - 20);
}

TEST_F(Looks, OfOrdinaryBodiesChangeNothing) {
  const Cloud all = ball_of(60);
  EXPECT_EQ(draw(all, Bodies::stars, {{}, {}, {}}, halves(all.count())).rgb,
            draw(all, Bodies::stars, {}, nullptr).rgb);
}

TEST_F(Looks, OfSingleBodiesHaveTheirOwnColourAndRadius) {
  const Cloud pair{{0.1f, 0, 0, -0.3f, 0, 0}, {0.2f, 0.8f}, {}};
  const auto second =
      std::make_shared<const std::vector<std::uint8_t>>(std::vector<std::uint8_t>{0, 2});
  const Color magenta{1, 0, 1};  // exact in the bits that shaders have for it
  for (const Bodies bodies : {Bodies::stars, Bodies::spheres}) {
    const auto picture = [&](bool own, const std::vector<Color>& palette, float radius) {
      PictureOptions options{.width = 160, .height = 120, .bodies = bodies};
      options.sphere_radius = bodies == Bodies::spheres ? 0.05 : 0;
      options.point_size = 8;
      options.palette = palette;
      options.looks = {{}, {}};
      Frame frame = pair.frame();
      const std::vector<float> numbers{0, 1};
      if (!palette.empty()) frame.scalars = numbers;
      if (own) {
        frame.kinds = second;
        frame.own_looks = {{.color = magenta, .radius = radius}};
      }
      OrbitCamera camera;
      camera.distance = 3;
      return PictureMaker(context(), options).draw(frame, camera).rgb;
    };
    const std::vector<Color> grey_and_magenta{uncategorized, magenta},
        grey{uncategorized, uncategorized};
    EXPECT_EQ(picture(true, grey, 0), picture(false, grey_and_magenta, 0));
    EXPECT_NE(picture(true, grey, 0), picture(false, grey, 0));
    if (bodies == Bodies::spheres)
      EXPECT_NE(picture(true, grey, 0.1f), picture(true, grey, 0)) << "a larger sphere";
    else
      EXPECT_EQ(picture(true, grey, 0.1f), picture(true, grey, 0)) << "stars have no radius";
  }
}

TEST_F(Looks, AHiddenKindHasNoTrailAndCannotBePicked) {
  Cloud one;
  one.add(0, 0, 0, 0.5f);
  OrbitCamera camera;
  camera.distance = 3;
  const Viewpoint from = camera.viewpoint(160, 120);
  for (const Bodies bodies : {Bodies::stars, Bodies::spheres})
    for (const bool visible : {true, false}) {
      SceneView view;
      FrameBuffers buffers, before;
      Cloud old;
      old.add(0.5f, 0, 0, 0.5f);
      view.add_to_trails(before.upload(old.frame()), 4);
      ViewStyle style{.bodies = bodies, .trail_length = 4};
      style.looks = {{.visible = visible}};
      Extras extras;
      extras.kinds = std::make_shared<const std::vector<std::uint8_t>>(1, std::uint8_t{0});
      const Target screen(160, 120, Target::Kind::screen);
      const PointBuffers points = buffers.upload(one.frame());
      view.draw(points, from, style, extras, screen.framebuffer(), 160, 120);
      const std::vector<std::uint8_t> picture = screen.read_screen();
      const std::vector<std::uint8_t> corner(picture.begin(), picture.begin() + 3);
      bool empty = true;
      for (std::size_t i = 0; i < picture.size(); i += 3)
        empty = empty && std::abs(picture[i] - corner[0]) < 8;
      EXPECT_EQ(empty, !visible);
      EXPECT_EQ(view.pick(points, from, {80, 60}, 5, 160, 120).has_value(), visible);
    }
}

}  // namespace
}  // namespace mote::render
