#include "engine/exec/together.h"

#include <map>
#include <mutex>

#include "engine/exec/launch.cuh"

namespace mote::engine {
namespace {

__global__ void empty_kernel() {}

int attribute(const Cuda& exec, cudaDeviceAttr what) {
  int value = 0;
  cuda_check(cudaDeviceGetAttribute(&value, what, exec.device), "cudaDeviceGetAttribute");
  return value;
}

/// Largest cooperative launch that succeeds, found by bisection. Each block takes all the shared
/// memory of a multiprocessor, so that no two share one.
int probe_multiprocessors(const Cuda& exec) {
  if (attribute(exec, cudaDevAttrCooperativeLaunch) == 0) return 0;
  const auto shared =
      static_cast<std::size_t>(attribute(exec, cudaDevAttrMaxSharedMemoryPerBlockOptin));
  allow_shared(empty_kernel, shared);
  const auto fits = [&](int blocks) {
    return try_launch(exec,
                      {.blocks = static_cast<unsigned>(blocks),
                       .threads = 32,
                       .shared = shared,
                       .cooperative = true},
                      empty_kernel);
  };
  const int all = attribute(exec, cudaDevAttrMultiProcessorCount);
  if (fits(all)) return all;
  int good = 0, bad = all;
  while (bad - good > 1) {
    const int middle = (good + bad) / 2;
    (fits(middle) ? good : bad) = middle;
  }
  return good;
}

}  // namespace

int cooperative_multiprocessors(const Cuda& exec) {
#if defined(MOTE_CUDA_EMULATED)
  return probe_multiprocessors(exec);  // tests change the device
#else
  static std::mutex mutex;
  static std::map<int, int> known;
  const std::lock_guard lock(mutex);
  const auto found = known.find(exec.device);
  return found != known.end() ? found->second : known[exec.device] = probe_multiprocessors(exec);
#endif
}

}  // namespace mote::engine
