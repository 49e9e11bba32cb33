#pragma once

#include <memory>

#include "sim/molecular/thermostat.h"

namespace mote::sim {

/// ThermostatStage on a GPU: same semantics, different bits.
class DeviceThermostat {
 public:
  /// Keeps no slots of bodies (Force::follows_order).
  static constexpr bool follows_order = true;

  DeviceThermostat(const Thermostat& thermostat, std::uint64_t seed, Conserved conserved,
                   engine::Index count);
  DeviceThermostat(DeviceThermostat&&) noexcept;
  ~DeviceThermostat();
  static std::uint64_t device_bytes(engine::Index count);

  /// Steps recorded before keep the old parameters.
  void change(const Thermostat& thermostat) { thermostat_ = thermostat; }
  /// Asynchronous. No-op once the record of `time` is halted. Sets its `too_long` if the chain is
  /// too fast.
  void exchange_heat(const engine::Cuda& exec, State<engine::Device>& state, double h,
                     const StageTime& time);
  /// Synchronises.
  double bath_energy(const engine::Cuda& exec, const State<engine::Device>& state) const;

 private:
  struct Buffers;
  Thermostat thermostat_;
  std::uint64_t seed_;
  Conserved conserved_;
  std::unique_ptr<Buffers> buffers_;
};

}  // namespace mote::sim
