#pragma once

#include "sim/run/simulation.h"

namespace mote::bench {

/// Times the kernels of a step of a liquid on a GPU for each number of threads per body.
void time_kernels(sim::Simulation& simulation, const sim::SceneDescription& scene);

}  // namespace mote::bench
