#pragma once

#include <cstdint>

#include "engine/exec/simd.h"
#include "engine/math/vec.h"
#include "engine/types.h"
#include "sim/expansions/acceptance.h"
#include "sim/expansions/expansion.h"

namespace mote::sim {

/// Coefficients of a cell in memory: whole batches of any instruction set.
constexpr int padded_count(int p) {
  return (expansion::count_of(p) + 15) / 16 * 16;
}

/// Cells, a column for each number, padded by a batch.
struct CellColumns {
  const double *x, *y, *z;  ///< centers
  const double *radius, *scale;
  const double* power[expansion::largest_order + 1];  ///< Acceptance::power
};

/// A cell as source, in a periodic image of the box; 0 is the box itself.
struct SourceCell {
  std::uint32_t cell, image;
};

/// A cell as target or parent.
struct CellFrame {
  engine::Vec3d center;
  double scale;
};

/// Bodies in units of a length of a leaf, from its center. Padded to whole batches with massless
/// bodies.
template <class Real>
struct NearBodies {
  engine::Index count;  ///< without padding
  const Real *x, *y, *z, *mass;

  NearBodies part(engine::Index first, engine::Index some) const {
    return {some, x + first, y + first, z + first, mass + first};
  }
};

/// Sums of the targets of a leaf in the same units, likewise padded.
struct NearSums {
  double *ax, *ay, *az, *potential;

  NearSums part(engine::Index first) const {
    return {ax + first, ay + first, az + first, potential + first};
  }
};

/// The hot loops, compiled for one instruction set. Sums run over the sources in their order, so
/// they do not depend on threads. Arrays of functions are by the order p.
struct MultipoleKernels {
  static constexpr int orders = expansion::largest_order + 1;

  /// Which of the eight cells from `first` are accepted for a target of this radius, and with
  /// this limit of the estimated error, as bits.
  unsigned (*accepted)(int p, const CellColumns&, std::uint32_t first, engine::Vec3d center,
                       double radius, double limit);

  /// Adds the moments of bodies, M_n of a cell.
  void (*moments_of_bodies[orders])(const double* x, const double* y, const double* z,
                                    const double* mass, engine::Index count, const CellFrame& cell,
                                    double* moments);
  /// Adds those of its children, whose rows of padded_count(p) follow each other.
  void (*moments_of_children[orders])(const CellColumns&, std::uint32_t first, int count,
                                      const double* rows, const CellFrame& parent, double* moments);
  /// Writes the coefficients L_k of a cell about the centers of its children, in rows of
  /// padded_count(p).
  void (*locals_of_children[orders])(const double* locals, const CellFrame& parent,
                                     const CellColumns&, std::uint32_t first, int count,
                                     double* rows);

  /// Adds to the coefficients L_k of a target, of order 1 up to p, with `potential` 0 too, the
  /// expansions of these sources. `moments`: rows of padded_count(p) for all cells; `images`: where
  /// the images of the box are; `dipoles`: moments of order 1 are not zero.
  template <class Real>
  using Far = void (*)(const CellColumns&, const Real* moments, const engine::Vec3d* images,
                       const SourceCell* sources, engine::Index count, const CellFrame& target,
                       double squared_softening, bool dipoles, bool potential, double* locals);
  Far<float> far_single[orders];
  Far<double> far_double[orders];

  /// Adds the acceleration by the expansion of their leaf to its bodies.
  template <class Real>
  using Evaluate = void (*)(const double* locals, const NearBodies<Real>& targets, bool potential,
                            const NearSums&);
  Evaluate<float> evaluate_single[orders];
  Evaluate<double> evaluate_double[orders];

  /// Adds the attraction by all sources but those at the position of the target.
  template <class Real>
  using Near = void (*)(const NearBodies<Real>& sources, const NearBodies<Real>& targets,
                        Real squared_softening, bool potential, const NearSums&);
  Near<float> near_single;
  Near<double> near_double;

  template <class Real>
  Far<Real> far(int p) const {
    if constexpr (sizeof(Real) == 4)
      return far_single[p];
    else
      return far_double[p];
  }
  template <class Real>
  Evaluate<Real> evaluate(int p) const {
    if constexpr (sizeof(Real) == 4)
      return evaluate_single[p];
    else
      return evaluate_double[p];
  }
  template <class Real>
  Near<Real> near() const {
    if constexpr (sizeof(Real) == 4)
      return near_single;
    else
      return near_double;
  }
};

extern const MultipoleKernels multipole_kernels_scalar;
extern const MultipoleKernels multipole_kernels_sse4_2;
extern const MultipoleKernels multipole_kernels_avx2;
extern const MultipoleKernels multipole_kernels_avx512;

/// The kernels of a level, which this processor must support.
const MultipoleKernels& multipole_kernels(engine::SimdLevel level);

}  // namespace mote::sim
