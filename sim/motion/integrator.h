#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/params.h"
#include "sim/step.h"

namespace mote::sim {

/// A fixed-step, time-reversible symplectic integrator: a fixed pattern of kicks and drifts.
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

/// The `integrator` table of a scene.
struct Integrator {
  std::string name = "leapfrog";
  double dt = 0;  ///< [time], > 0; with `courant` the largest allowed
  /// Time step as a fraction of the largest stable one; none: fixed steps dt.
  std::optional<double> courant = {};
  std::int64_t every = 20;  ///< steps between updates of the time step
};

const engine::ParamTable<Integrator>& integrator_table();

}  // namespace mote::sim
