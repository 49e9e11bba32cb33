#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "engine/algo/reduce.h"
#include "engine/platform.h"
#include "sim/force_request.h"
#include "sim/state.h"

// Hermite (hermite.h) calls these structs for each body, on either backend.
namespace mote::sim::hermite_body {

using engine::Index;
using engine::Values;

/// Steps of a body in bin k are 2^-k of the longest. Times are counted in ticks of the shortest.
inline constexpr int last_bin = 50, bins = last_bin + 1;
/// The bin of bodies that are not finite, which end the run.
inline constexpr int lost_bin = bins;
using Ticks = std::int64_t;
inline constexpr Ticks longest = Ticks{1} << last_bin;

MOTE_HOST_DEVICE inline Ticks ticks_of(int bin) {
  return Ticks{1} << (bin < last_bin ? last_bin - bin : 0);
}

/// Derivatives of the position that are kept: position, velocity, acceleration, jerk, snap,
/// crackle.
inline constexpr int derivatives = 6;

/// Columns of all bodies. A body has the values of its own last step, which ended at the last
/// multiple of its step before now, or now.
struct Columns {
  double* of[derivatives][3];
  double* bin;
};

/// The state now: `since(i)` is the time since the last step of a body.
struct Moment {
  Ticks now = 0;      ///< since the last multiple of the longest step
  Ticks from = 0;     ///< before the present block step, if it has not ended; else `now`
  double tick = 0;    ///< [time]
  double before = 0;  ///< [time] of an output before now
  MOTE_HOST_DEVICE double since(int bin) const {
    const Ticks last = from & ~(ticks_of(bin) - 1);
    return static_cast<double>(now - last) * tick - before;
  }
};

/// Taylor series of position, velocity and acceleration along an axis, after a time t.
struct Predicted {
  double x, v, a;
};
MOTE_HOST_DEVICE inline Predicted predicted(const Columns& c, int axis, Index i, double t) {
  const double x = c.of[0][axis][i], v = c.of[1][axis][i], a = c.of[2][axis][i],
               jerk = c.of[3][axis][i], snap = c.of[4][axis][i], crackle = c.of[5][axis][i];
  return {x + t * (v + t / 2 * (a + t / 3 * (jerk + t / 4 * (snap + t / 5 * crackle)))),
          v + t * (a + t / 2 * (jerk + t / 3 * (snap + t / 4 * crackle))),
          a + t * (jerk + t / 2 * (snap + t / 3 * crackle))};
}

template <class Real>
MOTE_HOST_DEVICE Real* position_column(const StateView<Real>& s, int axis) {
  return axis == 0 ? s.x : axis == 1 ? s.y : s.z;
}
template <class Real>
MOTE_HOST_DEVICE Real* velocity_column(const StateView<Real>& s, int axis) {
  return axis == 0 ? s.vx : axis == 1 ? s.vy : s.vz;
}
template <class Real>
MOTE_HOST_DEVICE Real* acceleration_column(const StateView<Real>& s, int axis) {
  return axis == 0 ? s.ax : axis == 1 ? s.ay : s.az;
}

/// Writes the bodies at a moment into a state. Those at the end of a step of their own are exact:
/// the series of zero time.
template <class Real>
struct Predict {
  Columns c;
  StateView<Real> s;
  Moment moment;
  MOTE_HOST_DEVICE void operator()(Index i) const {
    const double t = moment.since(static_cast<int>(c.bin[i]));
    for (int axis = 0; axis < 3; ++axis) {
      const Predicted at = predicted(c, axis, i, t);
      position_column(s, axis)[i] = static_cast<Real>(at.x);
      velocity_column(s, axis)[i] = static_cast<Real>(at.v);
      acceleration_column(s, axis)[i] = static_cast<Real>(at.a);
    }
  }
};

/// Begins with the bodies of a state, whose forces were evaluated.
template <class Real>
struct Begin {
  Columns c;
  StateView<const Real> s;
  VectorColumns<double> jerks;
  MOTE_HOST_DEVICE void operator()(Index i) const {
    for (int axis = 0; axis < 3; ++axis) {
      c.of[0][axis][i] = static_cast<double>(position_column(s, axis)[i]);
      c.of[1][axis][i] = static_cast<double>(velocity_column(s, axis)[i]);
      c.of[2][axis][i] = static_cast<double>(acceleration_column(s, axis)[i]);
      c.of[3][axis][i] = jerks[axis][i];
      c.of[4][axis][i] = c.of[5][axis][i] = 0;
    }
    c.bin[i] = 0;
  }
};

/// Snap and crackle at the start of a time h, from accelerations and jerks at both ends (Makino &
/// Aarseth 1992, PASJ 44, 141, eqs. 5 and 6).
struct Higher {
  double snap, crackle;
};
MOTE_HOST_DEVICE inline Higher higher(double a0, double jerk0, double a1, double jerk1, double h) {
  const double change = a1 - a0;
  return {(6 * change - h * (4 * jerk0 + 2 * jerk1)) / (h * h),
          (6 * h * (jerk0 + jerk1) - 12 * change) / (h * h * h)};
}

/// Before another trial.
struct ClearHigher {
  Columns c;
  MOTE_HOST_DEVICE void operator()(Index i) const {
    for (int axis = 0; axis < 3; ++axis) c.of[4][axis][i] = c.of[5][axis][i] = 0;
  }
};

/// For all bodies, from a trial over a time h: derivatives at its start.
template <class Real>
struct EndTrial {
  Columns c;
  StateView<const Real> s;
  VectorColumns<double> jerks;
  double h;
  MOTE_HOST_DEVICE void operator()(Index i) const {
    for (int axis = 0; axis < 3; ++axis) {
      const Higher found =
          higher(c.of[2][axis][i], c.of[3][axis][i],
                 static_cast<double>(acceleration_column(s, axis)[i]), jerks[axis][i], h);
      c.of[4][axis][i] = found.snap, c.of[5][axis][i] = found.crackle;
    }
  }
};

/// The step that a body wants (Aarseth 1985, in Multiple Time Scales, 377), with eta as the part of
/// its timescale:
///
///   eta [(|a| |snap| + |jerk|^2) / (|jerk| |crackle| + |snap|^2)]^(1/2)
///
/// and at least `least` times eta min(|a| / |jerk|, (|a| / |snap|)^(1/2)), which is about as long
/// where the motion is smooth. Snap and crackle are differences over the last step h: with shorter
/// steps the rounding of forces makes the crackle larger without limit, steps shorter for it, and
/// so on. What `noise`, the relative rounding of forces, gives the snap counts for nothing, either.
/// Nor is a step of use in which a body moves by less than `rounding` of its coordinates.
struct Wanted {
  double eta, noise, least, rounding;
  MOTE_HOST_DEVICE double operator()(const Columns& c, Index i, double h) const {
    double squared[4] = {};
    for (int n = 0; n < 4; ++n)
      for (int axis = 0; axis < 3; ++axis) {
        const double d = c.of[2 + n][axis][i];
        squared[n] += d * d;
      }
    const double of_snap = 6 * noise / (h * h), lost = of_snap * of_snap * squared[0];
    const double a = std::sqrt(squared[0]), jerk = std::sqrt(squared[1]),
                 snap2 = squared[2] > lost ? squared[2] - lost : 0.0, snap = std::sqrt(snap2);
    const double bottom = jerk * std::sqrt(squared[3]) + snap2;
    if (!(bottom > 0)) return std::numeric_limits<double>::infinity();
    const double by_crackle = std::sqrt((a * snap + squared[1]) / bottom),
                 by_jerk = jerk > 0 ? a / jerk : by_crackle,
                 by_snap = snap > 0 ? std::sqrt(a / snap) : by_jerk;
    double farthest = 0, speed = 0;
    for (int axis = 0; axis < 3; ++axis) {
      farthest = std::fmax(farthest, std::fabs(c.of[0][axis][i]));
      speed = std::fmax(speed, std::fabs(c.of[1][axis][i]));
    }
    const double least_way = rounding * farthest,
                 seen = std::fmin(speed > 0 ? least_way / speed : 0.0,
                                  a > 0 ? std::sqrt(2 * least_way / a) : 0.0);
    return std::fmax(seen, eta * std::fmax(by_crackle, least * std::fmin(by_jerk, by_snap)));
  }
};

/// The shortest step that is wanted.
struct ShortestWanted {
  Columns c;
  Wanted wanted;
  double h;  ///< that derivatives are of
  MOTE_HOST_DEVICE Values<1> operator()(Index i) const { return {{wanted(c, i, h)}}; }
  static MOTE_HOST_DEVICE double combine(int, double a, double b) { return b < a ? b : a; }
  static MOTE_HOST_DEVICE Values<1> nothing() {
    return {{std::numeric_limits<double>::infinity()}};
  }
};

/// The largest |a|, the largest |jerk|, and the largest coordinate from the first body.
struct FirstScales {
  Columns c;
  MOTE_HOST_DEVICE Values<3> operator()(Index i) const {
    double a2 = 0, jerk2 = 0, size = 0;
    for (int axis = 0; axis < 3; ++axis) {
      a2 += c.of[2][axis][i] * c.of[2][axis][i];
      jerk2 += c.of[3][axis][i] * c.of[3][axis][i];
      size = std::fmax(size, std::fabs(c.of[0][axis][i] - c.of[0][axis][0]));
    }
    return {{std::sqrt(a2), std::sqrt(jerk2), size}};
  }
  static MOTE_HOST_DEVICE double combine(int, double a, double b) { return b < a ? a : b; }
  static MOTE_HOST_DEVICE Values<3> nothing() { return {{0, 0, 0}}; }
};

/// The bin of the longest step that is not longer than `want`.
MOTE_HOST_DEVICE inline int bin_of(double want, double unit) {
  if (!(want < unit)) return 0;  // or not a number, of derivatives that overflow
  const double ratio = unit / want;
  if (!(ratio < static_cast<double>(longest))) return last_bin;
  int bin = std::ilogb(ratio);
  while (bin < last_bin && std::ldexp(unit, -bin) > want) ++bin;
  return bin;
}

/// The first bins of bodies. `h`: that derivatives are of; `most`: longest step that these are good
/// for.
struct ChooseBins {
  Columns c;
  Wanted wanted;
  double h, most, unit;
  MOTE_HOST_DEVICE void operator()(Index i) const {
    c.bin[i] = static_cast<double>(bin_of(std::fmin(wanted(c, i, h), most), unit));
  }
};

/// The same steps, where the longest is twice as long.
struct ShiftBins {
  Columns c;
  MOTE_HOST_DEVICE void operator()(Index i) const { c.bin[i] += 1; }
};

/// Ends the steps of bodies that were chosen: their positions by the corrector (Makino & Aarseth
/// 1992, in the form of Hut, Makino & McMillan 1995, ApJ 443, L93), derivatives at the end, and the
/// next bin: shorter at once, longer by one bin if now is a multiple of that step.
template <class Real>
struct Correct {
  Columns c;
  StateView<Real> s;
  VectorColumns<double> jerks;
  const std::uint32_t* slots;
  Wanted wanted;
  Ticks now;
  double tick, unit;
  MOTE_HOST_DEVICE void operator()(Index k) const {
    const Index i = chosen_slot(slots, k);
    const int bin = static_cast<int>(c.bin[i]);
    const double h = static_cast<double>(ticks_of(bin)) * tick;
    for (int axis = 0; axis < 3; ++axis) {
      const double x0 = c.of[0][axis][i], v0 = c.of[1][axis][i], a0 = c.of[2][axis][i],
                   jerk0 = c.of[3][axis][i],
                   a1 = static_cast<double>(acceleration_column(s, axis)[i]),
                   jerk1 = jerks[axis][i];
      const double v1 = v0 + h * ((a0 + a1) / 2 + h * (jerk0 - jerk1) / 12),
                   x1 = x0 + h * ((v0 + v1) / 2 + h * (a0 - a1) / 12);
      const Higher found = higher(a0, jerk0, a1, jerk1, h);
      c.of[0][axis][i] = x1, c.of[1][axis][i] = v1;
      c.of[2][axis][i] = a1, c.of[3][axis][i] = jerk1;
      c.of[4][axis][i] = found.snap + h * found.crackle, c.of[5][axis][i] = found.crackle;
      position_column(s, axis)[i] = static_cast<Real>(x1);
      velocity_column(s, axis)[i] = static_cast<Real>(v1);
    }
    bool finite = true;
    for (int n = 0; n < 3; ++n)
      for (int axis = 0; axis < 3; ++axis)
        finite = finite && std::fabs(c.of[n][axis][i]) <= std::numeric_limits<double>::max();
    const int next = finite ? bin_of(wanted(c, i, h), unit) : lost_bin;
    const bool longer = next < bin && (now & (ticks_of(bin - 1) - 1)) == 0;
    c.bin[i] = static_cast<double>(next > bin ? next : longer ? bin - 1 : bin);
  }
};

}  // namespace mote::sim::hermite_body
