#pragma once

#include <optional>
#include <vector>

#include "render/camera.h"

namespace mote::render {

/// What a camera does at one moment of its path; what is not given is left to the other keys.
struct CameraKey {
  double at = 0;                                       ///< coordinate along the path, finite
  std::optional<double> azimuth, elevation, distance;  ///< degrees, degrees, length > 0
  std::optional<glm::dvec3> target;
};

/// A camera that goes through keys. Each of azimuth, elevation, logarithm of the distance and
/// coordinate of the target is interpolated for itself through the keys that give it, by monotone
/// cubic curves (Fritsch and Carlson): value and speed are continuous, a value never leaves the
/// range of the two keys around it, and it stands still at the first and the last key, before,
/// behind, and where it turns round. Angles are taken as they are: from 0 to 720 the camera goes
/// round twice.
class CameraPath {
 public:
  /// `keys` in any order, no two at one place; what no key gives is that of `base`.
  CameraPath(const OrbitCamera& base, std::vector<CameraKey> keys);

  OrbitCamera at(double place) const;

 private:
  /// A number along the path.
  struct Channel {
    std::vector<double> place, value, slope;
    void finish();
    double at(double x, double otherwise) const;
  };

  OrbitCamera base_;
  Channel azimuth_, elevation_, distance_, x_, y_, z_;
};

}  // namespace mote::render
