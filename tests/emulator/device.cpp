#include <cuda_runtime_api.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <utility>

#include "tests/emulator/emulator.h"
#include "tests/emulator/runtime.h"

/// Errors, versions and properties of the emulated device.

extern const int warpSize = 32;

namespace emulator {
namespace {

/// For programs that a test starts.
int count_in_environment() {
  const char* count = std::getenv("MOTE_EMULATOR_DEVICES");
  return count ? std::atoi(count) : 1;
}

std::atomic<int> devices{count_in_environment()};
std::atomic<int> multiprocessors{8};
std::atomic<int> driver_version{CUDART_VERSION};
std::atomic<cudaError_t> initialization_error{cudaSuccess};
thread_local cudaError_t last_error = cudaSuccess;
thread_local int selected_device = 0;
std::array<std::atomic<std::size_t>, 16> waits_of_device{};

bool hidden_by_environment() {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  return visible != nullptr && (*visible == '\0' || std::strcmp(visible, "-1") == 0);
}

cudaError_t check_device(int device) {
  if (const cudaError_t state = device_state(); state != cudaSuccess) return state;
  return device >= 0 && device < devices ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaDeviceProp properties_of(int device) {
  cudaDeviceProp p{};
  std::strcpy(p.name, "emulated device (host threads, for tests)");
  std::memcpy(p.uuid.bytes, "mote emulator  ", sizeof p.uuid.bytes);
  p.uuid.bytes[15] = static_cast<char>('0' + device);
  p.totalGlobalMem = device_capacity();
  p.sharedMemPerBlock = default_shared_bytes;
  p.sharedMemPerBlockOptin = max_shared_bytes;
  p.sharedMemPerMultiprocessor = max_shared_bytes + 1024;
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.warpSize = warpSize;
  p.maxThreadsPerBlock = max_threads_per_block;
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
  p.maxThreadsDim[2] = 64;
  p.maxGridSize[0] = 2147483647;
  p.maxGridSize[1] = p.maxGridSize[2] = 65535;
  p.major = 9;
  p.minor = 0;
  p.multiProcessorCount = multiprocessors;
  p.pciBusID = device + 1;
  p.l2CacheSize = 4 << 20;
  p.maxThreadsPerMultiProcessor = max_threads_per_multiprocessor;
  p.maxBlocksPerMultiProcessor = max_blocks_per_multiprocessor;
  p.cooperativeLaunch = p.clusterLaunch = 1;
  return p;
}

}  // namespace

cudaError_t report(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

cudaError_t device_state() {
  if (initialization_error != cudaSuccess) return initialization_error;
  if (driver_version < CUDART_VERSION / 1000 * 1000) return cudaErrorInsufficientDriver;
  return devices < 1 || hidden_by_environment() ? cudaErrorNoDevice : cudaSuccess;
}

int current_device() {
  return selected_device;
}

std::size_t device_waits(int device) {
  return waits_of_device.at(static_cast<std::size_t>(device));
}

int multiprocessor_count() {
  return multiprocessors;
}

void set_device_count(int count) {
  devices = count;
}

void set_multiprocessor_count(int count) {
  multiprocessors = count;
}

void set_driver_version(int version) {
  driver_version = version;
}

void fail_initialization(int error) {
  initialization_error = static_cast<cudaError_t>(error);
}

void reset() {
  devices = count_in_environment();
  multiprocessors = 8;
  driver_version = CUDART_VERSION;
  initialization_error = cudaSuccess;
  last_error = cudaSuccess;
  selected_device = 0;
  reset_launches();
  reset_order();
  reset_memory();
  reset_faults();
}

}  // namespace emulator

using namespace emulator;

cudaError_t cudaGetLastError() {
  const cudaError_t error = last_error;
  last_error = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() {
  return last_error;
}

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define MOTE_EMULATED_ERROR(name, value, text) \
  case name:                                   \
    return #name;
    MOTE_EMULATED_ERRORS(MOTE_EMULATED_ERROR)
#undef MOTE_EMULATED_ERROR
  }
  return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define MOTE_EMULATED_ERROR(name, value, text) \
  case name:                                   \
    return text;
    MOTE_EMULATED_ERRORS(MOTE_EMULATED_ERROR)
#undef MOTE_EMULATED_ERROR
  }
  return "unrecognized error code";
}

cudaError_t cudaDriverGetVersion(int* version) {
  *version = driver_version;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) {
  const cudaError_t state = device_state();
  *count = state == cudaSuccess ? devices.load() : 0;
  return report(state);
}

cudaError_t cudaGetDevice(int* device) {
  *device = selected_device;
  return report(device_state());
}

cudaError_t cudaSetDevice(int device) {
  const cudaError_t error = check_device(device);
  if (error != cudaSuccess) return report(error);
  selected_device = device;
  make_context(device);
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  for (const int either : {device, peer})
    if (const cudaError_t error = check_device(either); error != cudaSuccess) return report(error);
  *can = device != peer ? 1 : 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
  static std::mutex mutex;
  static std::set<std::pair<int, int>> enabled;
  if (const cudaError_t error = check_device(peer); error != cudaSuccess) return report(error);
  const int device = current_device();
  if (device == peer) return report(cudaErrorInvalidDevice);
  const std::lock_guard lock(mutex);
  return enabled.emplace(device, peer).second ? cudaSuccess
                                              : report(cudaErrorPeerAccessAlreadyEnabled);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  const cudaError_t error = check_device(device);
  if (error == cudaSuccess) *properties = properties_of(device);
  return report(error);
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (const cudaError_t error = check_device(device); error != cudaSuccess) return report(error);
  const cudaDeviceProp p = properties_of(device);
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      *value = p.maxThreadsPerBlock;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      *value = static_cast<int>(p.sharedMemPerBlock);
      break;
    case cudaDevAttrWarpSize:
      *value = p.warpSize;
      break;
    case cudaDevAttrMaxRegistersPerBlock:
      *value = p.regsPerBlock;
      break;
    case cudaDevAttrClockRate:
      *value = 1'000'000;
      break;  // kHz
    case cudaDevAttrMultiProcessorCount:
      *value = p.multiProcessorCount;
      break;
    case cudaDevAttrKernelExecTimeout:
      *value = 0;
      break;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
      *value = 2;
      break;
    case cudaDevAttrIntegrated:
      *value = p.integrated;
      break;
    case cudaDevAttrL2CacheSize:
      *value = p.l2CacheSize;
      break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      *value = p.maxThreadsPerMultiProcessor;
      break;
    case cudaDevAttrComputeCapabilityMajor:
      *value = p.major;
      break;
    case cudaDevAttrComputeCapabilityMinor:
      *value = p.minor;
      break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      *value = static_cast<int>(p.sharedMemPerMultiprocessor);
      break;
    case cudaDevAttrCooperativeLaunch:
      *value = p.cooperativeLaunch;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = static_cast<int>(p.sharedMemPerBlockOptin);
      break;
    case cudaDevAttrClusterLaunch:
      *value = p.clusterLaunch;
      break;
    default:
      return report(cudaErrorInvalidValue);
  }
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() {
  const cudaError_t state = context_state();
  count_host_wait();
  ++waits_of_device.at(static_cast<std::size_t>(selected_device));
  return report(state != cudaSuccess ? state : invalidate_captures(selected_device));
}
