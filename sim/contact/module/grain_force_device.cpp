#include "sim/contact/module/grain_force_device.h"

#include "engine/exec/parallel.h"
#include "sim/contact/module/grain_force.h"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Host;

std::variant<DeviceContactForce<float>, DeviceContactForce<double>> force_of(
    const Cuda& exec, const Grains& grains, const Model& model, const State<Host>& initial) {
  const Obstacles obstacles = obstacles_of(grains, model, initial, engine::available_threads());
  const std::vector<std::uint8_t> members = contact_members(model, initial);
  const ExemptLists exempt = exempt_bodies(model, initial);
  if (initial.precision() == engine::Precision::single)
    return DeviceContactForce<float>(exec, grains.materials(), obstacles, domain_of(model), initial,
                                     members, exempt);
  return DeviceContactForce<double>(exec, grains.materials(), obstacles, domain_of(model), initial,
                                    members, exempt);
}

}  // namespace

DeviceGrainForces::DeviceGrainForces(const Cuda& exec, const Grains& grains, const Model& model,
                                     const State<Host>& initial)
    : exec_(exec), force_(force_of(exec, grains, model, initial)) {}

void DeviceGrainForces::run(const Cuda& exec, State<Device>& state, const StageTime& time,
                            StepReport& report) {
  std::visit([&](auto& force) { force.run(exec, state, time); }, force_);
  report.interactions += listed_pairs_;
}

double DeviceGrainForces::potential_energy(const Cuda& exec, const State<Device>& state,
                                           const StageTime& time) {
  return std::visit([&](auto& force) { return force.potential_energy(exec, state, time); }, force_);
}

void DeviceGrainForces::on_state_replaced(const Cuda& exec, State<Device>& state) {
  std::visit([&](auto& force) { force.on_state_replaced(exec, state); }, force_);
}

bool DeviceGrainForces::grow_buffers(const Cuda& exec) {
  return std::visit(
      [&](auto& force) {
        const bool grown = force.grow_buffers(exec);
        listed_pairs_ = force.list_statistics(exec).pairs;
        return grown;
      },
      force_);
}

std::string DeviceGrainForces::serialize() const {
  return std::visit(
      [&](const auto& force) { return bytes_of_contacts(force.stored_contacts(exec_)); }, force_);
}

void DeviceGrainForces::deserialize(std::string_view bytes) {
  std::visit(
      [&]<class Real>(DeviceContactForce<Real>& force) {
        force.set_stored_contacts(exec_, contacts_of_bytes<Real>(bytes));
      },
      force_);
}

}  // namespace mote::sim
