#pragma once

#include "engine/math/lanes.h"
#include "engine/math/number_simd.h"
#include "sim/expansions/multipole_kernel.h"

/// Moments and expansions that move to other centers, and the test of Acceptance, in double.
namespace mote::sim::multipole_simd {

using engine::Index;
using engine::Lanes;
using engine::Vec3;

/// Lane by lane, so that the order does not depend on the width of a tree of additions.
template <class T>
MOTE_FORMULA double sum_of_lanes(T value) {
  using L = Lanes<T>;
  typename L::Real lanes[L::width];
  L::store(lanes, value);
  double sum = 0;
  for (Index k = 0; k < L::width; ++k) sum += static_cast<double>(lanes[k]);
  return sum;
}

template <class T>
MOTE_FORMULA void add_lanes(double* to, T value) {
  using L = Lanes<T>;
  typename L::Real lanes[L::width];
  L::store(lanes, value);
  for (Index k = 0; k < L::width; ++k) to[k] += static_cast<double>(lanes[k]);
}

/// Lanes are sources.
template <class T>
unsigned accepted(int p, const CellColumns& cells, std::uint32_t first, engine::Vec3d center,
                  double radius, double limit) {
  using L = Lanes<T>;
  constexpr int eight = 8;
  double margin[eight];
  for (int k = 0; k < eight; k += static_cast<int>(L::width)) {
    const std::uint32_t c = first + static_cast<std::uint32_t>(k);
    const Vec3<T> r = Vec3<T>{T(center.x), T(center.y), T(center.z)} -
                      Vec3<T>{L::load(cells.x + c), L::load(cells.y + c), L::load(cells.z + c)};
    const auto power = [&](int order) { return L::load(cells.power[order] + c); };
    L::store(margin + k, Acceptance::margin(p, power, L::load(cells.radius + c), T(radius),
                                            dot(r, r), T(limit)));
  }
  unsigned bits = 0;
  for (int k = 0; k < eight; ++k) bits |= (margin[k] > 0 ? 1u : 0u) << k;
  return bits;
}

/// A number for each of some bodies or cells; `other` in the lanes after the last one.
template <class T>
MOTE_FORMULA T load_some(const double* from, int count, double other) {
  using L = Lanes<T>;
  alignas(64) double lanes[L::width];
  for (int k = 0; k < static_cast<int>(L::width); ++k) lanes[k] = k < count ? from[k] : other;
  return L::load(lanes);
}

template <int p, class T>
void moments_of_bodies(const double* x, const double* y, const double* z, const double* mass,
                       Index count, const CellFrame& cell, double* moments) {
  using N = engine::Number<T>;
  constexpr int n = expansion::count_of(p);
  constexpr int width = static_cast<int>(Lanes<T>::width);
  T sums[n], powers[n];
  for (int k = 0; k < n; ++k) sums[k] = T(0);
  const T unit(1 / cell.scale);
  for (Index i = 0; i < count; i += width) {
    const int some = count - i < width ? static_cast<int>(count - i) : width;
    const Vec3<T> d{T(cell.center.x) - load_some<T>(x + i, some, cell.center.x),
                    T(cell.center.y) - load_some<T>(y + i, some, cell.center.y),
                    T(cell.center.z) - load_some<T>(z + i, some, cell.center.z)};
    expansion::monomials<p>(unit * d, powers);
    const T weight = load_some<T>(mass + i, some, 0);
    for (int k = 0; k < n; ++k) sums[k] = N::multiply_add(weight, powers[k], sums[k]);
  }
  for (int k = 0; k < n; ++k) moments[k] += sum_of_lanes(sums[k]);
}

/// (d / h)^k / k! for children in lanes, d from their centers to that of the parent, h its scale.
template <int p, class T>
MOTE_FORMULA void shifts(const CellColumns& cells, std::uint32_t first, int count,
                         const CellFrame& parent, T* powers) {
  const T unit(1 / parent.scale);
  const Vec3<T> d{T(parent.center.x) - load_some<T>(cells.x + first, count, parent.center.x),
                  T(parent.center.y) - load_some<T>(cells.y + first, count, parent.center.y),
                  T(parent.center.z) - load_some<T>(cells.z + first, count, parent.center.z)};
  expansion::monomials<p>(unit * d, powers);
}

/// M_n = sum_k M_{n-k} d^k / k!. Lanes are children.
template <int p, class T>
void moments_of_children(const CellColumns& cells, std::uint32_t first, int count,
                         const double* rows, const CellFrame& parent, double* moments) {
  using N = engine::Number<T>;
  constexpr int n = expansion::count_of(p), width = static_cast<int>(Lanes<T>::width);
  T powers[n], of_child[n], sums[n];
  for (int done = 0; done < count; done += width) {
    const int some = count - done < width ? count - done : width;
    const std::uint32_t c = first + static_cast<std::uint32_t>(done);
    shifts<p>(cells, c, some, parent, powers);
    const T ratio = load_some<T>(cells.scale + c, some, 0) * T(1 / parent.scale);
    T power(1);
    for (int order = 0, k = 0; order <= p; ++order, power = power * ratio)
      for (; k < expansion::count_of(order); ++k) {
        alignas(64) double lanes[width];
        for (int lane = 0; lane < width; ++lane)
          lanes[lane] = lane < some ? rows[(done + lane) * padded_count(p) + k] : 0;
        of_child[k] = Lanes<T>::load(lanes) * power;
      }
    for (int k = 0; k < n; ++k) sums[k] = T(0);
    const auto& products = expansion::products<p>;
    for (int k = 0; k < n; ++k)
      for (int i = products.first[k]; i < products.first[k + 1]; ++i) {
        T& sum = sums[products.sum[i]];
        sum = N::multiply_add(of_child[i - products.first[k]], powers[k], sum);
      }
    for (int k = 0; k < n; ++k) moments[k] += sum_of_lanes(sums[k]);
  }
}

/// L_k = sum_n L_{k+n} (-d)^n / n!. Lanes are children.
template <int p, class T>
void locals_of_children(const double* locals, const CellFrame& parent, const CellColumns& cells,
                        std::uint32_t first, int count, double* rows) {
  using N = engine::Number<T>;
  constexpr int n = expansion::count_of(p), width = static_cast<int>(Lanes<T>::width);
  T powers[n];
  for (int done = 0; done < count; done += width) {
    const int some = count - done < width ? count - done : width;
    const std::uint32_t c = first + static_cast<std::uint32_t>(done);
    shifts<p>(cells, c, some, parent, powers);
    for (int order = 1, k = 1; order <= p; ++order)
      for (; k < expansion::count_of(order); ++k)
        if (order % 2 == 1) powers[k] = T(0) - powers[k];
    const T ratio = load_some<T>(cells.scale + c, some, 0) * T(1 / parent.scale);
    T power(1);
    const auto& products = expansion::products<p>;
    for (int order = 0, k = 0; order <= p; ++order, power = power * ratio)
      for (; k < expansion::count_of(order); ++k) {
        T sum(0);
        for (int i = products.first[k]; i < products.first[k + 1]; ++i)
          sum = N::multiply_add(T(locals[products.sum[i]]), powers[i - products.first[k]], sum);
        alignas(64) double lanes[width];
        Lanes<T>::store(lanes, sum * power);
        for (int lane = 0; lane < some; ++lane)
          rows[(done + lane) * padded_count(p) + k] = lanes[lane];
      }
  }
}

}  // namespace mote::sim::multipole_simd
