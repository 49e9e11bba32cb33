#pragma once

#include "engine/exec/simd.h"
#include "engine/types.h"
#include "sim/fluid/tension_formula.h"

namespace mote::sim {

/// Particles near those of one cell, packed one behind the other: `count` of them, then up to
/// `fluid_padding` more without a volume, so that whole batches may be read.
template <class Real>
struct FluidNeighbours {
  engine::Index count;
  const Real *x, *y, *z;
  const Real *shift_x, *shift_y,
      *shift_z;  ///< what takes each to the image next to the cell; null where all are zero
  const Real *vx, *vy, *vz;
  const Real *ux, *uy, *uz;  ///< velocities that viscosity sees, of walls only
  const Real *volume, *pressure, *dynamic;
  const Real* stress[6];  ///< those of SurfaceStress, in its order; null without surface tension
};

/// The widest batch.
inline constexpr engine::Index fluid_padding = 16;

/// A particle whose sums are asked for.
template <class Real>
struct FluidTarget {
  Vec3<Real> at;
  FluidPoint<Real> point;
};

/// The hot loops of one number type, compiled for one instruction set. Sums run over the lanes of
/// batches, batch after batch.
template <class Real>
struct FluidLoops {
  using Pairs = void (*)(const FluidConstants<Real>&, const FluidNeighbours<Real>&,
                         const FluidTarget<Real>&, FluidSums<Real>&, engine::Index& neighbours);
  /// With fluid, by the bits 1 shifting, 2 XSPH. Adds to the sums, and to the number of those
  /// within reach, of which the particle itself is one.
  Pairs with_fluid[4];
  /// With walls.
  Pairs with_walls;
  /// What a wall particle finds in the fluid.
  void (*wall)(const SmoothingKernel<Real>&, const FluidNeighbours<Real>&, Vec3<Real> at,
               WallSums<Real>&);
  /// Adds to the gradient of what there is of the neighbours.
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

/// The kernels of a level that this processor supports.
const FluidKernels& fluid_kernels(engine::SimdLevel level);

}  // namespace mote::sim
