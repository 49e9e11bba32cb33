#pragma once

#include <memory>

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"
#include "sim/space/obstacles.h"

namespace mote::sim {

/// Obstacles as kernels see them; all pointers lead into device memory.
template <class Real>
struct DeviceObstacleView {
  int count;
  Obstacle<Real>* all;  ///< their frames are those of the time of the last `move`
  const ObstacleMotion* motion;

  /// Brings one of them to where it is at a time. For one thread.
  MOTE_HOST_DEVICE void move(int obstacle, double time) const {
    all[obstacle].frame = frame_at<Real>(motion[obstacle], time);
  }
};

/// The obstacles of a simulation on a GPU. `Real` is the number type of its states.
template <class Real>
class DeviceObstacles {
 public:
  /// Waits.
  DeviceObstacles(const engine::Cuda& exec, const Obstacles& obstacles);

  DeviceObstacleView<Real> view() {
    return {static_cast<int>(motion_.size()), obstacle_.data(), motion_.data()};
  }

 private:
  engine::Buffer<Obstacle<Real>, engine::Device> obstacle_;
  engine::Buffer<ObstacleMotion, engine::Device> motion_;
  std::vector<engine::Buffer<float, engine::Device>> distances_;  ///< of meshes
};

}  // namespace mote::sim
