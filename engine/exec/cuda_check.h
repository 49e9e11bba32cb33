#pragma once

#include <cuda_runtime_api.h>

namespace mote::engine {

/// Throws SystemError with the call, what the runtime says, and what to do about it.
void cuda_check(cudaError_t error, const char* call, const char* file = __builtin_FILE(),
                int line = __builtin_LINE());

/// Of a launch that may be too large for the device, or for the share of it that the process has:
/// false when it is. Throws as cuda_check does for all other errors.
bool had_room(cudaError_t error, const char* call, const char* file = __builtin_FILE(),
              int line = __builtin_LINE());

/// What to do about an error.
const char* cuda_remedy(cudaError_t error);

/// For calls of destructors, which cannot throw: whether it succeeded. What is wrong is logged
/// (what repeats, once), and forgotten by the runtime: libraries take an error that was left behind
/// for one of theirs.
bool note_failure(cudaError_t error, const char* call) noexcept;

}  // namespace mote::engine
