#pragma once

#include "engine/exec/launch.cuh"
#include "sim/space/obstacles_device.h"
#include "sim/step.h"

namespace mote::sim {

template <class Real>
__global__ void set_obstacle_frames(DeviceObstacleView<Real> obstacles, const StepClock* clock,
                                    double elapsed_fraction, const DeviceRecord* record) {
  const double time = time_at(*clock, static_cast<std::int64_t>(record->steps), elapsed_fraction);
  for (int k = static_cast<int>(threadIdx.x); k < obstacles.count;
       k += static_cast<int>(blockDim.x))
    obstacles.move(k, time);
}

/// Moves obstacles to the time of the positions. Asynchronous.
template <class Real>
void move_obstacles(const engine::Cuda& exec, const DeviceObstacleView<Real>& obstacles,
                    const StageTime& time) {
  if (obstacles.count > 0)
    engine::launch(exec, {1, 128}, set_obstacle_frames<Real>, obstacles, time.clock,
                   time.elapsed_fraction, static_cast<const DeviceRecord*>(time.record));
}

}  // namespace mote::sim
