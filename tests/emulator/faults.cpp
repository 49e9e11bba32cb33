#include <cuda_runtime_api.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "tests/emulator/emulator.h"
#include "tests/emulator/runtime.h"

/// Contexts of devices, and faults that a test asked for.
namespace emulator {
namespace {

struct Fault {
  cudaError_t error;
  std::size_t calls;  // until it happens
  bool sticky;
};

std::mutex state_mutex;
std::optional<Fault> planned;
std::set<int>& contexts = *new std::set<int>;
std::map<int, cudaError_t>& broken = *new std::map<int, cudaError_t>;  // devices whose context is
                                                                       // lost

/// For programs that a test starts: they lose the device as soon as there is a file of this name.
bool file_is_there() {
  static const char* const path = std::getenv("MOTE_EMULATOR_FAULT");
  return path != nullptr && access(path, F_OK) == 0;
}

}  // namespace

void fail_from(std::size_t call, int error, bool sticky) {
  const std::lock_guard lock(state_mutex);
  planned = Fault{static_cast<cudaError_t>(error), call, sticky};
}

bool has_context(int device) {
  const std::lock_guard lock(state_mutex);
  return contexts.count(device) != 0;
}

void forget_contexts() {
  const std::lock_guard lock(state_mutex);
  contexts.clear();
}

void make_context(int device) {
  const std::lock_guard lock(state_mutex);
  contexts.insert(device);
}

cudaError_t context_state() {
  if (const cudaError_t state = device_state(); state != cudaSuccess) return state;
  const int device = current_device();
  const std::lock_guard lock(state_mutex);
  contexts.insert(device);
  if (file_is_there()) broken.emplace(device, cudaErrorLaunchFailure);
  if (const auto found = broken.find(device); found != broken.end()) return found->second;
  if (!planned || --planned->calls != 0) return cudaSuccess;
  const Fault fault = *planned;
  planned.reset();
  if (fault.sticky) broken.emplace(device, fault.error);
  return fault.error;
}

void reset_faults() {
  const std::lock_guard lock(state_mutex);
  planned.reset();
  broken.clear();
}

}  // namespace emulator
