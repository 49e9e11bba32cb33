#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"
#include "sim/domain.h"
#include "sim/space/cells.h"
#include "sim/space/neighbours_device.h"
#include "sim/state.h"

namespace mote::sim {

/// What CellGrid says holds here, on a GPU. Remembers nothing, and leaves the state as it is.
/// Domains have no walls.
class DeviceCells {
 public:
  DeviceCells(const engine::Cuda& exec, const Domain& domain, double reach, engine::Index count,
              engine::Precision precision);
  /// Of some bodies only: columns of the state, rising. Waits.
  DeviceCells(const engine::Cuda& exec, const Domain& domain, double reach,
              const std::vector<std::int32_t>& chosen, engine::Precision precision);
  DeviceCells(DeviceCells&&) noexcept;
  ~DeviceCells();

  /// What the device takes for so many bodies.
  static std::uint64_t device_bytes(engine::Index count, engine::Precision precision);

  /// Puts bodies in order. Does not wait.
  template <class Real>
  void build(const engine::Cuda& exec, const StateView<Real>& state);

  template <class Real>
  DeviceCellView<Real> view() const;
  /// How many bodies have a place.
  engine::Index count() const { return count_; }

 private:
  struct Memory;
  template <class Real>
  struct Places;
  template <class Real>
  const Places<Real>& places() const;

  Domain domain_;
  double reach_;
  engine::Index count_;
  bool some_ = false;    // of the bodies only
  unsigned blocks_ = 1;  // that are resident at once
  std::unique_ptr<Memory> memory_;
  std::unique_ptr<Places<float>> single_;
  std::unique_ptr<Places<double>> full_;
};

}  // namespace mote::sim
