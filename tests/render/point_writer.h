#pragma once

#include <memory>
#include <string>
#include <vector>

#include "render/shared_points.h"

namespace mote::render {

/// Positions and scalars of a frame, and radii where it has some.
struct Points {
  std::vector<float> positions, scalars, radii = {};

  /// A frame unique to this number.
  static Points of_frame(int number, engine::Index count, bool with_radii = false) {
    Points made;
    for (engine::Index i = 0; i < count; ++i) {
      for (int k = 0; k < 3; ++k)
        made.positions.push_back(static_cast<float>(4 * i + k) +
                                 0.001f * static_cast<float>(number));
      if (with_radii)
        made.radii.push_back(static_cast<float>(number + 1) / static_cast<float>(i + 1));
      made.scalars.push_back(static_cast<float>(number) + 1.0f / static_cast<float>(i + 2));
    }
    return made;
  }
  bool operator==(const Points&) const = default;
};

/// Why no GPU can run a simulation here; "" if one can.
const std::string& no_stepping_gpu();
bool stepping_gpu_is_emulated();

/// Writes frames like a simulation: on the host, or with a stream of GPU 0. Never calls OpenGL.
class PointWriter {
 public:
  explicit PointWriter(bool on_gpu);
  ~PointWriter();
  PointWriter(const PointWriter&) = delete;
  PointWriter& operator=(const PointWriter&) = delete;

  /// Does not wait if the target is on the device.
  void write(const SharedTarget& target, const Points& points);

 private:
  struct Gpu;
  std::unique_ptr<Gpu> gpu_;
};

}  // namespace mote::render
