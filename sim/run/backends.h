#pragma once

#include <memory>

#include "sim/run/plan.h"

namespace mote::sim {

class Simulation;
struct InitialState;

/// A simulation on the CPU. `start`: of this scene; ranks of a process may share it.
std::unique_ptr<Simulation> open_cpu_simulation(const SceneDescription& scene, const Plan& plan,
                                                std::shared_ptr<InitialState> start);

/// A simulation on the planned GPU. Throws SystemError in a build without CUDA.
std::unique_ptr<Simulation> open_cuda_simulation(const SceneDescription& scene, const Plan& plan,
                                                 std::shared_ptr<InitialState> start);

}  // namespace mote::sim
