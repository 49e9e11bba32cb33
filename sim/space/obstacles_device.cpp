#include "sim/space/obstacles_device.h"

#include "engine/exec/stream.h"

namespace mote::sim {

template <class Real>
DeviceObstacles<Real>::DeviceObstacles(const engine::Cuda& exec, const Obstacles& obstacles)
    : obstacle_(obstacles.count()), motion_(obstacles.count()) {
  std::vector<Obstacle<Real>> all;
  std::vector<ObstacleMotion> motions;
  const std::vector<SolidState> resting(static_cast<std::size_t>(obstacles.solids()));
  obstacles.at(0, resting.data(), all);
  for (int k = 0; k < obstacles.count(); ++k) {
    motions.push_back(obstacles.motion(k));
    const MeshDistance* const mesh = obstacles.mesh(k);
    if (!mesh) continue;
    distances_.emplace_back(mesh->distance.size());
    engine::copy_to_device(distances_.back().data(), mesh->distance.data(), mesh->distance.size(),
                           exec.stream);
    all[static_cast<std::size_t>(k)].grid.distance = distances_.back().data();
  }
  engine::copy_to_device(obstacle_.data(), all.data(), obstacle_.size(), exec.stream);
  engine::copy_to_device(motion_.data(), motions.data(), motion_.size(), exec.stream);
  engine::wait(exec);
}

template class DeviceObstacles<float>;
template class DeviceObstacles<double>;

}  // namespace mote::sim
