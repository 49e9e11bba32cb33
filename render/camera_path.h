#pragma once

#include <optional>
#include <vector>

#include "render/camera.h"

namespace mote::render {

/// One key of a camera path; omitted values come from the other keys.
struct CameraKey {
  double at = 0;                                       ///< coordinate along the path, finite
  std::optional<double> azimuth, elevation, distance;  ///< degrees, degrees, length > 0
  std::optional<glm::dvec3> target;
};

/// A camera path through keys. Azimuth, elevation, logarithm of the distance and each target
/// coordinate are interpolated independently through the keys that set them, by monotone cubic
/// curves (Fritsch and Carlson): value and slope are continuous, and a value never leaves the range
/// of the two neighbouring keys. The slope is zero at the first and last key, before and after
/// them, and at turning points. Angles are not wrapped: from 0 to 720 the camera goes round twice.
class CameraPath {
 public:
  /// `keys` in any order, with distinct coordinates; what no key sets is taken from `base`.
  CameraPath(const OrbitCamera& base, std::vector<CameraKey> keys);

  OrbitCamera at(double coordinate) const;

 private:
  /// One interpolated quantity along the path.
  struct Channel {
    std::vector<double> coordinate, value, slope;
    void finish();
    double at(double x, double fallback) const;
  };

  OrbitCamera base_;
  Channel azimuth_, elevation_, distance_, x_, y_, z_;
};

}  // namespace mote::render
