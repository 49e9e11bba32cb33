#pragma once

#include "engine/math/vec.h"
#include "sim/measure/displacement_formula.h"
#include "sim/state.h"

namespace mote::sim {

/// The square of the way [length^2] that the body in a column has gone since the start, in double.
/// Zero where the state has no starts.
template <class Real>
struct DisplacementValue {
  const Real *x[3], *image[3], *start[3];
  double length[3];

  /// `period`: lengths of periodic axes.
  template <class Const>
  DisplacementValue(const StateView<Const>& s, engine::Vec3d period)
      : x{s.x, s.y, s.z},
        image{s.column(Extra::image_x), s.column(Extra::image_y), s.column(Extra::image_z)},
        start{s.column(Extra::start_x), s.column(Extra::start_y), s.column(Extra::start_z)},
        length{period.x, period.y, period.z} {}

  MOTE_FORMULA double operator()(engine::Index i) const {
    double sum = 0;
    if (!start[0]) return sum;
    for (int axis = 0; axis < 3; ++axis)
      sum += squared_displacement<double>(x[axis][i], image[axis] ? image[axis][i] : Real(0),
                                          length[axis], start[axis][i]);
    return sum;
  }
};

/// Displacements of the bodies from column `first` on count from where they are now, before they
/// have gone around any periodic axis. Nothing where the state keeps no starts.
void start_displacement(State<engine::Host>& state, engine::Index first = 0);

}  // namespace mote::sim
