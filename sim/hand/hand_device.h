#pragma once

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"
#include "sim/hand/hand.h"

namespace mote::sim {

/// HandForce on a GPU. Kernels that were recorded in a graph keep the old parameters.
class DeviceHandForce {
 public:
  static constexpr bool follows_order = true;

  DeviceHandForce(const engine::Cuda& exec, const Hand& hand, const Domain& domain);
  void change(const Hand& hand) { hand_ = hand; }
  void run(const engine::Cuda& exec, State<engine::Device>& state, const ForceRequest& request,
           StepReport& report);
  // These are as in HandForce. Both synchronise the stream.
  Impulse impulse(const engine::Cuda& exec) const;
  void set_impulse(const engine::Cuda& exec, const Impulse& impulse);

 private:
  Hand hand_;
  Domain domain_;
  engine::Buffer<Impulse, engine::Device> impulse_;
};

}  // namespace mote::sim
