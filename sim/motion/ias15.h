#pragma once

#include <memory>

#include "sim/motion/integration.h"

namespace mote::sim {

/// Options of the integrator, as in a scene.
struct Ias15Options {
  double tolerance = 1e-9;  ///< limit of (step / shortest timescale)^7
};
const engine::ParamTable<Ias15Options>& ias15_table();

/// Gauss-Radau integrator of 15th order (Ias15 in ias15_steps.h).
IntegratorInfo ias15();

/// On a GPU; defined in builds with CUDA, and null in others.
std::unique_ptr<Integrator<engine::Cuda>> make_device_ias15(const Integration& settings,
                                                            const ForceTraits& forces);

}  // namespace mote::sim
