#pragma once

#include <cmath>
#include <cstdint>

#include "engine/math/vec.h"

/// Rods: pairs of bodies at fixed distances. A drift is followed by forces along the directions
/// that the rods had before it, such that all lengths are right after it (SHAKE: Ryckaert, Ciccotti
/// & Berendsen 1977, J. Comput. Phys. 23, 327); the last kick of a step by impulses along the rods,
/// such that no length changes (RATTLE: Andersen 1983, J. Comput. Phys. 52, 24). Together with
/// leapfrog this is symplectic and reversible (Leimkuhler & Skeel 1994, J. Comput. Phys. 112, 117).
///
/// Rods that share bodies depend on each other: their multipliers are solutions of one system of
/// equations for each cluster of rods, nonlinear for lengths and linear for velocities. Newton's
/// method solves them, with elimination in a band of the matrix. All of this is in double,
/// whatever the precision of the state. Plain data, for host and device.
namespace mote::sim {

/// A rod between two bodies.
struct Rod {
  std::int32_t a, b;  ///< body indices
  bool fixed[2];      ///< whether a and b are fixed, which is as an infinite mass; not both
  double length;      ///< [length] > 0
};

/// Rods that depend on each other only: consecutive ones, in an order in which those that share a
/// body are at most `band` apart.
struct RodCluster {
  std::int32_t begin, count;  ///< range of its rods
  std::int32_t band;
  std::int64_t matrix;  ///< first element of its matrix: `count` rows of 2 band + 1
};

/// Scratch of a rod.
struct RodWork {
  engine::Vec3d pull;     ///< direction of its forces: x_a - x_b before the drift [length]
  engine::Vec3d apart;    ///< x_a - x_b before forces of rods [length]
  double inverse[2];      ///< inverse masses of its bodies [1 / mass], 0 if fixed
  double multiplier;      ///< its impulse times h is multiplier times pull, on a [mass]
  double right;           ///< right-hand side, then the solution
  double smallest_pivot;  ///< below which it depends on other rods
};

/// All rods of a scene, in the memory of the backend. Clusters use disjoint parts of all arrays.
struct RodView {
  std::int32_t count;  ///< number of clusters
  const RodCluster* cluster;
  const Rod* rod;
  RodWork* work;                 ///< indexed by rod
  double* matrix;                ///< matrices of all clusters
  double length[3], inverse[3];  ///< lengths of periodic axes and their inverses, zero along others
};

/// Largest error of a squared length after a step, relative to it; twice that of the length.
inline constexpr double rod_tolerance = 2e-12;
/// Newton's method squares its error in each iteration: rods that turn by less than 0.1 in a step
/// take two or three.
inline constexpr int most_rod_iterations = 20;
/// A pivot this small beside its diagonal is round-off: the rod depends on those before it.
inline constexpr double dependent_rod = 1e-11;

/// The equations of one cluster.
struct RodSystem {
  const RodCluster& cluster;
  const Rod* rod;     ///< its first
  RodWork* work;      ///< scratch of its first
  double* matrix;     ///< its own
  std::int32_t rods;  ///< number of them

  MOTE_HOST_DEVICE RodSystem(const RodView& view, const RodCluster& of)
      : cluster(of),
        rod(view.rod + of.begin),
        work(view.work + of.begin),
        matrix(view.matrix + of.matrix),
        rods(of.count) {}

  MOTE_HOST_DEVICE std::int32_t low(std::int32_t k) const {
    return k < cluster.band ? 0 : k - cluster.band;
  }
  MOTE_HOST_DEVICE std::int32_t high(std::int32_t k) const {
    return k + cluster.band < rods ? k + cluster.band : rods - 1;
  }
  MOTE_HOST_DEVICE double& at(std::int32_t row, std::int32_t column) const {
    const std::int64_t width = 2 * static_cast<std::int64_t>(cluster.band) + 1;
    return matrix[row * width + (column - row + cluster.band)];
  }

  /// Change of x_a - x_b of rod k per multiplier and pull of rod l [1 / mass].
  MOTE_HOST_DEVICE double coupling(std::int32_t k, std::int32_t l) const {
    const Rod &of = rod[k], &by = rod[l];
    double sum = 0;
    if (of.a == by.a) sum += work[k].inverse[0];
    if (of.a == by.b) sum -= work[k].inverse[0];
    if (of.b == by.a) sum -= work[k].inverse[1];
    if (of.b == by.b) sum += work[k].inverse[1];
    return sum;
  }

  /// Row k of the matrix, for a rod that is `apart` now.
  MOTE_HOST_DEVICE void set_row(std::int32_t k, engine::Vec3d apart) const {
    for (std::int32_t l = low(k); l <= high(k); ++l)
      at(k, l) = coupling(k, l) * dot(apart, work[l].pull);
    work[k].smallest_pivot = dependent_rod * std::fabs(at(k, k));
  }

  /// Solves for `right`, in place, and destroys the matrix. Elimination without exchange of rows:
  /// unless rods turn far in a step, the matrix is nearly symmetric and positive. Rods that depend
  /// on others get zero. 2 band^2 flops a rod.
  MOTE_HOST_DEVICE void solve() const {
    for (std::int32_t k = 0; k < rods; ++k) {
      const double pivot = at(k, k);
      if (std::fabs(pivot) <= work[k].smallest_pivot) {
        at(k, k) = 0;
        continue;
      }
      at(k, k) = 1 / pivot;
      for (std::int32_t row = k + 1; row <= high(k); ++row) {
        const double factor = at(row, k) * at(k, k);
        if (factor == 0) continue;
        for (std::int32_t l = k + 1; l <= high(k); ++l) at(row, l) -= factor * at(k, l);
        work[row].right -= factor * work[k].right;
      }
    }
    for (std::int32_t k = rods - 1; k >= 0; --k) {
      double sum = work[k].right;
      for (std::int32_t l = k + 1; l <= high(k); ++l) sum -= at(k, l) * work[l].right;
      work[k].right = at(k, k) * sum;
    }
  }
};

}  // namespace mote::sim
