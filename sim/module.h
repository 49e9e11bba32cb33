#pragma once

#include <string>

#include "engine/params.h"

namespace mote::sim {

/// How repeatable a module is.
enum class Repeatability {
  bitwise,  ///< the same bits from run to run on one machine and backend, for any number of threads
  rounding  ///< the same up to rounding
};

/// A module's description of itself: what the registry, the schema, `mote list` and the docs show.
struct ModuleInfo {
  std::string name;     ///< "direct"
  std::string subject;  ///< table of the scene that switches it on: "gravity"
  std::string help;     ///< one line
  Repeatability repeatability = Repeatability::bitwise;
  bool cpu = false;  ///< backends that it runs on, in a build that has them
  bool cuda = false;
  engine::ParamSheet params;
  // What others may count on; a module that says nothing is one of which nothing is known.
  bool keeps_momentum = false;  ///< its forces between bodies add up to nothing
  /// RowMeasure knows its energy, and bodies have no other numbers because of it.
  bool measured_in_rows = false;
};

}  // namespace mote::sim
