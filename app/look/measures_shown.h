#pragma once

#include <string>

#include "engine/json_fwd.h"
#include "sim/model/model.h"

namespace mote::app {

/// Which measures of a run say something, and what they are called.
struct MeasuresShown {
  /// "energy error", or "energy lost or gained" where friction, collisions or fields change the
  /// energy, which is no error.
  std::string energy_error;
  /// Virial ratio, Lagrangian radii and density about the centre of mass: of bodies that attract
  /// each other, and are not repeated periodically.
  bool of_clusters = true;
};

/// "given 4.3 from outside, ", or "" where hands, edits and bodies that came or went gave nothing
/// beyond rounding, relative to the energy at the end.
std::string energy_given_text(double given, double energy);

MeasuresShown measures_shown(const sim::Model& scene);
/// Chooses by the run.json of a run; null counts as unknown, for which all is shown.
MeasuresShown measures_shown(const engine::Json& record);

}  // namespace mote::app
