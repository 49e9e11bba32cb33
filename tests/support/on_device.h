#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/contact/contact_params.h"
#include "sim/expansions/multipole.h"
#include "sim/fluid/fluid.h"
#include "sim/gravity/direct.h"
#include "sim/measure/histogram.h"
#include "sim/measure/measurement.h"
#include "sim/measure/pack.h"
#include "sim/motion/scheme.h"
#include "sim/run/simulation.h"

namespace mote::test {

/// Why no GPU can be tested; empty if one can.
const std::string& no_gpu();

/// Whether the GPU is emulated: correct, but a thousand times slower.
bool gpu_is_emulated();

/// Runs modules on a GPU, on a copy of a host state that is copied back. Requires no_gpu().empty().
sim::StepReport device_forces(const std::string& kernel, const sim::Gravity& gravity,
                              double gravitational, sim::State<engine::Host>& state);
/// Runs direct sums on so many ranks, each with its share of the bodies. `messages`: exchanged data
/// passes through host memory, as between processes.
void device_forces_of_ranks(const std::string& kernel, const sim::Gravity& gravity, int ranks,
                            bool messages, sim::State<engine::Host>& state);
/// Direct sums of chosen bodies, all if there are none, with jerks by axis. `launch`: as in
/// DeviceDirectGravity.
sim::StepReport device_chosen_forces(const sim::Gravity& gravity,
                                     const std::vector<std::uint32_t>& slots,
                                     sim::State<engine::Host>& state,
                                     std::vector<double> (&jerks)[3], double launch);
double device_potential(const sim::Gravity& gravity, double gravitational,
                        const sim::State<engine::Host>& state);
/// The same with launches as short as possible.
sim::StepReport device_forces_in_short_launches(const std::string& kernel,
                                                const sim::Gravity& gravity, double gravitational,
                                                sim::State<engine::Host>& state);
double device_potential_in_short_launches(const sim::Gravity& gravity, double gravitational,
                                          const sim::State<engine::Host>& state);

/// Results of expansions on a GPU.
struct DeviceMultipoleReport {
  sim::MultipoleSolver::Counts counts;
  std::uint32_t repeated = 0;  ///< evaluations that had no room
};
/// Adds to the accelerations, with buffers as small as at a start. `slots`: of chosen bodies; none:
/// all.
DeviceMultipoleReport device_multipole(const sim::MultipoleSettings& settings, double softening,
                                       sim::State<engine::Host>& state,
                                       const sim::Domain& domain = {},
                                       const std::vector<std::uint32_t>& slots = {});
double device_multipole_potential(const sim::MultipoleSettings& settings, double softening,
                                  const sim::State<engine::Host>& state,
                                  const sim::Domain& domain = {});
sim::ForceErrors device_multipole_errors(const sim::MultipoleSettings& settings, double softening,
                                         const sim::State<engine::Host>& state);
void device_clear(sim::State<engine::Host>& state);
sim::Measurement device_measure(const sim::State<engine::Host>& state, double potential);
std::uint64_t device_hash(const sim::State<engine::Host>& state, double time, std::uint64_t step);
std::int64_t device_first_not_finite(const sim::State<engine::Host>& state);
/// nullopt if the kernel does not support this number of bins.
std::optional<sim::Histogram> device_histogram(const sim::State<engine::Host>& state,
                                               const sim::HistogramRequest& request,
                                               engine::CountingKernel kernel);
engine::CountingKernel device_counting_kernel(std::int64_t bins);
/// Advances by steps of a scheme, stage by stage; accelerations belong to the positions before and
/// after.
void device_steps(sim::State<engine::Host>& state, const sim::Gravity& gravity,
                  const sim::Scheme& scheme, double dt, int steps);

/// Writes an order of bodies (Force::find_order) that `order` finds on the host.
void device_order(const engine::Cuda& exec, const sim::State<engine::Device>& state,
                  std::vector<std::uint32_t> (*order)(const sim::State<engine::Host>&),
                  std::uint32_t* from);

/// One evaluation of a fluid with `lanes` threads per particle and a prediction time `ahead`.
/// `kinds`: FluidKind, by body.
sim::FluidReport device_fluid(const sim::Fluid& fluid, const sim::Domain& domain,
                              engine::Vec3d gravity, const std::vector<std::uint8_t>& kinds,
                              sim::State<engine::Host>& state, double ahead, int lanes);
/// Leapfrog steps of a fluid in open space, all launched before the record is read.
sim::DeviceRecord device_fluid_steps(const sim::Fluid& fluid,
                                     const std::vector<std::uint8_t>& kinds,
                                     sim::State<engine::Host>& state, double dt, int steps);

/// Results of an evaluation of grains in a fluid.
struct MixtureReport {
  double largest_step = 0, drag_step = 0;  ///< [time]
  std::vector<double> porosity;            ///< by body
};
/// Writes an order of bodies (Force::find_order) that `order` finds on the host.
void device_order(const engine::Cuda& exec, const sim::State<engine::Device>& state,
                  std::vector<std::uint32_t> (*order)(const sim::State<engine::Host>&),
                  std::uint32_t* from);

/// One evaluation of a fluid with grains. `kinds`: FluidKind, `grains`: 1 for grains, by body;
/// `lanes`: threads per body of the mixture.
MixtureReport device_mixture(const sim::Fluid& fluid, const sim::Domain& domain,
                             engine::Vec3d gravity, const std::vector<std::uint8_t>& kinds,
                             const std::vector<std::uint8_t>& grains,
                             sim::State<engine::Host>& state, double ahead, int lanes);

/// The positions, scalars and radii of a frame in device memory.
std::vector<float> device_points(sim::Simulation& simulation, const sim::PackRequest& request);

/// One evaluation of grains in open space or a domain, without obstacles; springs are not updated.
/// `members`: as in DeviceContactForce. The state is in double.
void device_contacts(const sim::ContactParams& params, const sim::Domain& domain,
                     const std::vector<std::uint8_t>& members, sim::State<engine::Host>& state);

}  // namespace mote::test
