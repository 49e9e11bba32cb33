#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/exec/policy.h"
#include "sim/gravity/direct_device.h"
#include "sim/measure/measurement.h"
#include "sim/state.h"

namespace mote::app {

/// Bodies on one backend, with the modules that a simulation uses on them, each to be called by
/// itself: for comparing backends and for timing. G = 1.
class Workbench {
 public:
  virtual ~Workbench() = default;

  /// What sums the forces: a kernel of the GPU, or an instruction set.
  virtual std::string kernel() const = 0;
  /// Evaluates the forces so many times; returns the seconds that took on the backend's own clock.
  virtual double time_forces(std::uint64_t runs) = 0;
  /// The bodies with the accelerations of the last evaluation, in host memory.
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

/// The kernel that a GPU sums the forces of so many bodies with, all of them massive; "" in a build
/// without CUDA.
std::string kernel_chosen_for(engine::Index count, engine::Precision precision);

sim::State<engine::Host> copy_of(const sim::State<engine::Host>& state);

/// The kernel of this name (auto, tiled, split, symmetric, wide, gather), which must be one of
/// them.
sim::DirectKernel direct_kernel_named(const std::string& word);

}  // namespace mote::app
