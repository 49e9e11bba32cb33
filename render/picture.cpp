#include "render/picture.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "engine/check.h"
#include "engine/text.h"
#include "render/color_map.h"
#include "render/gl/target.h"
#include "render/pass/exposure.h"
#include "render/pass/points.h"
#include "render/pass/tonemap.h"

namespace mote::render {
namespace {

const PictureOptions& checked(const PictureOptions& options) {
  if (!std::isfinite(options.exposure) || std::abs(options.exposure) > 30)
    throw engine::InputError("", "an exposure of " + engine::number_text(options.exposure) + " stops",
                             "it is a number from -30 to 30");
  if (!std::isfinite(options.point_size) || options.point_size < 0)
    throw engine::InputError("", "a point size of " + engine::number_text(options.point_size) + " pixels",
                             "it is a diameter in pixels, or 0 for automatic");
  return options;
}

Image image_of(const Target& screen) {
  Image image{screen.width(), screen.height(), screen.read_screen()};
  const auto row = static_cast<std::ptrdiff_t>(image.width) * 3;
  for (int low = 0, high = image.height - 1; low < high; ++low, --high)
    std::swap_ranges(image.rgb.begin() + low * row, image.rgb.begin() + (low + 1) * row,
                     image.rgb.begin() + high * row);
  return image;
}

}  // namespace

struct PictureMaker::Parts {
  Parts(const PictureOptions& options, const std::filesystem::path& shaders)
      : light(options.width, options.height, Target::Kind::light),
        screen(options.width, options.height, Target::Kind::screen),
        points(shaders, color_map_named(options.map)),
        meter(shaders),
        tonemap(shaders) {}

  Target light, screen;
  PointsPass points;
  ExposurePass meter;
  TonemapPass tonemap;
  std::optional<Exposure> held;
  bool hold = false;

  Exposure expose(float density_of_one) {
    if (held) return *held;
    const LightHistogram histogram = meter.measure(light);
    const Exposure exposure = exposure_of(histogram, density_of_one);
    const bool lit = std::any_of(histogram.begin(), histogram.end(), [](auto count) { return count > 0; });
    if (hold && lit) held = exposure;
    return exposure;
  }
};

PictureMaker::PictureMaker(EglContext& context, const PictureOptions& options,
                           const std::filesystem::path& shaders)
    : context_(context), options_(checked(options)) {
  context_.make_current();
  parts_ = std::make_unique<Parts>(options_, shaders);
}

PictureMaker::~PictureMaker() {
  try {
    context_.make_current();
  } catch (...) {  // the driver is gone, and its objects with it
  }
  parts_.reset();
}

Image PictureMaker::draw(const Frame& frame, const OrbitCamera& camera) {
  context_.make_current();
  Parts& parts = *parts_;
  const double aspect = static_cast<double>(options_.width) / options_.height;
  const PointStyle style = automatic_style(frame, options_.width, options_.height, options_.point_size);
  parts.light.clear({0, 0, 0, 0});
  parts.points.draw(frame, camera.projection_matrix(aspect) * camera.view_matrix(), style, parts.light);
  Exposure exposure = parts.expose(style.density_of_one);
  const auto darker = static_cast<float>(std::exp2(-options_.exposure));
  exposure.white *= darker;
  exposure.faint *= darker;
  parts.tonemap.draw(parts.light, exposure, parts.screen);
  return image_of(parts.screen);
}

void PictureMaker::hold_exposure() {
  parts_->hold = true;
  parts_->held.reset();
}

}  // namespace mote::render
