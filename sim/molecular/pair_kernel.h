#pragma once

#include <cstdint>

#include "engine/exec/simd.h"
#include "engine/types.h"
#include "sim/molecular/pair_formula.h"
#include "sim/space/neighbours.h"

namespace mote::sim {

/// What the loops over neighbours read. `StateReal` is the number type of places, `Real` that of
/// pair terms.
template <class StateReal, class Real>
struct PairLoop {
  NeighbourView<StateReal> near;
  const std::uint8_t* kind;  ///< by place; null where there is one kind only
  int kinds;
  const PairCoefficients<Real>* table;  ///< kinds x kinds
};

/// Sums over the neighbours of places, by place: forces [force]; and in double, unless null, half
/// of the energies of the pairs and half of their virials, sum of d . F [energy].
struct PairSums {
  double *fx, *fy, *fz;
  double *energy, *virial;
};

/// The hot loops, compiled for one instruction set. The sum of each place runs over its neighbours
/// in their order, lane by lane, so that it does not depend on how places are spread over tasks and
/// threads.
template <class StateReal, class Real>
using PairKernel = void (*)(const PairLoop<StateReal, Real>&, const PairSums&, engine::Index begin,
                            engine::Index end);

struct PairKernels {
  /// By terms: 2 x switched + charged.
  PairKernel<float, float> single[4];
  PairKernel<double, float> mixed[4];
  PairKernel<double, double> full[4];
};

extern const PairKernels pair_kernels_scalar;
extern const PairKernels pair_kernels_sse4_2;
extern const PairKernels pair_kernels_avx2;
extern const PairKernels pair_kernels_avx512;

/// The kernels of a level that this processor supports.
const PairKernels& pair_kernels(engine::SimdLevel level);

}  // namespace mote::sim
