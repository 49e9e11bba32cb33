#pragma once

#include "engine/math/number.h"

namespace mote::sim {

/// The shortest separation along a periodic axis: that of the nearest image. `inverse` is 1 /
/// length, both zero along an axis that is not periodic. The separation is below 2^21 lengths. 4
/// flops.
template <class T>
MOTE_FORMULA T nearest_image(T separation, T length, T inverse) {
  return engine::Number<T>::multiply_add(-length, engine::nearest_whole(separation, inverse),
                                         separation);
}

/// The image of a coordinate along a periodic axis that is nearest to `origin`.
template <class T>
MOTE_FORMULA T image_near(T x, T origin, double length) {
  return static_cast<T>(static_cast<double>(x) -
                        length *
                            round((static_cast<double>(x) - static_cast<double>(origin)) / length));
}

/// The image of a coordinate along a periodic axis that is so many lengths below.
template <class T>
MOTE_FORMULA T shifted(T x, double lengths, double length) {
  return lengths == 0 ? x : static_cast<T>(static_cast<double>(x) - lengths * length);
}

/// A coordinate along a periodic axis within [low, low + length), and how many lengths lie between.
template <class T>
struct Wrapped {
  T place, lengths;
};
template <class T>
MOTE_FORMULA Wrapped<T> wrapped(T x, double low, double length) {
  const double lengths = floor((static_cast<double>(x) - low) / length);
  if (lengths == 0) return {x, T(0)};
  const T place = shifted(x, lengths, length);
  // What is hardly below the domain may round to its end: it is at the beginning, and has not left.
  if (!(static_cast<double>(place) < low + length))
    return {static_cast<T>(low), static_cast<T>(lengths + 1)};
  return {static_cast<double>(place) >= low ? place : static_cast<T>(low), static_cast<T>(lengths)};
}

/// A coordinate and a velocity along an axis between two walls that throw back what goes past them.
template <class T>
struct Bounced {
  T place, velocity;
};
template <class T>
MOTE_FORMULA Bounced<T> bounced(T x, T v, T low, T high) {
  // Where a wall throws back further than to the other one, something is badly wrong, and the wall
  // itself is as good.
  if (x < low) {
    const T back = low + (low - x);
    return {back <= high ? back : high, v < T(0) ? -v : v};
  }
  if (x > high) {
    const T back = high - (x - high);
    return {back >= low ? back : low, v > T(0) ? -v : v};
  }
  return {x, v};
}

}  // namespace mote::sim
