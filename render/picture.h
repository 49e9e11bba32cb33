#pragma once

#include <cstdint>
#include <filesystem>
#include <glm/vec4.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/units.h"
#include "render/bodies.h"
#include "render/body_looks.h"
#include "render/camera.h"
#include "render/color_map.h"
#include "render/context.h"
#include "render/frame.h"
#include "render/shader_folder.h"

namespace mote::render {

struct PictureOptions {
  int width = 1280, height = 720;  ///< pixels, 1 to 16384 or the driver's limit
  std::string map = "inferno";     ///< a name that color_map_named takes
  double exposure = 0;             ///< stops (factors of two) above automatic
  double point_size = 0;  ///< diameter in pixels; 0: automatic, larger the fewer points there are
  Bodies bodies = Bodies::stars;
  double sphere_radius = 0;  ///< world length; 0: from point_size
  bool own_radii = true;     ///< points that have radii are drawn with these as spheres
  /// replaces the map: colours of points with scalars 0, 1, 2, ...
  std::vector<Color> palette = {};
  double occlusion = 0;                ///< strength of ambient occlusion; 0: none
  double shadow = 0;                   ///< strength of shadows, 0 to 1; 0: none
  std::optional<glm::vec4> clip = {};  ///< see ViewStyle::clip
  bool on_white = false;               ///< a white background, for print
  bool solids = false;                 ///< points of negative radii are drawn with a fluid
  std::vector<Look> looks = {};        ///< looks of the kinds of points

  /// Explanations in the pictures: none, measures (legend, scale bar and time), or all of them.
  enum class Overlay { none, measures, all } overlay = Overlay::none;
  std::string title = {}, credits = {};
  engine::UnitSystem units = {};             ///< units of the scale bar
  std::vector<std::string> categories = {};  ///< names of the colours of the palette from 1 on
};

/// An sRGB picture, three bytes per pixel, rows from the top, no padding.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;

  /// Pointer to red of the pixel at (x, y), y from the top; green and blue follow.
  const std::uint8_t* pixel(int x, int y) const {
    return &rgb[3 * (static_cast<std::size_t>(y) * width + x)];
  }
};

/// Draws frames without a display. The same frame and camera give the same bytes on one machine and
/// driver. Keeps a reference to the context, which must outlive it and is made current by every
/// call.
class PictureMaker {
 public:
  /// Throws engine::InputError for an unknown map or invalid sizes, engine::SystemError when the
  /// driver or the shaders fail.
  PictureMaker(EglContext& context, const PictureOptions& options,
               const std::filesystem::path& shaders = find_shaders());
  ~PictureMaker();
  PictureMaker(const PictureMaker&) = delete;
  PictureMaker& operator=(const PictureMaker&) = delete;

  /// Non-finite points are skipped; a frame without points gives the background.
  Image draw(const Frame& frame, const OrbitCamera& camera);

  /// The next lit picture sets the exposure of all later ones, so that a movie does not flicker.
  /// Calling it again takes a new measurement.
  void hold_exposure();

 private:
  struct Parts;
  EglContext& context_;
  PictureOptions options_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace mote::render
