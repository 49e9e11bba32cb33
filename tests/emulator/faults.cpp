#include <cuda_runtime_api.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "tests/emulator/emulator.h"
#include "tests/emulator/runtime.h"

/// Contexts of devices, and fault injection.
namespace emulator {
namespace {

struct Fault {
  cudaError_t error;
  std::size_t calls;  // until it occurs
  bool sticky;
};

std::mutex fault_mutex;
std::optional<Fault> planned;
std::set<int>& contexts = *new std::set<int>;
/// Devices whose context is lost.
std::map<int, cudaError_t>& lost = *new std::map<int, cudaError_t>;

/// For programs that a test starts: they lose the device as soon as this file exists.
bool fault_file_exists() {
  static const char* const path = std::getenv("MOTE_EMULATOR_FAULT");
  return path != nullptr && access(path, F_OK) == 0;
}

}  // namespace

void fail_call(std::size_t call, int error, bool sticky) {
  const std::lock_guard lock(fault_mutex);
  planned = Fault{static_cast<cudaError_t>(error), call, sticky};
}

bool has_context(int device) {
  const std::lock_guard lock(fault_mutex);
  return contexts.count(device) != 0;
}

void forget_contexts() {
  const std::lock_guard lock(fault_mutex);
  contexts.clear();
}

void make_context(int device) {
  const std::lock_guard lock(fault_mutex);
  contexts.insert(device);
}

cudaError_t context_state() {
  if (const cudaError_t state = device_state(); state != cudaSuccess) return state;
  const int device = current_device();
  const std::lock_guard lock(fault_mutex);
  contexts.insert(device);
  if (fault_file_exists()) lost.emplace(device, cudaErrorLaunchFailure);
  if (const auto found = lost.find(device); found != lost.end()) return found->second;
  if (!planned || --planned->calls != 0) return cudaSuccess;
  const Fault fault = *planned;
  planned.reset();
  if (fault.sticky) lost.emplace(device, fault.error);
  return fault.error;
}

void reset_faults() {
  const std::lock_guard lock(fault_mutex);
  planned.reset();
  lost.clear();
}

}  // namespace emulator
