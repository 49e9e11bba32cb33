#pragma once

#include <memory>

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"
#include "sim/space/obstacles.h"

namespace mote::sim {

/// Obstacles as a kernel argument; all pointers are device pointers.
template <class Real>
struct DeviceObstacleView {
  int count;
  Obstacle<Real>* all;  ///< obstacles with their frames at the time of the last `move`
  const ObstacleMotion* motion;
  const SolidState* solids;  ///< the state's solids; null without any

  /// Sets the frame of one obstacle to a time. Called by one thread.
  MOTE_HOST_DEVICE void move(int obstacle, double time) const {
    all[obstacle].frame = frame_at<Real>(motion[obstacle], time, solids);
  }
};

/// The obstacles of a simulation on a GPU. `Real` is the number type of its states.
template <class Real>
class DeviceObstacles {
 public:
  /// Synchronises.
  DeviceObstacles(const engine::Cuda& exec, const Obstacles& obstacles);

  /// `solids`: in device memory (solids_of); null without solids.
  DeviceObstacleView<Real> view(const SolidState* solids) {
    return {static_cast<int>(motion_.size()), obstacle_.data(), motion_.data(), solids};
  }

 private:
  engine::Buffer<Obstacle<Real>, engine::Device> obstacle_;
  engine::Buffer<ObstacleMotion, engine::Device> motion_;
  std::vector<engine::Buffer<float, engine::Device>> distances_;  ///< distances from meshes
};

}  // namespace mote::sim
