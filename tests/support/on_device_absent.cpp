#include <stdexcept>

#include "engine/machine.h"
#include "tests/support/on_device.h"

namespace mote::test {
namespace {

[[noreturn]] void never() {
  throw std::logic_error("this build has no CUDA");
}

}  // namespace

const std::string& no_gpu() {
  static const std::string problem = engine::cuda_info().problem;
  return problem;
}
bool gpu_is_emulated() {
  return false;
}
std::vector<float> device_points(sim::Simulation&, const sim::PackRequest&) {
  never();
}
sim::StepReport device_forces(const std::string&, const sim::Gravity&, double,
                              sim::State<engine::Host>&) {
  never();
}
void device_forces_of_ranks(const std::string&, const sim::Gravity&, int, bool,
                            sim::State<engine::Host>&) {
  never();
}
sim::StepReport device_chosen_forces(const sim::Gravity&, const std::vector<std::uint32_t>&,
                                     sim::State<engine::Host>&, std::vector<double> (&)[3],
                                     double) {
  never();
}
double device_potential(const sim::Gravity&, double, const sim::State<engine::Host>&) {
  never();
}
sim::StepReport device_forces_in_short_launches(const std::string&, const sim::Gravity&, double,
                                                sim::State<engine::Host>&) {
  never();
}
DeviceMultipoleReport device_multipole(const sim::MultipoleSettings&, double,
                                       sim::State<engine::Host>&, const sim::Domain&,
                                       const std::vector<std::uint32_t>&) {
  never();
}
double device_multipole_potential(const sim::MultipoleSettings&, double,
                                  const sim::State<engine::Host>&, const sim::Domain&) {
  never();
}
sim::ForceErrors device_multipole_errors(const sim::MultipoleSettings&, double,
                                         const sim::State<engine::Host>&) {
  never();
}
double device_potential_in_short_launches(const sim::Gravity&, double,
                                          const sim::State<engine::Host>&) {
  never();
}
void device_order(const engine::Cuda&, const sim::State<engine::Device>&,
                  std::vector<std::uint32_t> (*)(const sim::State<engine::Host>&), std::uint32_t*) {
  never();
}
void device_clear(sim::State<engine::Host>&) {
  never();
}
sim::Measurement device_measure(const sim::State<engine::Host>&, double) {
  never();
}
std::uint64_t device_hash(const sim::State<engine::Host>&, double, std::uint64_t) {
  never();
}
std::int64_t device_first_not_finite(const sim::State<engine::Host>&) {
  never();
}
std::optional<sim::Histogram> device_histogram(const sim::State<engine::Host>&,
                                               const sim::HistogramRequest&,
                                               engine::CountingKernel) {
  never();
}
engine::CountingKernel device_counting_kernel(std::int64_t) {
  never();
}
void device_steps(sim::State<engine::Host>&, const sim::Gravity&, const sim::Scheme&, double, int) {
  never();
}

sim::FluidReport device_fluid(const sim::Fluid&, const sim::Domain&, engine::Vec3d,
                              const std::vector<std::uint8_t>&, sim::State<engine::Host>&, double,
                              int) {
  never();
}

sim::DeviceRecord device_fluid_steps(const sim::Fluid&, const std::vector<std::uint8_t>&,
                                     sim::State<engine::Host>&, double, int) {
  never();
}
MixtureReport device_mixture(const sim::Fluid&, const sim::Domain&, engine::Vec3d,
                             const std::vector<std::uint8_t>&, const std::vector<std::uint8_t>&,
                             sim::State<engine::Host>&, double, int) {
  never();
}
void device_contacts(const sim::ContactParams&, const sim::Domain&,
                     const std::vector<std::uint8_t>&, sim::State<engine::Host>&) {
  never();
}

}  // namespace mote::test
