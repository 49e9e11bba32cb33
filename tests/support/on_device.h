#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/contact/contact_params.h"
#include "sim/fluid/fluid.h"
#include "sim/gravity/direct.h"
#include "sim/measure/histogram.h"
#include "sim/measure/measurement.h"
#include "sim/motion/integrator.h"

namespace mote::test {

/// Why nothing can be tested on a GPU here; empty when it can.
const std::string& no_gpu();

/// Whether the GPU is the emulated one: right, but a thousand times slower.
bool gpu_is_emulated();

/// What the modules do on a GPU, on a copy of a host state: there and back. Only when `no_gpu()` is
/// empty.
sim::StepReport device_forces(const std::string& kernel, const sim::Gravity& gravity,
                              double gravitational, sim::State<engine::Host>& state);
double device_potential(const sim::Gravity& gravity, double gravitational,
                        const sim::State<engine::Host>& state);
/// The same in launches as short as they can be.
sim::StepReport device_forces_in_short_launches(const std::string& kernel,
                                                const sim::Gravity& gravity, double gravitational,
                                                sim::State<engine::Host>& state);
double device_potential_in_short_launches(const sim::Gravity& gravity, double gravitational,
                                          const sim::State<engine::Host>& state);
void device_clear(sim::State<engine::Host>& state);
sim::Measurement device_measure(const sim::State<engine::Host>& state, double potential);
std::uint64_t device_hash(const sim::State<engine::Host>& state, double time, std::uint64_t step);
std::int64_t device_first_not_finite(const sim::State<engine::Host>& state);
/// Nothing when the kernel cannot hold so many bins.
std::optional<sim::Histogram> device_histogram(const sim::State<engine::Host>& state,
                                               const sim::HistogramRequest& request,
                                               engine::CountingKernel kernel);
engine::CountingKernel device_counting_kernel(std::int64_t bins);
/// Steps of a scheme, stage by stage; the accelerations are those of the positions before and
/// after.
void device_steps(sim::State<engine::Host>& state, const sim::Gravity& gravity,
                  const sim::Scheme& scheme, double dt, int steps);

/// One evaluation of a fluid with so many threads a particle, which looks so far ahead. `kinds`:
/// FluidKind, by column.
sim::FluidReport device_fluid(const sim::Fluid& fluid, const sim::Domain& domain,
                              engine::Vec3d gravity, const std::vector<std::uint8_t>& kinds,
                              sim::State<engine::Host>& state, double ahead, int lanes);
/// Leapfrog steps of a fluid in the open, all given to the device before its record is read.
sim::DeviceRecord device_fluid_steps(const sim::Fluid& fluid,
                                     const std::vector<std::uint8_t>& kinds,
                                     sim::State<engine::Host>& state, double dt, int steps);

/// What an evaluation of grains in a fluid said.
struct MixtureReport {
  double largest_step = 0, drag_step = 0;  ///< [time]
  std::vector<double> porosity;            ///< by column
};
/// One evaluation of a fluid with grains in it. `kinds`: FluidKind, `grains`: 1 for grains, by
/// column; `lanes`: threads a body, of the mixture.
MixtureReport device_mixture(const sim::Fluid& fluid, const sim::Domain& domain,
                             engine::Vec3d gravity, const std::vector<std::uint8_t>& kinds,
                             const std::vector<std::uint8_t>& grains,
                             sim::State<engine::Host>& state, double ahead, int lanes);

/// One evaluation of grains in the open or a domain, without obstacles; springs are left alone.
/// `members`: as those of DeviceContactForce. A state in double.
void device_contacts(const sim::ContactParams& params, const sim::Domain& domain,
                     const std::vector<std::uint8_t>& members, sim::State<engine::Host>& state);

}  // namespace mote::test
