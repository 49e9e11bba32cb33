#pragma once

#include <cuda_runtime_api.h>

namespace mote::engine {

/// Throws SystemError with the call, what the runtime says, and what to do about it.
void cuda_check(cudaError_t error, const char* call, const char* file = __builtin_FILE(),
                int line = __builtin_LINE());

}  // namespace mote::engine
