#pragma once

#include "engine/exec/simd.h"
#include "engine/types.h"

struct CUstream_st;

namespace mote::engine {

class Ranks;

/// Runs on CPU cores. `simd` affects the rounding of forces (approximate square roots differ);
/// `threads` never changes a bit.
struct Cpu {
  using Space = Host;
  int threads = 1;
  SimdLevel simd = SimdLevel::scalar;
  Ranks* ranks = nullptr;  ///< that share the work (ranks.h); null: alone
};

/// Runs on one GPU, in order on one stream. Modules offer `run(Cuda, ...)` beside `run(Cpu, ...)`.
struct Cuda {
  using Space = Device;
  int device = 0;
  CUstream_st* stream = nullptr;
  Ranks* ranks = nullptr;  ///< that share the work (ranks.h); null: alone
};

}  // namespace mote::engine
