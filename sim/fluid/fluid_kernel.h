#pragma once

#include "engine/exec/simd.h"
#include "engine/types.h"
#include "sim/fluid/tension_formula.h"

namespace mote::sim {

/// Packed neighbours of the particles of one cell: `count` particles, then `fluid_padding` of zero
/// volume, so that full SIMD batches can be read.
template <class Real>
struct FluidNeighbours {
  engine::Index count;
  const Real *x, *y, *z;
  const Real *shift_x, *shift_y,
      *shift_z;  ///< Shift to the image nearest to the cell; null if all are zero.
  const Real *vx, *vy, *vz;
  const Real *ux, *uy, *uz;  ///< velocities for viscous terms, of walls only
  const Real *volume, *pressure, *dynamic;
  /// components of SurfaceStress in its order; null without surface tension
  const Real* stress[6];
};

/// The widest batch.
inline constexpr engine::Index fluid_padding = 16;

/// The particle that sums are computed for.
template <class Real>
struct FluidTarget {
  Vec3<Real> at;
  FluidPoint<Real> point;
};

/// The hot loops of one number type, compiled for one instruction set. Each SIMD lane sums over the
/// batches in order; then the lanes are summed.
template <class Real>
struct FluidLoops {
  using Pairs = void (*)(const FluidConstants<Real>&, const FluidNeighbours<Real>&,
                         const FluidTarget<Real>&, FluidSums<Real>&, engine::Index& neighbours);
  /// With fluid; index bits: 1 shifting, 2 XSPH. Adds to the sums and to the number of neighbours
  /// within the support, which includes the particle itself.
  Pairs with_fluid[4];
  /// With walls.
  Pairs with_walls;
  /// Sums of a wall particle over the fluid.
  void (*wall)(const SmoothingKernel<Real>&, const FluidNeighbours<Real>&, Vec3<Real> at,
               WallSums<Real>&);
  /// Adds the surface gradient of the neighbours.
  void (*gradient)(const SmoothingKernel<Real>&, const FluidNeighbours<Real>&, Vec3<Real> at,
                   Vec3<Real>&);
  /// Adds the force of surface tension.
  void (*tension)(const SmoothingKernel<Real>&, Real link, const FluidNeighbours<Real>&,
                  const FluidTarget<Real>&, const SurfaceStress<Real>&, Vec3<Real>& force);
};

struct FluidKernels {
  FluidLoops<float> single;
  FluidLoops<double> full;
};

extern const FluidKernels fluid_kernels_scalar;
extern const FluidKernels fluid_kernels_sse4_2;
extern const FluidKernels fluid_kernels_avx2;
extern const FluidKernels fluid_kernels_avx512;

/// Kernels for a SIMD level that this processor supports.
const FluidKernels& fluid_kernels(engine::SimdLevel level);

}  // namespace mote::sim
