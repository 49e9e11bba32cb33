#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "sim/contact/contact_device.h"
#include "sim/scene/description.h"

namespace mote::sim {

/// The grains of a scene and its obstacles as a force on a GPU.
class DeviceGrainStage {
 public:
  /// Throws InputError when an obstacle cannot be.
  DeviceGrainStage(const engine::Cuda& exec, const SceneDescription& scene,
                   const State<engine::Host>& initial);

  void run(const engine::Cuda& exec, State<engine::Device>& state, const StageTime& time,
           StepReport& report);
  double potential_energy(const engine::Cuda& exec, const State<engine::Device>& state,
                          const StageTime& time);
  void replaced(const engine::Cuda& exec, State<engine::Device>& state);
  bool settle(const engine::Cuda& exec);
  /// The bytes of GrainStage.
  std::string memory() const;
  void set_memory(std::string_view bytes);

 private:
  engine::Cuda exec_;
  std::uint64_t listed_ = 0;
  std::variant<DeviceContactForce<float>, DeviceContactForce<double>> force_;
};

}  // namespace mote::sim
