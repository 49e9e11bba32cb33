#pragma once

#include "engine/exec/simd.h"
#include "engine/types.h"

namespace mote::sim {

/// The attracting bodies, packed without the massless ones. Arrays of `count` in one number type.
/// Low parts exist in mixed precision only (position = high + low), else null.
template <class Real>
struct Sources {
  engine::Index count;
  const Real *x, *y, *z, *mass;
  const Real *x_low, *y_low, *z_low;
};

/// Positions of the attracted bodies, padded as Buffer is, and their sums.
template <class Real>
struct Targets {
  const Real *x, *y, *z;
  const Real *x_low, *y_low, *z_low;
  double *ax, *ay, *az;  ///< sums over all sources, without the factor G
};

/// Attracting bodies with velocities. `count` is a multiple of any number of lanes; bodies that
/// fill it up have no mass, and are where another one is.
template <class Real>
struct MovingSources {
  engine::Index count;
  const Real *high[3], *low[3], *velocity[3];  ///< low: in mixed precision only, else null
  const Real* mass;
};

/// Attracted bodies that were chosen among those of a state, and their sums, without the factor G.
template <class Real>
struct ChosenTargets {
  const Real *high[3], *low[3], *velocity[3];
  double *a[3], *jerk[3];  ///< jerk: null if it is not asked for, and then velocities, too
};

/// Most bodies of one task. A multiple of the bodies that any kernel processes at once, small
/// enough that positions and sums stay in L1 together with a block of sources.
inline constexpr engine::Index largest_target_chunk = 512;

/// The hot loops, compiled for one instruction set. The sum of a target runs over the sources in
/// their order, in blocks, so it does not depend on tasks and threads.
struct DirectKernels {
  /// Accelerations of targets [begin, end). `begin` is a multiple of 64; lanes past `end` may be
  /// written, up to the padding.
  void (*single)(const Sources<float>&, const Targets<float>&, engine::Index begin,
                 engine::Index end, float squared_softening);
  void (*mixed)(const Sources<float>&, const Targets<float>&, engine::Index begin,
                engine::Index end, float squared_softening);
  void (*double_)(const Sources<double>&, const Targets<double>&, engine::Index begin,
                  engine::Index end, double squared_softening);
  /// Accelerations, and jerks if there is room for them, of chosen targets [begin, end).
  void (*chosen_single)(const MovingSources<float>&, const ChosenTargets<float>&,
                        engine::Index begin, engine::Index end, float squared_softening);
  void (*chosen_mixed)(const MovingSources<float>&, const ChosenTargets<float>&,
                       engine::Index begin, engine::Index end, float squared_softening);
  void (*chosen_double)(const MovingSources<double>&, const ChosenTargets<double>&,
                        engine::Index begin, engine::Index end, double squared_softening);
  /// sum_{begin <= i < end} sum_{j > i} m_i m_j / distance, over the sources.
  double (*pair_potential)(const Sources<double>&, engine::Index begin, engine::Index end,
                           double squared_softening);
  /// sum_j m_j / distance over the sources at targets [begin, end), into `ax` of the targets; lanes
  /// past `end` may be written, up to the padding.
  void (*potentials)(const Sources<double>&, const Targets<double>&, engine::Index begin,
                     engine::Index end, double squared_softening);
};

extern const DirectKernels direct_kernels_scalar;
extern const DirectKernels direct_kernels_sse4_2;
extern const DirectKernels direct_kernels_avx2;
extern const DirectKernels direct_kernels_avx512;

/// The kernels of a level, which this processor must support.
const DirectKernels& direct_kernels(engine::SimdLevel level);

}  // namespace mote::sim
