// Ambient occlusion.
#include "render/pass/occlusion.h"

#include <algorithm>
#include <cmath>

#include "render/pass/spheres.h"
#include "render/picture.h"
#include "render/shader_folder.h"
#include "tests/render/cloud.h"
#include "tests/render/scene_test.h"

namespace mote::render::occlusion_test {
namespace {

constexpr int width = 320, height = 240;

class Occlusion : public SceneTest {
 protected:
  /// The camera is at (0, -3, 0) and looks along y; x is right and z up.
  Occlusion() {
    camera_.elevation = 0;
    camera_.field_of_view = 70;
  }
  Viewpoint from() const { return camera_.viewpoint(width, height); }

  /// The sky that pixels of these spheres see.
  std::vector<float> sky(const Cloud& cloud, float radius, float strength = 1) {
    const Lens lens(from().view, from().projection);
    SampleTarget picture(width, height);
    FrameBuffers buffers;
    SpheresPass(find_shaders(), color_map_named("grey"))
        .draw(buffers.upload(cloud.frame()), lens, {radius, 1}, picture);
    OcclusionPass pass(find_shaders());
    std::vector<float> seen(static_cast<std::size_t>(width) * height);
    glGetTextureImage(pass.find(picture, lens, strength), 0, GL_RED, GL_FLOAT,
                      static_cast<GLsizei>(seen.size() * sizeof(float)), seen.data());
    return seen;
  }
  float at(const std::vector<float>& seen, const glm::dvec3& point) const {
    const glm::dvec2 p = pixels_of(from(), point, width, height);
    return seen[static_cast<std::size_t>(p.y) * width + static_cast<std::size_t>(p.x)];
  }

  OrbitCamera camera_;
};

TEST_F(Occlusion, ASphereAloneSeesAllOfTheSky) {
  const std::vector<float> seen = sky({{0, 0, 0}, {0}, {}}, 0.8f);
  EXPECT_GT(*std::min_element(seen.begin(), seen.end()), 0.97f);
}

TEST_F(Occlusion, DarkensWhereSpheresMeet) {
  Cloud two;
  two.add(-0.5f, 0, 0, 0);
  two.add(0.5f, 0, 0, 0);
  const std::vector<float> seen = sky(two, 0.5f);
  // Just beside the contact, inside of the left sphere: the other one fills half of the sky there.
  const double x = -0.03, y = -std::sqrt(0.25 - (x + 0.5) * (x + 0.5));
  EXPECT_LT(at(seen, {x, y, 0}), 0.75f);
  EXPECT_GT(at(seen, {-0.5, -0.5, 0}), 0.97f) << "in front of the sphere's centre";
  EXPECT_EQ(at(seen, {0, 0, 1}), 1) << "where nothing is";
  const std::vector<float> none = sky(two, 0.5f, 0);
  EXPECT_EQ(*std::min_element(none.begin(), none.end()), 1) << "of no strength";
}

TEST_F(Occlusion, DoesNotDependOnTheUnitOfLength) {
  Cloud two, far;
  two.add(-0.5f, 0, 0, 0);
  two.add(0.5f, 0, 0, 0);
  far.add(-0.5e12f, 0, 0, 0);
  far.add(0.5e12f, 0, 0, 0);
  const std::vector<float> small = sky(two, 0.5f);
  camera_.distance *= 1e12;
  const std::vector<float> large = sky(far, 0.5e12f);
  double worst = 0;
  for (std::size_t i = 0; i < small.size(); ++i)
    worst = std::max(worst, std::fabs(double(small[i]) - double(large[i])));
  EXPECT_LT(worst, 0.02) << "half floats have 11 bits, and edges may move by a sample";
}

TEST_F(Occlusion, OfAViewDarkensBodiesAndNothingElse) {
  Cloud two;
  two.add(-0.5f, 0, 0, 0);
  two.add(0.5f, 0, 0, 0);
  const auto picture = [&](double strength) {
    PictureOptions options{.width = width, .height = height, .bodies = Bodies::spheres};
    options.sphere_radius = 0.5, options.occlusion = strength;
    return PictureMaker(context(), options).draw(two.frame(), camera_);
  };
  const Image plain = picture(0), shaded = picture(1);
  const glm::dvec2 p = pixels_of(from(), {-0.03, -0.17, 0}, width, height);
  const int x = static_cast<int>(p.x), y = height - 1 - static_cast<int>(p.y);
  EXPECT_LT(*shaded.pixel(x, y), *plain.pixel(x, y) - 10) << "beside the contact";
  EXPECT_EQ(std::vector<int>(shaded.pixel(2, 2), shaded.pixel(2, 2) + 3),
            std::vector<int>(plain.pixel(2, 2), plain.pixel(2, 2) + 3));
}

TEST_F(Occlusion, IsThatOfTheSphereAlongItsOutlineToo) {
  FrameBuffers buffers;
  const Cloud ball{{0, 0, 0}, {0.7f}, {}};
  const PointBuffers points = buffers.upload(ball.frame());
  const Lens lens(from().view, from().projection);
  SampleTarget picture(width, height);
  SpheresPass spheres(find_shaders(), color_map_named("grey"));
  const Target screen(width, height, Target::Kind::screen);
  // Linear light of the red channel.
  const auto draw = [&](float brightness, GLuint sky) {
    spheres.draw(points, lens, {0.8f, brightness}, picture);
    spheres.compose(picture, screen, true, sky);
    std::vector<double> light;
    const auto bytes = screen.read_screen();
    for (std::size_t i = 0; i < bytes.size(); i += 3)
      light.push_back(std::pow((bytes[i] / 255.0 + 0.055) / 1.055, 2.4));
    return light;
  };
  const std::vector<double> plain = draw(1, 0), black = draw(0, 0);
  // The sphere sees half of the sky, and the background, where it fills first samples, all of it.
  std::vector<float> half;
  for (const float nearness : picture.read_nearness()) half.push_back(nearness > 0 ? 0.5f : 1);
  const TextureHandle sky = make_texture(GL_TEXTURE_2D);
  glTextureStorage2D(sky.name(), 1, GL_R16F, width, height);
  glTextureSubImage2D(sky.name(), 0, 0, 0, width, height, GL_RED, GL_FLOAT, half.data());
  const std::vector<double> shaded = draw(1, sky.name());
  int along_outline = 0;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    along_outline += half[i] == 1 && plain[i] > black[i] + 0.05;
    // Each of the three is rounded and dithered by up to one step, which is 1/110 of linear light
    // at most.
    EXPECT_NEAR(shaded[i] - black[i], 0.5 * (plain[i] - black[i]), 2.0 / 110) << i;
  }
  EXPECT_GT(along_outline, 50) << "pixels whose first sample is beside the sphere";
}

}  // namespace
}  // namespace mote::render::occlusion_test
