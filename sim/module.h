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
};

}  // namespace mote::sim
