#pragma once

#include <cmath>

#include "engine/platform.h"

namespace mote::engine {

/// A 3-vector of float, double, or SIMD batches of either.
template <class T>
struct Vec3 {
  T x, y, z;
};

using Vec3d = Vec3<double>;
using Vec3f = Vec3<float>;

template <class T>
MOTE_FORMULA Vec3<T> operator+(Vec3<T> a, Vec3<T> b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
MOTE_FORMULA Vec3<T> operator-(Vec3<T> a, Vec3<T> b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
MOTE_FORMULA Vec3<T> operator*(T s, Vec3<T> a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class T>
MOTE_FORMULA Vec3<T>& operator+=(Vec3<T>& a, Vec3<T> b) {
  return a = a + b;
}
template <class T>
MOTE_FORMULA bool operator==(Vec3<T> a, Vec3<T> b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}
template <class T>
MOTE_FORMULA T dot(Vec3<T> a, Vec3<T> b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
MOTE_FORMULA Vec3<T> cross(Vec3<T> a, Vec3<T> b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// On the host.
inline double length(Vec3<double> a) {
  return std::sqrt(dot(a, a));
}

}  // namespace mote::engine
