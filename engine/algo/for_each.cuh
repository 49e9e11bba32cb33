#pragma once

#include "engine/algo/for_each.h"
#include "engine/exec/launch.cuh"

namespace mote::engine {

inline constexpr unsigned for_each_threads = 128;

template <class Use>
__global__ void __launch_bounds__(for_each_threads) call_for_each(Use use, Index count) {
  const Index i = static_cast<Index>(blockIdx.x) * for_each_threads + threadIdx.x;
  if (i < count) use(i);
}

template <class Use>
void for_each(const Cuda& exec, Index count, const Use& use) {
  launch(exec, {blocks_for(count, for_each_threads), for_each_threads}, call_for_each<Use>, use,
         count);
}

}  // namespace mote::engine
