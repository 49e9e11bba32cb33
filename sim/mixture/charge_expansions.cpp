#include "sim/mixture/charge_expansions.h"

#include <cmath>

#include "engine/exec/with_cuda.h"
#include "sim/gravity/multipole/multipole_device.h"

namespace mote::sim {

using engine::Backend;
using engine::Cpu;
using engine::Cuda;
using engine::Host;
using engine::Index;
using engine::Precision;

MultipoleSettings ChargeExpansions::settings(Backend backend, Precision precision,
                                             const std::string& key) const {
  MultipoleSettings settings = multipole_settings(accuracy_, 0, 0, backend);
  // From measurements: a gas of ions has a tenth of the error that is asked for, a crystal whose
  // ions are off their sites by 0.1 of their distance all of it, since its forces are small.
  settings.fraction *= 2;
  settings.in_single = sums_in_single(key, accuracy_, precision);
  return settings;
}

std::optional<double> ChargeExpansions::excess(const State<Host>& state) const {
  if (!sums_images(domain_)) return {};
  double sum = 0, size = 0;
  for (Index i = 0; i < state.count(); ++i) {
    const double charge = charges_.of(state.species() ? state.species()[i] : 0);
    sum += charge, size += std::fabs(charge);
  }
  constexpr double round_off = 1e-9;
  if (std::fabs(sum) > round_off * size) return sum;
  return {};
}

void ChargeExpansions::add_forces(const Cpu&, const State<Host>& initial,
                                  Forces<Cpu>& forces) const {
  add_force<Cpu, MultipoleGravity>(
      forces, MultipoleGravity(settings(Backend::cpu, initial.precision()), charges_, images()));
}

void ChargeExpansions::add_forces(const Cuda&, const State<Host>& initial,
                                  Forces<Cuda>& forces) const {
  if constexpr (engine::with_cuda)
    add_force<Cuda, DeviceMultipoleGravity>(
        forces, DeviceMultipoleGravity(settings(Backend::cuda, initial.precision()), charges_,
                                       initial, images()));
}

std::uint64_t ChargeExpansions::host_bytes(Index count, Precision precision) const {
  return MultipoleGravity::scratch_bytes(count, settings(Backend::cpu, precision));
}

std::uint64_t ChargeExpansions::device_bytes(Index count, Precision precision) const {
  if constexpr (engine::with_cuda)
    return DeviceMultipoleGravity::device_bytes(count, settings(Backend::cuda, precision));
  return 0;
}

double ChargeExpansions::interactions(Index count, Backend backend) const {
  return MultipoleGravity::interactions(count, settings(backend, Precision::double_));
}

}  // namespace mote::sim
