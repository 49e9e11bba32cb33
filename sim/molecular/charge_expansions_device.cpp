#include "sim/molecular/charge_expansions.h"

#include "sim/expansions/multipole_device.h"

namespace mote::sim {

void ChargeExpansions::add_forces(const engine::Cuda&, const State<engine::Host>& initial,
                                  Forces<engine::Cuda>& forces) const {
  check(initial, "");
  add_force<engine::Cuda, DeviceMultipoleSolver>(
      forces, DeviceMultipoleSolver(settings(initial.precision()), charges_, initial, images()));
}

std::uint64_t ChargeExpansions::device_bytes(engine::Index count,
                                             engine::Precision precision) const {
  return DeviceMultipoleSolver::device_bytes(count, settings(precision), sums_images(domain_), true,
                                             precision);
}

}  // namespace mote::sim
