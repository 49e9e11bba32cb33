#pragma once

#include <vector>

#include "engine/exec/stream.h"
#include "engine/memory/buffer.h"

namespace mote::engine {

/// Copies values to a new device buffer. Waits for the copy.
template <class T>
Buffer<T, Device> on_device(const Cuda& exec, const std::vector<T>& values) {
  Buffer<T, Device> buffer(static_cast<Index>(values.size()));
  if (values.empty()) return buffer;
  copy_to_device(buffer.data(), values.data(), buffer.size(), exec.stream);
  wait(exec);
  return buffer;
}

}  // namespace mote::engine
