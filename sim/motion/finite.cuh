#pragma once

#include "engine/math/vec.h"

namespace mote::sim {

template <class Real>
__device__ __forceinline__ bool all_finite(const engine::Vec3<Real>& v) {
  return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

}  // namespace mote::sim
