#pragma once

#include <cstdint>
#include <vector>

#include "engine/math/vec.h"
#include "engine/platform.h"
#include "sim/domain.h"
#include "sim/expansions/expansion.h"
#include "sim/expansions/multipole_kernel.h"

namespace mote::sim {

/// Attraction by all periodic images of bodies in a box, with a neutralising background of uniform
/// density: the sum of Ewald (1921, Ann. Phys. 369, 253) with conducting surroundings, without a
/// dipole term.
///
/// The nearest images act as the bodies themselves do, cell by cell. What is left, for x and y in
/// the box,
///   K(x - y) = 2 / pi^(1/2) int_0^inf [ prod_axis sum_n e^(-(d + n L)^2 t^2) - pi^(3/2) / (t^3 V)
///                                       - prod_axis sum_nearest e^(-(d + n L)^2 t^2) ] dt,
/// is smooth: its singularities are a length L_max away, beyond the ends or beside the axis. It is
/// kept as polynomials in each coordinate, of x as of y, sum K_ab T_a(x) T_b(y) with products of
/// Chebyshev polynomials T (Fong & Darve 2009, JCP 228, 8712), whose coefficients fall by 4.2
/// to 5.8 each. Since K is even along each axis, only a and b of equal parities along all axes go
/// together. Images that are not nearest are not softened.
class PeriodicImages {
 public:
  /// Polynomials along each axis, an even number. The error of K is 1e-10 of 1 / L_max inside the
  /// box and 4e-9 for two bodies in opposite corners, of its gradient 5e-9 and 5e-7 of 1 / L_max^2.
  static constexpr int count = 14, half = count / 2;
  /// Coefficients of a function in the box: by parities of x, y and z, then by half of each index.
  static constexpr int size = count * count * count, block = half * half * half;
  /// Cells of this level of a tree are small beside the distance of images that are not nearest, so
  /// that their moments and expansions are fine enough.
  static constexpr int level = 3;
  /// Largest ratio of two sides.
  static constexpr double longest = 4;

  MOTE_FORMULA static constexpr int place_of(int a, int b, int c) {
    return (4 * (a % 2) + 2 * (b % 2) + c % 2) * block + ((a / 2) * half + b / 2) * half + c / 2;
  }

  /// `box`: periodic along all axes.
  explicit PeriodicImages(const Domain& box);

  /// Displacements of the nearest images [length], at first that of the box itself.
  const std::vector<engine::Vec3d>& nearest() const { return nearest_; }
  static std::vector<engine::Vec3d> nearest_of(const Domain& box);

  /// Coefficients K_ab for the eight parities, `block` rows of `block` numbers each, in units of 1
  /// / unit().
  const std::vector<double>& kernel() const { return kernel_; }
  double unit() const { return unit_; }  ///< L_max [length]
  /// The image of a position in the box.
  engine::Vec3d inside(engine::Vec3d position) const;

  /// Where a point is, from -1 to 1 along each axis. `length`: the unit of positions.
  struct Frame {
    engine::Vec3d center, inverse;  ///< center of the box, and 1 / half its length, in that unit
    MOTE_FORMULA engine::Vec3d at(engine::Vec3d x) const {
      return {(x.x - center.x) * inverse.x, (x.y - center.y) * inverse.y,
              (x.z - center.z) * inverse.z};
    }
  };
  Frame frame(double length) const {
    return {(1 / length) * center_,
            {length / half_length_.x, length / half_length_.y, length / half_length_.z}};
  }

  /// T_a^(k)(u) step^k for a < count, k <= p, in values[a * stride + k]: derivatives in units of
  /// which 1 / step are one.
  template <class T>
  MOTE_FORMULA static void polynomials(T u, T step, int p, int stride, T* values) {
    for (int k = 0; k <= p; ++k) values[k] = k == 0 ? T(1) : T(0);
    values[stride] = u;
    for (int k = 1; k <= p; ++k) values[stride + k] = k == 1 ? step : T(0);
    for (int a = 2; a < count; ++a) {
      const T *one = values + (a - 1) * stride, *two = values + (a - 2) * stride;
      for (int k = 0; k <= p; ++k) {
        T value = T(2) * u * one[k] - two[k];
        if (k > 0) value = value + T(2 * k) * step * one[k - 1];
        values[a * stride + k] = value;
      }
    }
  }

  /// Adds sum m T(y) of bodies, and of a cell by its moments M_n of order up to p, to `weights`.
  void add_body(const Frame& frame, engine::Vec3d position, double mass, double* weights) const;
  void add_cell(const Frame& frame, const CellFrame& cell, int p, const double* moments,
                double* weights) const;

  /// The coefficients of the potential sum m K(x - y) from those weights, for rows `first` to
  /// `last` of all. In units of 1 / `length`.
  void find_potential(double length, const double* weights, int first, int last,
                      double* potential) const;

  /// Adds the expansion L_k of the potential about the center of a cell.
  void add_to_cell(const Frame& frame, const CellFrame& cell, int p, const double* potential,
                   double* locals) const;
  /// The potential and its gradient at a body.
  struct At {
    double potential;
    engine::Vec3d gradient;
  };
  At at(const Frame& frame, engine::Vec3d position, const double* potential) const;

 private:
  engine::Vec3d center_, half_length_;
  double unit_;
  std::vector<engine::Vec3d> nearest_;
  std::vector<double> kernel_;
};

}  // namespace mote::sim
