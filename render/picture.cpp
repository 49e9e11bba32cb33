#include "render/picture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "engine/check.h"
#include "engine/text.h"
#include "render/color_map.h"
#include "render/frame_buffers.h"
#include "render/gl/target.h"
#include "render/pass/points.h"
#include "render/scene_view.h"
#include "render/ui/caption.h"

namespace mote::render {
namespace {

const PictureOptions& checked(const PictureOptions& options) {
  if (!std::isfinite(options.exposure) || std::abs(options.exposure) > 30)
    throw engine::InputError("",
                             "an exposure of " + engine::number_text(options.exposure) + " stops",
                             "use a number from -30 to 30");
  if (!std::isfinite(options.point_size) || options.point_size < 0)
    throw engine::InputError(
        "", "a point size of " + engine::number_text(options.point_size) + " pixels",
        "use a diameter in pixels, or 0 for automatic");
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
      : screen(options.width, options.height, Target::Kind::screen), view(shaders) {
    style.map = color_map_named(options.map).name;
    style.palette = options.palette;
    style.exposure = options.exposure;
    style.sphere_radius = options.sphere_radius;
    style.own_radii = options.own_radii;
    style.solids = options.solids;
    style.on_white = options.on_white;
    style.occlusion = options.occlusion;
    style.shadow = options.shadow;
    style.clip = options.clip;
    style.looks = options.looks;
    style.bodies = options.bodies;
    style.point_size = options.point_size * 720 / options.height;
    // only the bitwise reproducible path
    style.splat_from = std::numeric_limits<engine::Index>::max();
  }

  ui::Caption caption_of(const Frame& frame, const Viewpoint& from, const PictureOptions& options);

  Target screen;
  SceneView view;
  std::optional<ui::CaptionWriter> captions;
  FrameBuffers buffers;
  ViewStyle style;
};

ui::Caption PictureMaker::Parts::caption_of(const Frame& frame, const Viewpoint& from,
                                            const PictureOptions& options) {
  ui::Caption caption;
  caption.on_white = options.on_white;
  caption.time = frame.time_label;
  caption.per_pixel = from.scale;
  caption.units = options.units;
  for (const NameTag& tag : frame.names) {
    if (is_clipped(options.clip, tag.position)) continue;
    if (const auto at = pixel_of(from, tag.position, options.width, options.height))
      caption.names.push_back(
          {at->x, at->y, tag.name,
           pixels_of(from, tag.position, tag.radius > 0 ? tag.radius : view.sphere_radius(),
                     options.height)});
  }
  const bool of_scalar = frame.count() > 0 && !all_colored(frame.own_looks, frame.count());
  if (of_scalar && !(options.bodies == Bodies::fluid && options.palette.empty())) {
    caption.legend.emplace(ui::Legend{frame.scalar_name, style.map,
                                      frame.scalar_factor * frame.scalar_low,
                                      frame.scalar_factor * frame.scalar_high});
    for (std::size_t k = 0; k < options.categories.size(); ++k)
      caption.legend->entries.push_back({options.categories[k], options.palette.at(k + 1)});
  }
  if (options.overlay != PictureOptions::Overlay::all) return caption;
  caption.title = options.title;
  caption.credits = options.credits;
  return caption;
}

PictureMaker::PictureMaker(EglContext& context, const PictureOptions& options,
                           const std::filesystem::path& shaders)
    : context_(context), options_(checked(options)) {
  context_.make_current();
  parts_ = std::make_unique<Parts>(options_, shaders);
}

PictureMaker::~PictureMaker() {
  try {
    context_.make_current();
  } catch (...) {  // the driver is gone, and with it its objects
  }
  parts_.reset();
}

Image PictureMaker::draw(const Frame& frame, const OrbitCamera& camera) {
  context_.make_current();
  Parts& parts = *parts_;
  const WeightRange weights = measure_weights(frame.weights);
  parts.style.mean_weight = weights.mean;
  parts.style.largest_weight = weights.largest;
  Extras extras;
  extras.lines = frame.lines;
  extras.surfaces = frame.surfaces;
  extras.mesh = frame.mesh;
  extras.kinds = frame.kinds;
  extras.own_looks = frame.own_looks;
  const Viewpoint from = camera.viewpoint(options_.width, options_.height);
  parts.view.draw(parts.buffers.upload(frame), from, parts.style, extras,
                  parts.screen.framebuffer(), options_.width, options_.height);
  if (options_.overlay != PictureOptions::Overlay::none) {
    if (!parts.captions) parts.captions.emplace();
    parts.captions->draw(parts.caption_of(frame, from, options_), parts.screen.framebuffer(),
                         options_.width, options_.height);
  }
  return image_of(parts.screen);
}

void PictureMaker::hold_exposure() {
  parts_->view.hold_exposure(true);
}

}  // namespace mote::render
