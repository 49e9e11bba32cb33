#include "engine/exec/stream.h"
#include "engine/memory/device_memory.h"
#include "sim/motion/kept.h"

namespace mote::sim {

std::string kept_bytes(const engine::Cuda& exec, const Kept<engine::Device>& kept) {
  return kept_as_bytes(kept, [&](double* to, const double* from, engine::Index count) {
    if (count == 0) return;
    engine::copy_to_host(to, from, count, exec.stream);
    engine::wait(exec);
  });
}

void restore_kept(const engine::Cuda& exec, const Kept<engine::Device>& kept,
                  std::string_view bytes) {
  restore_from_bytes(kept, bytes, [&](double* to, const double* from, engine::Index count) {
    if (count == 0) return;
    engine::copy_to_device(to, from, count, exec.stream);
    engine::wait(exec);
  });
}

}  // namespace mote::sim
