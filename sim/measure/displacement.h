#pragma once

#include "engine/math/vec.h"
#include "sim/measure/displacement_fields.h"
#include "sim/measure/displacement_formula.h"
#include "sim/space/list_fields.h"
#include "sim/state.h"

namespace mote::sim {

/// Squared displacement of a body since the start [length^2], in double. Zero if the state has no
/// start positions.
template <class Real>
struct DisplacementValue {
  const Real *x[3], *image[3], *start[3];
  double length[3];

  /// `period`: lengths of the domain along periodic axes; 0 along others.
  template <class Const>
  DisplacementValue(const StateView<Const>& s, engine::Vec3d period)
      : x{s.x, s.y, s.z},
        image{s[fields::image[0]], s[fields::image[1]], s[fields::image[2]]},
        start{s[fields::start[0]], s[fields::start[1]], s[fields::start[2]]},
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

/// Makes the current positions the origins of displacements, for bodies from index `first` on.
/// Their image counts must be zero. Does nothing if the state has no start positions.
void start_displacement(State<engine::Host>& state, engine::Index first = 0);

}  // namespace mote::sim
