#pragma once

#include <cuda_runtime_api.h>

namespace mote::engine {

/// Throws SystemError with the call, the runtime's message and a remedy.
void cuda_check(cudaError_t error, const char* call, const char* file = __builtin_FILE(),
                int line = __builtin_LINE());

/// Checks a launch that may be too large for the device, or for the part of it that the process may
/// use: false if so. Throws like cuda_check for all other errors.
bool fits_device(cudaError_t error, const char* call, const char* file = __builtin_FILE(),
                 int line = __builtin_LINE());

/// Remedy for an error, as shown to the user.
const char* cuda_remedy(cudaError_t error);

/// Checks calls in destructors, which cannot throw: true on success. Logs an error (a repeated one
/// once) and clears it in the runtime: other libraries would take a pending error for theirs.
bool log_failure(cudaError_t error, const char* call) noexcept;

}  // namespace mote::engine
