#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <utility>

#include "tests/emulator/runtime.h"
#include "tests/emulator/scheduler.h"

/// Checks of launch configurations, and attributes of kernels.
namespace emulator {
namespace {

struct Permissions {
  std::size_t shared_bytes = default_shared_bytes;
  bool large_clusters = false;

  unsigned max_blocks_per_cluster() const { return large_clusters ? 16 : 8; }
};

std::mutex launch_mutex;
constexpr int all_multiprocessors = 1 << 20;
std::atomic<int> cooperative_multiprocessors{all_multiprocessors};
std::atomic<bool> clusters_allowed{true};
std::map<const void*, Permissions>& permissions = *new std::map<const void*, Permissions>;

Permissions permissions_of(const void* kernel) {
  const std::lock_guard lock(launch_mutex);
  return permissions[kernel];
}

std::size_t volume(dim3 size) {
  return std::size_t{size.x} * size.y * size.z;
}

int blocks_per_multiprocessor(const Permissions& allowed, std::size_t threads,
                              std::size_t shared_bytes) {
  if (threads == 0 || threads > max_threads_per_block || shared_bytes > allowed.shared_bytes)
    return 0;
  const std::size_t by_threads = max_threads_per_multiprocessor / ((threads + 31) / 32 * 32);
  const std::size_t by_shared = shared_bytes == 0 ? by_threads : max_shared_bytes / shared_bytes;
  return static_cast<int>(
      std::min({by_threads, by_shared, static_cast<std::size_t>(max_blocks_per_multiprocessor)}));
}

bool is_valid_size(dim3 size, unsigned x, unsigned y, unsigned z) {
  return volume(size) != 0 && size.x <= x && size.y <= y && size.z <= z;
}

cudaError_t read_attributes(const cudaLaunchConfig_t& config, Launch& launch) {
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config.attrs[i];
    switch (attribute.id) {
      case cudaLaunchAttributeIgnore:
      case cudaLaunchAttributePriority:
        break;
      case cudaLaunchAttributeCooperative:
        launch.cooperative = attribute.val.cooperative != 0;
        break;
      case cudaLaunchAttributeClusterDimension:
        launch.cluster = {attribute.val.clusterDim.x, attribute.val.clusterDim.y,
                          attribute.val.clusterDim.z};
        break;
      default:
        return cudaErrorInvalidValue;
    }
  }
  return cudaSuccess;
}

cudaError_t check(const Launch& launch, const Permissions& allowed) {
  const std::size_t threads = volume(launch.block);
  if (!is_valid_size(launch.grid, 2147483647, 65535, 65535) ||
      !is_valid_size(launch.block, 1024, 1024, 64) || threads > max_threads_per_block)
    return cudaErrorInvalidConfiguration;
  if (launch.shared_bytes > allowed.shared_bytes) return cudaErrorInvalidValue;
  const dim3 grid = launch.grid, cluster = launch.cluster;
  if (volume(cluster) == 0 || grid.x % cluster.x != 0 || grid.y % cluster.y != 0 ||
      grid.z % cluster.z != 0)
    return cudaErrorInvalidConfiguration;
  if (volume(cluster) > allowed.max_blocks_per_cluster()) return cudaErrorInvalidClusterSize;
  const auto resident =
      static_cast<std::size_t>(blocks_per_multiprocessor(allowed, threads, launch.shared_bytes)) *
      static_cast<std::size_t>(
          std::min(multiprocessor_count(), cooperative_multiprocessors.load()));
  if (launch.cooperative && volume(grid) > resident) return cudaErrorCooperativeLaunchTooLarge;
  return cudaSuccess;
}

}  // namespace

void limit_launches(int cooperative, bool clusters) {
  cooperative_multiprocessors = cooperative;
  clusters_allowed = clusters;
}

void reset_launches() {
  limit_launches(all_multiprocessors, true);
}

cudaError_t launch(const cudaLaunchConfig_t& config, const void* kernel,
                   std::function<void()> body) {
  if (const cudaError_t state = context_state(); state != cudaSuccess) return report(state);
  Launch launch{config.gridDim,          config.blockDim, {},
                config.dynamicSmemBytes, false,           std::move(body)};
  cudaError_t error = read_attributes(config, launch);
  if (error == cudaSuccess) error = check(launch, permissions_of(kernel));
  if (error == cudaSuccess && volume(launch.cluster) > 1 && !clusters_allowed)
    error = cudaErrorLaunchOutOfResources;
  if (error == cudaSuccess) error = check_launch(config.stream);
  if (error != cudaSuccess) return report(error);
  return report(enqueue(config.stream, [launch = std::move(launch)] { run(launch); }));
}

}  // namespace emulator

using namespace emulator;

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
  if (const cudaError_t state = context_state(); state != cudaSuccess) return report(state);
  if (kernel == nullptr) return report(cudaErrorInvalidDeviceFunction);
  const std::lock_guard lock(launch_mutex);
  switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
      if (value < 0 || static_cast<std::size_t>(value) > max_shared_bytes)
        return report(cudaErrorInvalidValue);
      // A smaller value does not reduce the default.
      permissions[kernel].shared_bytes =
          std::max(default_shared_bytes, static_cast<std::size_t>(value));
      return cudaSuccess;
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
      permissions[kernel].large_clusters = value != 0;
      return cudaSuccess;
    case cudaFuncAttributePreferredSharedMemoryCarveout:
      return cudaSuccess;
  }
  return report(cudaErrorInvalidValue);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
  if (const cudaError_t state = context_state(); state != cudaSuccess) return report(state);
  if (kernel == nullptr) return report(cudaErrorInvalidDeviceFunction);
  const Permissions allowed = permissions_of(kernel);
  *attributes = {};
  attributes->numRegs = 32;
  attributes->maxThreadsPerBlock = max_threads_per_block;
  attributes->ptxVersion = attributes->binaryVersion = 90;
  attributes->maxDynamicSharedSizeBytes = static_cast<int>(allowed.shared_bytes);
  attributes->nonPortableClusterSizeAllowed = allowed.large_clusters ? 1 : 0;
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel,
                                                          int block_size,
                                                          std::size_t dynamic_shared_bytes) {
  if (const cudaError_t state = context_state(); state != cudaSuccess) return report(state);
  if (block_size <= 0) return report(cudaErrorInvalidValue);
  *blocks = blocks_per_multiprocessor(permissions_of(kernel), static_cast<std::size_t>(block_size),
                                      dynamic_shared_bytes);
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* kernel,
                                           const cudaLaunchConfig_t* config) {
  if (const cudaError_t state = context_state(); state != cudaSuccess) return report(state);
  Launch launch{config->gridDim, config->blockDim, {}, config->dynamicSmemBytes, false, {}};
  cudaError_t error = read_attributes(*config, launch);
  if (error == cudaSuccess) error = check(launch, permissions_of(kernel));
  if (error != cudaSuccess) return report(error);
  const int resident = multiprocessor_count() * 2 / static_cast<int>(volume(launch.cluster));
  *clusters = clusters_allowed ? std::max(1, resident) : 0;
  return cudaSuccess;
}
