#pragma once

#include <span>

#include "sim/run/simulation.h"

namespace mote::sim {

/// The region of the bodies that a camera should frame. Up to 64 bodies: the centre of their
/// bounding box, and all of them; more: medians, and a sphere that holds 97 %, so that a few
/// ejected bodies do not shrink all others to a dot.
struct Extent {
  engine::Vec3d center{};  ///< [length]
  double radius = 1;       ///< [length], > 0
};

struct ValueRange {
  double low = 0, high = 1;
  bool constant = true;  ///< all values are equal; the range is chosen around them

  /// The union with another range.
  ValueRange widened(const ValueRange& by) const {
    if (constant || by.constant) return constant ? by : *this;
    return {low < by.low ? low : by.low, high > by.high ? high : by.high, false};
  }
};

/// The value below which a fraction of the bodies' finite values lie, from histograms: exact to
/// about 1e-11 of their largest magnitude. Transfers histograms only, never per-body data.
double quantile(Simulation& simulation, const Quantity& scalar, double fraction,
                engine::Vec3d center = {});

Extent extent(Simulation& simulation);
Extent extent(const State<engine::Host>& state);

/// A colour range for values from `low` to `high`; if these are equal, a range around or above the
/// value. Quantities that are never `negative` start at 0 unless all values are far from it, so
/// that a narrow ring has more than one colour.
ValueRange range_around(double low, double high, bool negative);

/// The range that colours should span: all values of up to 64 bodies, else from the 2nd to the 98th
/// percentile.
ValueRange color_range(Simulation& simulation, const Quantity& scalar);
/// `computed`: values of a computed scalar; else empty.
ValueRange color_range(const State<engine::Host>& state, const Quantity& scalar,
                       std::span<const double> computed = {});

}  // namespace mote::sim
