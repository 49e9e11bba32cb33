#pragma once

#include <string>
#include <vector>

#include "sim/step.h"

namespace mote::sim {

/// A fixed-step, time-reversible symplectic composition of kicks and drifts.
struct Scheme {
  std::string name;
  std::string help;
  int order;  ///< the global error is O(dt^order)
  Step step;  ///< kick-first, so that the state is synchronised at the end of every step
  int forces() const;
};

/// leapfrog, yoshida4, yoshida6.
const std::vector<Scheme>& schemes();

/// Null when no scheme has this name.
const Scheme* scheme_named(const std::string& name);

}  // namespace mote::sim
