#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/exec/policy.h"
#include "sim/gravity/direct_device.h"
#include "sim/measure/measurement.h"
#include "sim/state.h"

namespace mote::app {

/// Bodies on one backend, with the modules of a simulation callable one by one, to compare backends
/// and to time them. G = 1.
class Workbench {
 public:
  virtual ~Workbench() = default;

  /// The GPU kernel that sums the forces, or the instruction set of the CPU.
  virtual std::string kernel() const = 0;
  /// Evaluates the forces `runs` times; returns the time on the backend's clock [s].
  virtual double time_forces(std::uint64_t runs) = 0;
  /// The bodies with the accelerations of the last evaluation, copied to the host.
  virtual const sim::State<engine::Host>& state() = 0;
  virtual double potential_energy() = 0;
  virtual sim::Measurement measure(double potential) = 0;
  virtual std::uint64_t hash(double time, std::uint64_t step) = 0;
  virtual std::int64_t first_not_finite() = 0;
};

std::unique_ptr<Workbench> host_workbench(const engine::Cpu& exec,
                                          const sim::State<engine::Host>& bodies, double softening);

/// Throws SystemError in a build without CUDA.
std::unique_ptr<Workbench> device_workbench(int device, const sim::State<engine::Host>& bodies,
                                            double softening, sim::DirectKernel kernel);

/// The kernel chosen on a GPU for so many bodies, all with mass; "" in a build without CUDA.
std::string kernel_chosen_for(engine::Index count, engine::Precision precision);

sim::State<engine::Host> copy_of(const sim::State<engine::Host>& state);

/// The kernel of this name, one of auto, tiled, split, symmetric, wide, gather (precondition).
sim::DirectKernel direct_kernel_named(const std::string& word);

}  // namespace mote::app
