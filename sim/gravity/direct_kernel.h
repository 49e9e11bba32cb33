#pragma once

#include "engine/exec/simd.h"
#include "engine/types.h"

namespace mote::sim {

/// Bodies that pull, packed: the massless left out. Arrays of `count`, in one number type; the low
/// parts only in mixed precision (position = high + low), null otherwise.
template <class Real>
struct Sources {
  engine::Index count;
  const Real *x, *y, *z, *mass;
  const Real *x_low, *y_low, *z_low;
};

/// Positions of bodies that feel, padded as Buffer is, and where the sums go.
template <class Real>
struct Targets {
  const Real *x, *y, *z;
  const Real *x_low, *y_low, *z_low;
  double *ax, *ay, *az;  ///< sums over all sources, over G: not yet multiplied
};

/// Bodies of one task. A multiple of every kernel's group of bodies, small enough that positions
/// and sums stay in L1 beside a block of sources.
inline constexpr engine::Index largest_target_chunk = 512;

/// The hot loops, compiled for one instruction set. Each target's sum runs over the sources in
/// their order, in blocks, so it does not depend on how targets are spread over tasks and threads.
struct DirectKernels {
  /// Accelerations of targets [begin, end). `begin` is a multiple of 64; lanes behind `end` within
  /// the padding may be written.
  void (*single)(const Sources<float>&, const Targets<float>&, engine::Index begin,
                 engine::Index end, float squared_softening);
  void (*mixed)(const Sources<float>&, const Targets<float>&, engine::Index begin,
                engine::Index end, float squared_softening);
  void (*full)(const Sources<double>&, const Targets<double>&, engine::Index begin,
               engine::Index end, double squared_softening);
  /// sum_{begin <= i < end} sum_{j > i} m_i m_j / distance, over the sources.
  double (*pair_potential)(const Sources<double>&, engine::Index begin, engine::Index end,
                           double squared_softening);
};

extern const DirectKernels direct_kernels_scalar;
extern const DirectKernels direct_kernels_sse4_2;
extern const DirectKernels direct_kernels_avx2;
extern const DirectKernels direct_kernels_avx512;

/// The kernels of a level that this processor supports.
const DirectKernels& direct_kernels(engine::SimdLevel level);

}  // namespace mote::sim
