#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "render/bodies.h"
#include "render/camera.h"
#include "render/color_map.h"
#include "render/context.h"
#include "render/frame.h"
#include "render/shader_folder.h"

namespace mote::render {

struct PictureOptions {
  int width = 1280, height = 720;  ///< pixels, 1 to 16384 or what the driver can
  std::string map = "inferno";     ///< one of color_map_names()
  double exposure = 0;             ///< stops (factors of two) brighter than automatic
  double point_size = 0;  ///< diameter in pixels; 0: automatic, larger the fewer points there are
  Bodies bodies = Bodies::stars;
  double sphere_radius = 0;         ///< world length; 0: as point_size says
  bool own_radii = true;            ///< spheres of points that have radii are drawn with these
  std::vector<Color> palette = {};  ///< instead of the map: colours of points whose scalars are 0,
                                    ///< 1, 2, ...
  bool solids = false;              ///< points of negative radii are drawn with a fluid
};

/// An sRGB picture, three bytes a pixel, rows from the top, no padding.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;

  /// Red of the pixel in this column and row (from the top); green and blue follow.
  const std::uint8_t* pixel(int x, int y) const {
    return &rgb[3 * (static_cast<std::size_t>(y) * width + x)];
  }
};

/// Draws frames without a display. The same frame and camera give the same bytes on one machine and
/// driver. Keeps a reference to the context, which must outlive it and is made current by every
/// call.
class PictureMaker {
 public:
  /// Throws engine::InputError for an unknown map or impossible sizes, engine::SystemError when the
  /// driver or the shaders fail.
  PictureMaker(EglContext& context, const PictureOptions& options,
               const std::filesystem::path& shaders = find_shaders());
  ~PictureMaker();
  PictureMaker(const PictureMaker&) = delete;
  PictureMaker& operator=(const PictureMaker&) = delete;

  /// Points that are not finite are skipped; a frame without points gives the background.
  Image draw(const Frame& frame, const OrbitCamera& camera);

  /// From the next picture that shows any light on, all pictures are exposed like it, so that a
  /// movie does not flicker. Calling again measures anew.
  void hold_exposure();

 private:
  struct Parts;
  EglContext& context_;
  PictureOptions options_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace mote::render
