#pragma once

#include <cstdint>

#include "engine/exec/simd.h"
#include "engine/types.h"
#include "sim/molecular/pair_formula.h"
#include "sim/space/neighbours.h"

namespace mote::sim {

/// Input of the neighbour loops. `StateReal` is the number type of positions, `Real` that of pair
/// terms.
template <class StateReal, class Real>
struct PairLoop {
  NeighbourView<StateReal> neighbours;
  const std::uint8_t* kind;  ///< kinds by slot; null if there is only one kind
  int kinds;
  const PairCoefficients<Real>* table;  ///< kinds x kinds
};

/// Sums over the neighbours of each slot: forces [force] and, unless null, half of the pair
/// energies and of the virials, sum of d . F [energy].
struct PairSums {
  double *fx, *fy, *fz;
  double *energy, *virial;
};

/// The hot loops, compiled for one instruction set. The sum of a slot runs over its neighbours in
/// their order, lane by lane, so it does not depend on tasks and threads.
template <class StateReal, class Real>
using PairKernel = void (*)(const PairLoop<StateReal, Real>&, const PairSums&, engine::Index begin,
                            engine::Index end);

struct PairKernels {
  /// Kernels in the order of all_pair_terms.
  PairKernel<float, float> single[pair_terms_count];
  PairKernel<double, float> mixed[pair_terms_count];
  PairKernel<double, double> double_[pair_terms_count];
};

extern const PairKernels pair_kernels_scalar;
extern const PairKernels pair_kernels_sse4_2;
extern const PairKernels pair_kernels_avx2;
extern const PairKernels pair_kernels_avx512;

/// The kernels of a level, which this processor must support.
const PairKernels& pair_kernels(engine::SimdLevel level);

}  // namespace mote::sim
