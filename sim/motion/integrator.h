#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/params.h"
#include "sim/step.h"

namespace mote::sim {

/// A fixed-step symplectic integrator: kicks and drifts in a fixed pattern, time-reversible.
struct Scheme {
  std::string name;
  std::string help;
  int order;  ///< the global error falls as dt^order
  Step step;  ///< kick-first, so that the state is synchronised at the end of every step
  int forces() const;
};

/// leapfrog, yoshida4, yoshida6.
const std::vector<Scheme>& schemes();

/// Null when no scheme has this name.
const Scheme* scheme_named(const std::string& name);

/// How a scene moves its bodies.
struct Integrator {
  std::string name = "leapfrog";
  double dt = 0;                       ///< [time], > 0; with `courant` the longest
  std::optional<double> courant = {};  ///< share of the largest stable step that steps are given;
                                       ///< none: all are dt
  std::int64_t every = 20;             ///< steps between looks at that
  double longest = 0;  ///< [time]: dt as the scene has it, where a run goes on with another
};

const engine::ParamTable<Integrator>& integrator_table();

}  // namespace mote::sim
