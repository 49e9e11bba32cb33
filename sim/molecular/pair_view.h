#pragma once

#include "sim/molecular/pair_formula.h"

namespace mote::sim {

/// Coefficients of pairs as a kernel argument.
template <class Real>
struct PairCoefficientsView {
  PairCoefficients<Real> same;          ///< coefficients of all pairs, if there is one kind
  const PairCoefficients<Real>* table;  ///< kinds x kinds
  int kinds;
};

}  // namespace mote::sim
