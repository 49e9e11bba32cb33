// Shadows of the lamp.
#include "render/pass/shadow.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <glm/geometric.hpp>
#include <optional>
#include <vector>

#include "render/picture.h"
#include "tests/render/cloud.h"
#include "tests/render/scene_test.h"

namespace mote::render::shadow_test {
namespace {

constexpr int width = 320, height = 240;

/// A caster before or behind a sheet that is perpendicular to the light: of a parallel light, the
/// shadow on it has the size and shape of the caster.
class Shadow : public SceneTest {
 protected:
  /// The camera is at (0, -4, 0) and looks along y; x is right and z up.
  Shadow() { camera_.elevation = 0, camera_.distance = 4; }

  Viewpoint from() const { return camera_.viewpoint(width, height); }
  /// Towards the lamp, in the world.
  glm::dvec3 lamp() const { return glm::dvec3(glm::transpose(glm::mat3(from().view)) * to_lamp()); }
  /// One of two axes of the sheet.
  glm::dvec3 across(int axis) const {
    const glm::dvec3 right = glm::normalize(glm::cross(glm::dvec3(0, 0, 1), lamp()));
    return axis == 0 ? right : glm::cross(lamp(), right);
  }

  /// Adds a square of side 2 about the origin, whose normal is tilted from the lamp by this slope.
  void add_sheet(double slope = 0) {
    const auto first = static_cast<unsigned>(cloud_.count());
    for (const double u : {-1, 1})
      for (const double v : {-1, 1})
        mesh_.hidden.push_back(add(u * across(0) + v * across(1) + u * slope * lamp(), 1e-3));
    mesh_.triangles.emplace_back(first, first + 1, first + 2);
    mesh_.triangles.emplace_back(first + 1, first + 3, first + 2);
  }
  unsigned add(const glm::dvec3& at, double radius) {
    cloud_.add(static_cast<float>(at.x), static_cast<float>(at.y), static_cast<float>(at.z), 0.5f);
    cloud_.radii.push_back(static_cast<float>(radius));
    return static_cast<unsigned>(cloud_.count() - 1);
  }

  Frame frame() const {
    Frame made = cloud_.frame();
    BodyMesh mesh = mesh_;
    mesh.count = made.count();
    made.mesh = std::make_shared<const BodyMesh>(mesh);
    return made;
  }
  PictureOptions options(double strength) const {
    PictureOptions made{.width = width, .height = height, .map = "grey", .bodies = Bodies::spheres};
    made.shadow = strength;
    return made;
  }
  Image draw(double strength) {
    return PictureMaker(context(), options(strength)).draw(frame(), camera_);
  }

  /// Where the line of sight through a pixel (from the top) meets the sheet.
  std::optional<glm::dvec3> on_sheet(int x, int y) const {
    const glm::dmat3 turned(glm::transpose(glm::mat3(from().view)));
    const glm::dvec3 way = turned * sight_of(from(), x + 0.5, height - y - 0.5, width, height);
    const glm::dvec3 eye = from().eye;
    const glm::dvec3 at = eye - way * (glm::dot(eye, lamp()) / glm::dot(way, lamp()));
    const double u = std::fabs(glm::dot(at, across(0))), v = std::fabs(glm::dot(at, across(1)));
    return std::max(u, v) < 0.97 ? std::optional(at) : std::nullopt;
  }
  /// Whether a line of sight through a pixel passes this near to a point.
  bool sight_meets(int x, int y, const glm::dvec3& point, double reach) const {
    const glm::dmat3 turned(glm::transpose(glm::mat3(from().view)));
    const glm::dvec3 way =
        glm::normalize(turned * sight_of(from(), x + 0.5, height - y - 0.5, width, height));
    const glm::dvec3 to = point - glm::dvec3(from().eye);
    return glm::length(to - way * glm::dot(to, way)) < reach;
  }
  static double light(const Image& image, int x, int y) {
    return linear_of(image.pixel(x, y)[0] / 255.0f);
  }

  OrbitCamera camera_;
  Cloud cloud_;
  BodyMesh mesh_;
};

// The sheet spans 2 sqrt(2) at most in the lamp's axes, and the map at most 2^(1/4) of it: a texel
// is up to 0.00165. The filter reaches over 2 of them along each axis.
constexpr double filtered = 2 * 1.4143 * 0.00165;
// A pixel spans 0.0121 at the origin, and the sheet, whose normal is at 55 degrees to the line of
// sight, 1 / cos(55 degrees) times as much; an edge may be half of that beside its centre.
constexpr double sharpness = filtered + 0.0121 / 0.57 / 2;

TEST_F(Shadow, OfASphereIsTheDiscThatGeometrySaysAndNothingElse) {
  constexpr double radius = 0.25;
  add_sheet();
  const glm::dvec3 center = 0.7 * lamp() + 0.2 * across(0) - 0.1 * across(1);
  add(center, radius);
  const Image plain = draw(0), shaded = draw(1);
  // Of grey light 0.92 comes from the lamp in red, and 0.261 from the sky where a normal rises as
  // that of the sheet does (lighting.glsl). Edges and glints add up to 0.005, and codes have steps
  // of 1 %.
  const double left = 0.261 / (0.261 + 0.92);
  int dark = 0, bright = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const auto at = on_sheet(x, y);
      if (!at || sight_meets(x, y, center, radius + 0.02)) continue;
      const glm::dvec3 off = *at - center;
      const double beside = glm::length(off - lamp() * glm::dot(off, lamp()));
      if (beside < radius - sharpness) {
        ++dark;
        EXPECT_NEAR(light(shaded, x, y) / light(plain, x, y), left, 0.03) << x << " " << y;
      } else if (beside > radius + sharpness) {
        ++bright;
        EXPECT_EQ(*shaded.pixel(x, y), *plain.pixel(x, y)) << x << " " << y;
      }
    }
  EXPECT_GT(dark, 300);
  EXPECT_GT(bright, 3000);
}

TEST_F(Shadow, TakesThePartOfTheLampThatItsStrengthSays) {
  add_sheet();
  add(0.7 * lamp(), 0.25);
  const Image plain = draw(0), half = draw(0.5), full = draw(1);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      // Each of the three is rounded and dithered by up to one step, 1/150 of linear light here.
      EXPECT_NEAR(light(half, x, y), (light(plain, x, y) + light(full, x, y)) / 2, 2.0 / 150);
  EXPECT_NE(half.rgb, plain.rgb);
}

TEST_F(Shadow, FallsOnWhatIsFartherFromTheLampAlone) {
  add_sheet();
  add(-0.7 * lamp(), 0.25);  // the lamp sees the sheet before it
  const Image plain = draw(0), shaded = draw(1);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      if (on_sheet(x, y) && !sight_meets(x, y, -0.7 * lamp(), 0.27)) {
        EXPECT_EQ(*shaded.pixel(x, y), *plain.pixel(x, y)) << x << " " << y;
      }
}

TEST_F(Shadow, AConvexBodyCastsNoneOnItsLitSide) {
  // Where its surface is not parallel to the light, which is in a ring of pixels about its outline
  // as the lamp sees it.
  for (const double radius : {0.9, 0.3, 0.05}) {
    cloud_ = {};
    add({0, 0, 0}, radius);
    camera_.distance = 4 * radius;
    const Image plain = draw(0), shaded = draw(1);
    int lit = 0;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const glm::dmat3 turned(glm::transpose(glm::mat3(from().view)));
        const glm::dvec3 eye = from().eye;
        const glm::dvec3 way =
            glm::normalize(turned * sight_of(from(), x + 0.5, height - y - 0.5, width, height));
        const double middle = -glm::dot(eye, way);
        const double rest = radius * radius - glm::dot(eye, eye) + middle * middle;
        if (rest < 0) continue;
        const glm::dvec3 normal = (eye + way * (middle - std::sqrt(rest))) / radius;
        if (glm::dot(normal, lamp()) < 0.05) continue;
        ++lit;
        EXPECT_EQ(*shaded.pixel(x, y), *plain.pixel(x, y)) << radius << " " << x << " " << y;
      }
    EXPECT_GT(lit, 4000);
  }
}

TEST_F(Shadow, ATiltedSheetCastsNoneOnItself) {
  for (const double slope : {-3.0, -1.0, -0.1, 0.1, 1.0, 3.0}) {
    cloud_ = {}, mesh_ = {};
    add_sheet(slope);
    const Image plain = draw(0), shaded = draw(1);
    // The side that the viewer sees is lit, or turned away from the lamp.
    const glm::dvec3 normal = lamp() - slope * across(0);
    if (glm::dot(normal, glm::dvec3(from().eye)) > 0) {
      EXPECT_EQ(shaded.rgb, plain.rgb) << slope;
    } else {
      EXPECT_LT(light(shaded, width / 2, height / 2), 0.5) << slope;
    }
  }
}

TEST_F(Shadow, TubesAndSheetsCastThem) {
  add_sheet();
  const glm::dvec3 a = 0.5 * lamp() - 0.6 * across(0) + 0.4 * across(1), b = a + 0.8 * across(0);
  const auto sphere = [&](const glm::dvec3& at) { return add(at, 0.05); };
  mesh_.rods.push_back({sphere(a), sphere(b), 1});
  const glm::dvec3 c = 0.5 * lamp() - 0.3 * across(1);
  mesh_.triangles.emplace_back(sphere(c), sphere(c + 0.5 * across(0)), sphere(c - 0.5 * across(1)));
  const Image plain = draw(0), shaded = draw(1);
  const auto darkened = [&](const glm::dvec3& at) {
    const glm::dvec2 p = pixels_of(from(), at, width, height);
    const int x = static_cast<int>(p.x), y = height - 1 - static_cast<int>(p.y);
    return light(shaded, x, y) / light(plain, x, y);
  };
  EXPECT_LT(darkened((a + b) / 2.0 - 0.5 * lamp()), 0.3) << "of the tube";
  EXPECT_LT(darkened(c - 0.5 * lamp() + 0.12 * across(0) - 0.12 * across(1)), 0.3)
      << "of the sheet";
  EXPECT_EQ(darkened(c - 0.5 * lamp() + 0.4 * across(0) - 0.4 * across(1)), 1) << "beside it";
}

TEST_F(Shadow, WhatIsBesideThePictureCastsThemIntoIt) {
  add_sheet();
  add(3.5 * lamp(), 0.25);  // above the picture, and nearer to the lamp than all that is in it
  const Image plain = draw(0), shaded = draw(1);
  const int x = width / 2, y = height / 2;
  EXPECT_LT(light(shaded, x, y), 0.3 * light(plain, x, y));
}

TEST_F(Shadow, OnlyWhatIsDrawnCastsThem) {
  add_sheet();
  const auto picture = [&](double radius, bool visible, std::optional<glm::vec4> clip,
                           double strength) {
    const Cloud before = cloud_;
    add(0.7 * lamp(), radius);
    PictureOptions wanted = options(strength);
    wanted.looks = {{}, {.visible = visible}};
    wanted.clip = clip;
    Frame drawn = frame();
    std::vector<std::uint8_t> kinds(cloud_.count(), 0);
    kinds.back() = 1;
    drawn.kinds = std::make_shared<const std::vector<std::uint8_t>>(kinds);
    const Image image = PictureMaker(context(), wanted).draw(drawn, camera_);
    cloud_ = before;
    return image.rgb;
  };
  const auto nothing = picture(0, true, std::nullopt, 0);
  EXPECT_EQ(picture(0.25, false, std::nullopt, 1), nothing) << "of a hidden species";
  EXPECT_EQ(picture(0, true, std::nullopt, 1), nothing) << "a hidden body";
  const glm::vec4 plane(-glm::vec3(lamp()), 0.4f);  // hides the sphere and leaves the sheet
  EXPECT_EQ(picture(0.25, true, plane, 1), nothing) << "behind the clipping plane";
  EXPECT_NE(picture(0.25, true, std::nullopt, 1), picture(0.25, true, std::nullopt, 0));
}

TEST_F(Shadow, OfABodyThatIsCutOpenIsThatOfItsRest) {
  add_sheet();
  add(0.7 * lamp(), 0.25);
  const glm::dvec3 side = across(0);
  PictureOptions wanted = options(0);
  wanted.clip = glm::vec4(glm::vec3(side), 0);  // a half of the sphere and of the sheet
  const Image plain = PictureMaker(context(), wanted).draw(frame(), camera_);
  wanted.shadow = 1;
  const Image shaded = PictureMaker(context(), wanted).draw(frame(), camera_);
  int dark = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const auto at = on_sheet(x, y);
      if (!at || sight_meets(x, y, 0.7 * lamp(), 0.27)) continue;
      if (glm::dot(*at, side) > sharpness && glm::length(*at) < 0.25 - sharpness) {
        ++dark;
        EXPECT_LT(light(shaded, x, y), 0.3 * light(plain, x, y)) << x << " " << y;
      }
    }
  EXPECT_GT(dark, 100);
}

TEST_F(Shadow, FallsOnTranslucentSurfaces) {
  add(0.7 * lamp(), 0.25);
  const std::vector<glm::dvec3> corners{-across(0) - across(1), across(0) - across(1),
                                        across(0) + across(1), across(1) - across(0)};
  const std::vector<glm::uvec3> triangles{{0, 1, 2}, {0, 2, 3}};
  const auto pane = std::make_shared<const SurfaceMesh>(with_normals(corners, triangles));
  const auto picture = [&](double strength) {
    Frame drawn = frame();
    drawn.surfaces = {{pane, glm::mat4(1), {1, 1, 1, 0.5f}, 0}};
    return PictureMaker(context(), options(strength)).draw(drawn, camera_);
  };
  const Image plain = picture(0), shaded = picture(1);
  const auto darker = [&](const glm::dvec3& at) {
    const glm::dvec2 p = pixels_of(from(), at, width, height);
    const int x = static_cast<int>(p.x), y = height - 1 - static_cast<int>(p.y);
    return *plain.pixel(x, y) - *shaded.pixel(x, y);
  };
  EXPECT_GT(darker({0, 0, 0}), 20);
  EXPECT_EQ(darker(0.5 * across(0)), 0);
}

TEST_F(Shadow, GoesWithTheCamera) {
  add_sheet();
  add(0.7 * lamp() + 0.2 * across(0), 0.25);
  const Image one = draw(1);
  for (std::size_t i = 0; i < cloud_.positions.size(); i += 3) {
    float* const p = &cloud_.positions[i];
    const float x = p[0];
    p[0] = -p[1], p[1] = x;  // by 90 degrees about z
  }
  camera_.azimuth += 90;
  const Image other = draw(1);
  // Rounding moves outlines by less than a sample.
  std::size_t differ = 0;
  for (std::size_t i = 0; i < one.rgb.size(); ++i)
    differ += std::abs(one.rgb[i] - other.rgb[i]) > 2;
  EXPECT_LT(differ, one.rgb.size() / 500);
}

TEST_F(Shadow, DoesNotDependOnTheUnitOfLength) {
  add_sheet();
  add(0.7 * lamp(), 0.25);
  const Image one = draw(1);
  for (float& x : cloud_.positions) x *= 1e12f;
  for (float& r : cloud_.radii) r *= 1e12f;
  camera_.distance *= 1e12;
  const Image large = draw(1);
  std::size_t differ = 0;
  for (std::size_t i = 0; i < one.rgb.size(); ++i)
    differ += std::abs(one.rgb[i] - large.rgb[i]) > 2;
  EXPECT_LT(differ, one.rgb.size() / 500) << "rounding moves outlines by less than a sample";
}

TEST_F(Shadow, RestsWhileOtherBodiesMove) {
  add_sheet();
  add(0.7 * lamp(), 0.25);
  // Beside the sheet and behind it, so that the map is fitted to other extents.
  const auto with_other = [&](double beside) {
    const Cloud before = cloud_;
    add(beside * across(0) - 0.3 * lamp(), 0.05);
    const Image image = draw(1);
    cloud_ = before;
    return image;
  };
  const Image one = with_other(1.052), other = with_other(1.0937);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const auto at = on_sheet(x, y);
      if (at && glm::length(*at) < 0.5) {
        EXPECT_EQ(*one.pixel(x, y), *other.pixel(x, y)) << x << " " << y;
      }
    }
}

TEST_F(Shadow, IsTheSameFromPictureToPicture) {
  add_sheet();
  add(0.7 * lamp(), 0.25);
  PictureMaker maker(context(), options(1));
  const Image first = maker.draw(frame(), camera_);
  cloud_.positions[12] += 0.5f;
  EXPECT_NE(maker.draw(frame(), camera_).rgb, first.rgb);
  cloud_.positions[12] -= 0.5f;
  EXPECT_EQ(maker.draw(frame(), camera_).rgb, first.rgb);
  EXPECT_EQ(draw(1).rgb, first.rgb);
}

}  // namespace
}  // namespace mote::render::shadow_test
