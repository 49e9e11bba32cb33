#include "engine/algo/for_each.cuh"
#include "engine/algo/reduce.cuh"
#include "sim/motion/ias15.h"
#include "sim/motion/trial.cuh"

namespace mote::sim {

std::unique_ptr<Integrator<engine::Cuda>> make_device_ias15(const Integration& settings,
                                                            const ForceTraits& forces) {
  return std::make_unique<Ias15<engine::Cuda>>(options_of(settings, ias15_table()),
                                               forces.translation_invariant);
}

}  // namespace mote::sim
