#pragma once

#include <string>

#include "engine/params.h"

namespace mote::sim {

/// How reproducible a module is.
enum class Repeatability {
  bitwise,  ///< the same bits from run to run on one machine and backend, for any number of threads
  rounding  ///< the same up to round-off
};

/// Description of a module, shown by the registry, the schema, `mote list` and the docs.
struct ModuleInfo {
  std::string name;     ///< "direct"
  std::string subject;  ///< scene table that enables it: "gravity"
  std::string help;     ///< one line
  Repeatability repeatability = Repeatability::bitwise;
  bool cpu = false;   ///< runs on the CPU
  bool cuda = false;  ///< runs on a GPU, in a build with CUDA
  engine::ParamSheet params;
  // Guarantees; false where unknown.
  bool conserves_momentum = false;  ///< forces between bodies sum to zero
  /// BatchedMeasurement can compute its energy, and it adds no fields to bodies.
  bool measured_in_batches = false;
};

}  // namespace mote::sim
