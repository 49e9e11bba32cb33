#pragma once

#include <memory>

#include "sim/run/plan.h"

namespace mote::sim {

class Simulation;

/// A simulation on the CPU.
std::unique_ptr<Simulation> open_cpu_simulation(const SceneDescription& scene, const Plan& plan);

/// A simulation on the planned GPU. Throws SystemError in a build without CUDA.
std::unique_ptr<Simulation> open_cuda_simulation(const SceneDescription& scene, const Plan& plan);

}  // namespace mote::sim
