#pragma once

#include <memory>

#include "sim/molecular/thermostat.h"

namespace mote::sim {

/// ThermostatStage on a GPU. What it says holds here; the bits are others.
class DeviceThermostat {
 public:
  DeviceThermostat(const Thermostat& thermostat, std::uint64_t seed, bool momentum_kept,
                   engine::Index count);
  ~DeviceThermostat();
  static std::uint64_t device_bytes(engine::Index count);

  /// Does not wait. Changes nothing once the record of `time` is halted. Where the chain is too
  /// fast, the record says so.
  void apply(const engine::Cuda& exec, State<engine::Device>& state, double h,
             const StageTime& time);
  /// Waits.
  double energy(const engine::Cuda& exec, const State<engine::Device>& state) const;

 private:
  struct Memory;
  Thermostat thermostat_;
  std::uint64_t seed_;
  bool momentum_kept_;
  std::unique_ptr<Memory> memory_;
};

}  // namespace mote::sim
