#pragma once

#include <vector>

#include "sim/motion/integrator.h"

namespace mote::sim {

/// Helps an integrator to try steps of lengths of its own; trial.cuh has that for a GPU.
///   System<Exec> system(exec, of, dt, report)   at the beginning of a step of this length
///   static bool grow_buffers(exec, system)      after an evaluation: true if a force found its
///                                               buffers too small, which have grown
///   static std::vector<double> to_host(exec, column, count)   values of a column, on the host
template <class Exec>
class Trial;

template <>
class Trial<engine::Cpu> {
 public:
  System<engine::Cpu> system(const engine::Cpu&, const System<engine::Cpu>& of, double dt,
                             StepReport& report) {
    System<engine::Cpu> trial{of.state, of.forces, of.clock, report};
    trial.clock.dt = dt;
    return trial;
  }
  /// Forces on the CPU grow their buffers while they run.
  static bool grow_buffers(const engine::Cpu&, const System<engine::Cpu>&) { return false; }
  static std::vector<double> to_host(const engine::Cpu&, const double* column,
                                     engine::Index count) {
    return {column, column + count};
  }
};

}  // namespace mote::sim
