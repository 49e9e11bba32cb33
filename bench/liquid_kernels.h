#pragma once

#include "sim/run/simulation.h"

namespace mote::bench {

/// Times what a step of a liquid on a GPU consists of, for each number of threads a body.
void time_kernels(sim::Simulation& simulation, const sim::SceneDescription& scene);

}  // namespace mote::bench
