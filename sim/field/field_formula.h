#pragma once

#include <cmath>

#include "engine/math/number.h"
#include "engine/math/vec.h"
#include "sim/motion/motion_formula.h"

/// Accelerations [velocity / time] and potentials [velocity^2] of external fields, per unit mass of
/// the body. `at` is the position of the body [length]. Operation counts: a square root and a
/// division count as one each.
namespace mote::sim {

using engine::Vec3;

/// A uniform acceleration g; potential -g . x. 3 and 6 operations with the sum.
template <class T>
struct UniformFormula {
  Vec3<T> g;
  MOTE_FORMULA Vec3<T> acceleration(Vec3<T>) const { return g; }
  MOTE_FORMULA T potential(Vec3<T> at) const { return -dot(g, at); }
};

/// A point mass, softened as a Plummer sphere (Plummer 1911; Binney & Tremaine 2008, eq. 2.44a):
/// -GM / sqrt(r^2 + e^2). 17 operations; zero at r = e = 0.
template <class T>
struct PointMassFormula {
  Vec3<T> center;
  T gm, squared_softening;  ///< [length velocity^2], [length^2]
  MOTE_FORMULA Vec3<T> acceleration(Vec3<T> at) const {
    const Vec3<T> d = center - at;
    const T r2 = dot(d, d) + squared_softening;
    return engine::Number<T>::select_positive(r2,
                                              engine::Number<T>::weighted_inverse_cube(gm, r2)) *
           d;
  }
  MOTE_FORMULA T potential(Vec3<T> at) const {
    const Vec3<T> d = center - at;
    const T r2 = dot(d, d) + squared_softening;
    return -engine::Number<T>::select_positive(r2, gm * engine::Number<T>::rsqrt(r2));
  }
};

/// Logarithmic halo (Binney & Tremaine 2008, eq. 2.71a): v^2/2 ln(Rc^2 + R^2 + z^2/q^2). 18
/// operations. The zero of the potential depends on the unit of length.
template <class T>
struct LogarithmicHaloFormula {
  Vec3<T> center;
  T squared_speed, squared_core, inverse_q2;  ///< [velocity^2], [length^2], a number
  MOTE_FORMULA T squared_radius(Vec3<T> d) const {
    return squared_core + d.x * d.x + d.y * d.y + d.z * d.z * inverse_q2;
  }
  MOTE_FORMULA Vec3<T> acceleration(Vec3<T> at) const {
    const Vec3<T> d = center - at;
    const T s2 = squared_radius(d);
    const T rate = engine::Number<T>::select_positive(s2, squared_speed / s2);
    return {rate * d.x, rate * d.y, rate * (d.z * inverse_q2)};
  }
  MOTE_FORMULA T potential(Vec3<T> at) const {
    using std::log;
    return T(0.5) * squared_speed * log(squared_radius(center - at));
  }
};

/// Disc of Miyamoto & Nagai (1975, PASJ 27, 533, eq. 4): -GM / sqrt(R^2 + (a + sqrt(z^2 + b^2))^2).
/// 27 operations. An infinitely thin disc (b = 0) has no force along z in its plane.
template <class T>
struct MiyamotoNagaiFormula {
  Vec3<T> center;
  T gm, a, b2;  ///< [length velocity^2], [length], [length^2]
  MOTE_FORMULA Vec3<T> acceleration(Vec3<T> at) const {
    using std::sqrt;
    const Vec3<T> d = center - at;
    const T height = sqrt(d.z * d.z + b2);
    const T scale = a + height;
    const T s2 = d.x * d.x + d.y * d.y + scale * scale;
    const T rate =
        engine::Number<T>::select_positive(s2, engine::Number<T>::weighted_inverse_cube(gm, s2));
    return {rate * d.x, rate * d.y,
            engine::Number<T>::select_positive(height, rate * scale / height) * d.z};
  }
  MOTE_FORMULA T potential(Vec3<T> at) const {
    using std::sqrt;
    const Vec3<T> d = center - at;
    const T scale = a + sqrt(d.z * d.z + b2);
    const T s2 = d.x * d.x + d.y * d.y + scale * scale;
    return -engine::Number<T>::select_positive(s2, gm * engine::Number<T>::rsqrt(s2));
  }
};

/// A spring along each axis: potential (w_x^2 x^2 + w_y^2 y^2 + w_z^2 z^2) / 2. 9 operations.
template <class T>
struct HarmonicTrapFormula {
  Vec3<T> center;
  Vec3<T> squared_rate;  ///< [1 / time^2]
  MOTE_FORMULA Vec3<T> acceleration(Vec3<T> at) const {
    const Vec3<T> d = center - at;
    return {squared_rate.x * d.x, squared_rate.y * d.y, squared_rate.z * d.z};
  }
  MOTE_FORMULA T potential(Vec3<T> at) const { return T(0.5) * dot(acceleration(at), center - at); }
};

/// Centrifugal force of a frame rotating with w about the origin: w^2 x - w (w . x),
/// potential -|w cross x|^2 / 2 (Binney & Tremaine 2008, eq. 3.111 to 3.114; with the kinetic
/// energy it gives Jacobi's constant). 15 operations.
template <class T>
struct CentrifugalFormula {
  Vec3<T> w;  ///< [1 / time]
  MOTE_FORMULA Vec3<T> acceleration(Vec3<T> at) const { return dot(w, w) * at - dot(w, at) * w; }
  MOTE_FORMULA T potential(Vec3<T> at) const {
    const Vec3<T> c = cross(w, at);
    return T(-0.5) * dot(c, c);
  }
};

/// Acceleration by drag and by the Coriolis force of a rotating frame: -k v - c |v| v - 2 w cross
/// v.
template <class T>
struct VelocityAcceleration {
  T linear, quadratic;  ///< k, c
  Vec3<T> w;            ///< [1 / time]
  MOTE_FORMULA Vec3<T> operator()(Vec3<T> v) const {
    using std::sqrt;
    return -(linear + quadratic * sqrt(dot(v, v))) * v - T(2) * cross(w, v);
  }
};

/// Exact flow of a velocity over a time h under drag and a rotating frame alone:
///   dv/dt = -k v - c |v| v - 2 w cross v.
/// The rotation conserves |v| and drag conserves the direction, so that the two can be applied one
/// after the other. With 1/s linear in exp(k h), the speed s becomes s exp(-k h) / (1 + c s (1 -
/// exp(-k h)) / k). Increments are added to v: a factor near one would lose their digits, with the
/// same round-off in every step. 35 operations.
template <class T>
struct VelocityFlow {
  Vec3<T> axis;         ///< w / |w|, or zero
  T sine, less_cosine;  ///< sin, and 1 - cos, of the angle -2 |w| h
  T less, quadratic;    ///< exp(-k h) - 1, and c (1 - exp(-k h)) / k [1 / velocity]
  MOTE_FORMULA Vec3<T> operator()(Vec3<T> v) const {
    using std::sqrt;
    const Vec3<T> side = cross(axis, v);
    v = v + (sine * side + less_cosine * cross(axis, side));
    const T factor = T(1) / (T(1) + quadratic * sqrt(dot(v, v)));
    return factor * (v + less * v);
  }
};

}  // namespace mote::sim
