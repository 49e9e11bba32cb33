#pragma once

#include <tuple>

#include "sim/motion/composition.h"
#include "sim/motion/hermite.h"
#include "sim/motion/ias15.h"

namespace mote::sim {

/// All integrators beside the compositions of kicks and drifts (scheme.cpp), the only list of them.
/// A method has
///   static IntegratorInfo info();
///   template <class Exec>
///   static std::unique_ptr<Integrator<Exec>> make(const Integration&, const ForceTraits&);
/// the latter for engine::Cuda only if its info says that it runs on a GPU.
using IntegratorMethods = std::tuple<Ias15Method, HermiteMethod>;

}  // namespace mote::sim
