#include "render/pass/exposure.h"

#include <cmath>
#include <numeric>

#include "render/shader_folder.h"
#include "tests/render/gl_test.h"

namespace mote::render {
namespace {

std::size_t bin_of(double density) {
  return static_cast<std::size_t>((std::log2(density) + 32) * 16);
}

TEST(Exposure, WhiteIsWhatNearlyAllLitPixelsStayBelow) {
  LightHistogram histogram{};
  histogram[bin_of(2.0)] = 9900;
  histogram[bin_of(4096.0)] = 100;
  const Exposure exposure = exposure_of(histogram, 0.5f);
  EXPECT_NEAR(exposure.white, 2, 0.1);
  EXPECT_NEAR(exposure.faint, exposure.white / 30, 1e-6);  // the bound, as 0.6 * 0.5 exceeds it
}

TEST(Exposure, FaintFollowsFromOnePointWithinBounds) {
  LightHistogram histogram{};
  histogram[bin_of(64.0)] = 1000;
  EXPECT_NEAR(exposure_of(histogram, 1).faint, 0.6, 1e-6);
  EXPECT_NEAR(exposure_of(histogram, 1e-9f).faint, exposure_of(histogram, 1).white / 1000, 1e-6);
}

TEST(Exposure, OfDarknessIsUsable) {
  const Exposure exposure = exposure_of(LightHistogram{}, 0);
  EXPECT_GT(exposure.faint, 0);
  EXPECT_LT(exposure.faint, exposure.white);
}

class ExposureMeter : public GlTest {};

TEST_F(ExposureMeter, CountsEveryLitPixelOnceByItsDensity) {
  ExposurePass meter(find_shaders());
  for (const int width : {1, 15, 16, 17, 100}) {
    const Target light(width, 33, Target::Kind::light);
    light.clear({0, 0, 0, 3});
    const LightHistogram histogram = meter.measure(light);
    EXPECT_EQ(histogram[bin_of(3)], static_cast<std::uint32_t>(width * 33));
    EXPECT_EQ(std::accumulate(histogram.begin(), histogram.end(), 0u),
              static_cast<std::uint32_t>(width * 33));
  }
}

TEST_F(ExposureMeter, CountsNoDarkPixels) {
  ExposurePass meter(find_shaders());
  const Target light(64, 64, Target::Kind::light);
  light.clear({0, 0, 0, 0});
  const LightHistogram histogram = meter.measure(light);
  EXPECT_EQ(std::accumulate(histogram.begin(), histogram.end(), 0u), 0u);
}

}  // namespace
}  // namespace mote::render
