#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "sim/contact/contact_device.h"
#include "sim/contact/grains.h"
#include "sim/model/model.h"

namespace mote::sim {

/// The grains of a scene and its obstacles as a force on a GPU.
class DeviceGrainForces {
 public:
  /// Throws InputError for an invalid obstacle.
  DeviceGrainForces(const engine::Cuda& exec, const Grains& grains, const Model& model,
                    const State<engine::Host>& initial);

  void run(const engine::Cuda& exec, State<engine::Device>& state, const StageTime& time,
           StepReport& report);
  double potential_energy(const engine::Cuda& exec, const State<engine::Device>& state,
                          const StageTime& time);
  void on_state_replaced(const engine::Cuda& exec, State<engine::Device>& state);
  bool grow_buffers(const engine::Cuda& exec);
  /// Writes it in the format of GrainForces.
  std::string serialize() const;
  void deserialize(std::string_view bytes);

 private:
  engine::Cuda exec_;
  std::uint64_t listed_pairs_ = 0;
  std::variant<DeviceContactForce<float>, DeviceContactForce<double>> force_;
};

}  // namespace mote::sim
