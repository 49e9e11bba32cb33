#pragma once

/// X(name, value, text) for every error that the emulator can return or our code can name.
#define MOTE_EMULATED_ERRORS(X)                                                                 \
  X(cudaSuccess, 0, "no error")                                                                 \
  X(cudaErrorInvalidValue, 1, "invalid argument")                                               \
  X(cudaErrorMemoryAllocation, 2, "out of memory")                                              \
  X(cudaErrorInitializationError, 3, "initialization error")                                    \
  X(cudaErrorCudartUnloading, 4, "driver shutting down")                                        \
  X(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")                         \
  X(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                   \
  X(cudaErrorInsufficientDriver, 35,                                                            \
    "CUDA driver version is insufficient for CUDA runtime version")                             \
  X(cudaErrorDevicesUnavailable, 46, "CUDA-capable device(s) is/are busy or unavailable")       \
  X(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                              \
  X(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                               \
  X(cudaErrorInvalidDevice, 101, "invalid device ordinal")                                      \
  X(cudaErrorNoKernelImageForDevice, 209,                                                       \
    "no kernel image is available for execution on the device")                                 \
  X(cudaErrorECCUncorrectable, 214, "uncorrectable ECC error encountered")                      \
  X(cudaErrorInvalidGraphicsContext, 219, "invalid OpenGL or DirectX context")                  \
  X(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                             \
  X(cudaErrorNotReady, 600, "device not ready")                                                 \
  X(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")                   \
  X(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")              \
  X(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")                     \
  X(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")                   \
  X(cudaErrorAssert, 710, "device-side assert triggered")                                       \
  X(cudaErrorHardwareStackError, 714, "hardware stack error")                                   \
  X(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered")                 \
  X(cudaErrorMisalignedAddress, 716, "misaligned address")                                      \
  X(cudaErrorLaunchFailure, 719, "unspecified launch failure")                                  \
  X(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")           \
  X(cudaErrorNotSupported, 801, "operation not supported")                                      \
  X(cudaErrorSystemNotReady, 802, "system not yet initialized")                                 \
  X(cudaErrorSystemDriverMismatch, 803,                                                         \
    "system has unsupported display driver / cuda driver combination")                          \
  X(cudaErrorStreamCaptureUnsupported, 900, "operation not permitted when stream is capturing") \
  X(cudaErrorStreamCaptureInvalidated, 901,                                                     \
    "operation failed due to a previous error during capture")                                  \
  X(cudaErrorInvalidClusterSize, 912, "invalid cluster size")                                   \
  X(cudaErrorUnknown, 999, "unknown error")

enum cudaError {
#define MOTE_EMULATED_ERROR(name, value, text) name = value,
  MOTE_EMULATED_ERRORS(MOTE_EMULATED_ERROR)
#undef MOTE_EMULATED_ERROR
};
using cudaError_t = cudaError;
