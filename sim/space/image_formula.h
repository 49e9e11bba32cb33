#pragma once

#include "engine/math/number.h"

namespace mote::sim {

/// Minimum-image separation along a periodic axis. `inverse` is 1 / length; both are zero along an
/// axis that is not periodic. |separation| < 2^21 lengths. 4 flops.
template <class T>
MOTE_FORMULA T nearest_image(T separation, T length, T inverse) {
  return engine::Number<T>::multiply_add(-length, engine::nearest_integer(separation, inverse),
                                         separation);
}

/// The periodic image of a coordinate nearest to `origin`.
template <class T>
MOTE_FORMULA T image_nearest_to(T x, T origin, double length) {
  return static_cast<T>(static_cast<double>(x) -
                        length *
                            round((static_cast<double>(x) - static_cast<double>(origin)) / length));
}

/// The periodic image of a coordinate, `lengths` periods lower.
template <class T>
MOTE_FORMULA T shifted(T x, double lengths, double length) {
  return lengths == 0 ? x : static_cast<T>(static_cast<double>(x) - lengths * length);
}

/// A coordinate wrapped into [low, low + length), and the number of periods subtracted.
template <class T>
struct Wrapped {
  T position, lengths;
};
template <class T>
MOTE_FORMULA Wrapped<T> wrapped(T x, double low, double length) {
  const double lengths = floor((static_cast<double>(x) - low) / length);
  if (lengths == 0) return {x, T(0)};
  const T position = shifted(x, lengths, length);
  // A coordinate just below the domain may round to its upper end; it is at the lower end instead.
  if (!(static_cast<double>(position) < low + length))
    return {static_cast<T>(low), static_cast<T>(lengths + 1)};
  return {static_cast<double>(position) >= low ? position : static_cast<T>(low),
          static_cast<T>(lengths)};
}

/// A coordinate and a velocity after reflection at walls at `low` and `high`.
template <class T>
struct Bounced {
  T position, velocity;
};
template <class T>
MOTE_FORMULA Bounced<T> bounced(T x, T v, T low, T high) {
  // A reflection past the opposite wall means that something is badly wrong: clamp to that wall.
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
