#include "sim/run/backends.h"
#include "sim/run/registry.h"

// A build without CUDA plans no simulation on a GPU, so that none of these is called.
namespace mote::sim {

SteppingLimits stepping_limits(int, engine::Precision) {
  return {};
}

FieldSupport device_field_support(const SceneDescription&, const std::string&) {
  return {};
}

std::uint64_t device_bytes_for(const SceneDescription&, engine::Index, engine::Precision) {
  return 0;
}

std::uint64_t device_force_bytes(const SceneDescription&, engine::Index, engine::Precision) {
  return 0;
}

std::unique_ptr<Simulation> open_device_simulation(const SceneDescription&, const Plan&) {
  throw engine::SystemError("step on a GPU", "this build has no CUDA", "use --backend cpu");
}

}  // namespace mote::sim
