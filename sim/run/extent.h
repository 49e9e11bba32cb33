#pragma once

#include "sim/run/simulation.h"

namespace mote::sim {

/// Where the bodies are, as a camera should frame them. Of up to 64 bodies the middle of their box
/// and all of them; of more, medians, and a sphere that holds 97 %, for a few that were thrown out
/// must not shrink all others to a dot.
struct Extent {
  engine::Vec3d center{};  ///< [length]
  double radius = 1;       ///< [length], > 0
};

struct ValueRange {
  double low = 0, high = 1;
  bool alike = true;  ///< all values are one, and the range only stands around it

  /// So that it holds another one, too.
  ValueRange widened(const ValueRange& by) const {
    if (alike || by.alike) return alike ? by : *this;
    return {low < by.low ? low : by.low, high > by.high ? high : by.high, false};
  }
};

/// The value below which a part of the bodies' finite values lie, by counting: exact to about 1e-7
/// of the spread of the bodies around it. Nothing of the size of the bodies leaves the memory in
/// which they are stepped.
double quantile(Simulation& simulation, Scalar scalar, double part, engine::Vec3d center = {});

Extent extent(Simulation& simulation);
Extent extent(const State<engine::Host>& state);

/// The range that shows values from `low` to `high`; around the value where all are alike. What is
/// never `negative` begins at 0, unless all values are far from it: a narrow ring shall have more
/// than one colour.
ValueRange range_around(double low, double high, bool negative);

/// The range that colours should span: around all values of up to 64 bodies, else from the 2nd to
/// the 98th part in a hundred.
ValueRange color_range(Simulation& simulation, Scalar scalar);
ValueRange color_range(const State<engine::Host>& state, Scalar scalar);

}  // namespace mote::sim
