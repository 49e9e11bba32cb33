#include "engine/algo/for_each.cuh"
#include "engine/algo/reduce.cuh"
#include "sim/motion/block_bins.cuh"
#include "sim/motion/composition_device.h"
#include "sim/motion/integrator_list.h"
#include "sim/motion/integrators.h"
#include "sim/motion/trial.cuh"

namespace mote::sim {
namespace {

template <class... Methods>
std::unique_ptr<Integrator<engine::Cuda>> made_of(std::tuple<Methods...>*, const Integration& scene,
                                                  const ForceTraits& forces) {
  std::unique_ptr<Integrator<engine::Cuda>> made;
  const auto make = [&]<class Method>(Method*) {
    if constexpr (requires { Method::template make<engine::Cuda>(scene, forces); })
      if (Method::info().name == scene.name)
        made = Method::template make<engine::Cuda>(scene, forces);
  };
  (make(static_cast<Methods*>(nullptr)), ...);
  return made;
}

}  // namespace

template <>
std::unique_ptr<Integrator<engine::Cuda>> make_integrator(const Integration& scene,
                                                          const ForceTraits& forces) {
  auto made = made_of(static_cast<IntegratorMethods*>(nullptr), scene, forces);
  return made ? std::move(made) : make_device_composition(forces);
}

}  // namespace mote::sim
