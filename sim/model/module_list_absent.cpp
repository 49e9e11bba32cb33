#include "sim/axles/module/axles_physics.h"
#include "sim/contact/module/grains_physics.h"
#include "sim/field/module/fields_physics.h"
#include "sim/fixed/module/fixed_physics.h"
#include "sim/fluid/module/fluid_physics.h"
#include "sim/gravity/module/gravity_physics.h"
#include "sim/hand/module/hand_physics.h"
#include "sim/molecular/module/bonds_physics.h"
#include "sim/molecular/module/pairs_physics.h"
#include "sim/molecular/module/thermostat_physics.h"
#include "sim/motion/integrators.h"
#include "sim/soft/module/soft_physics.h"

// Stand-ins for modules and integrators on a GPU, in builds without CUDA. The linker chooses them,
// so that their other files are compiled alike with and without CUDA. No plan of such a build is
// for a GPU, so only the limits of whole steps are ever asked.
namespace mote::sim {

#define MOTE_NOT_ON_A_GPU(Module)                                                        \
  void Module::add_forces(const engine::Cuda&, const Model&, const State<engine::Host>&, \
                          Forces<engine::Cuda>&) const {}
#define MOTE_NO_BYTES(Module)                                                                \
  std::uint64_t Module::device_bytes(const Model&, engine::Index, engine::Precision) const { \
    return 0;                                                                                \
  }
#define MOTE_NO_WHOLE_STEPS(Module)                                                         \
  WholeStepLimits Module::whole_step_limits(const engine::Cuda&, engine::Precision) const { \
    return {};                                                                              \
  }

MOTE_NOT_ON_A_GPU(AxlesPhysics)
MOTE_NOT_ON_A_GPU(BondsPhysics)
MOTE_NOT_ON_A_GPU(FieldsPhysics)
MOTE_NOT_ON_A_GPU(FixedPhysics)
MOTE_NOT_ON_A_GPU(FluidPhysics)
MOTE_NOT_ON_A_GPU(GrainsPhysics)
MOTE_NOT_ON_A_GPU(GravityPhysics)
MOTE_NOT_ON_A_GPU(HandPhysics)
MOTE_NOT_ON_A_GPU(PairsPhysics)
MOTE_NOT_ON_A_GPU(SoftPhysics)
MOTE_NOT_ON_A_GPU(ThermostatPhysics)

MOTE_NO_BYTES(BondsPhysics)
MOTE_NO_BYTES(FieldsPhysics)
MOTE_NO_BYTES(FluidPhysics)
MOTE_NO_BYTES(GrainsPhysics)
MOTE_NO_BYTES(GravityPhysics)
MOTE_NO_BYTES(PairsPhysics)
MOTE_NO_BYTES(ThermostatPhysics)

MOTE_NO_WHOLE_STEPS(GravityPhysics)
MOTE_NO_WHOLE_STEPS(PairsPhysics)

DeviceSupport FieldsPhysics::device_support(const std::string&) const {
  return {};
}

#undef MOTE_NOT_ON_A_GPU
#undef MOTE_NO_BYTES
#undef MOTE_NO_WHOLE_STEPS

template <>
std::unique_ptr<Integrator<engine::Cuda>> make_integrator(const Integration&, const ForceTraits&) {
  return nullptr;
}

}  // namespace mote::sim
