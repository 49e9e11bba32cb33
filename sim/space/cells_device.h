#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"
#include "sim/domain.h"
#include "sim/space/cells.h"
#include "sim/space/neighbour_view.h"
#include "sim/state.h"

namespace mote::sim {

/// CellGrid on a GPU, rebuilt for each evaluation; does not modify the state. No walled domains.
class DeviceCells {
 public:
  DeviceCells(const engine::Cuda& exec, const Domain& domain, double cutoff, engine::Index count,
              engine::Precision precision);
  /// Makes cells for a subset of the bodies: ascending body indices. Synchronises.
  DeviceCells(const engine::Cuda& exec, const Domain& domain, double cutoff,
              const std::vector<std::int32_t>& selected, engine::Precision precision);
  DeviceCells(DeviceCells&&) noexcept;
  ~DeviceCells();

  /// Device memory for `count` bodies [bytes].
  static std::uint64_t device_bytes(engine::Index count, engine::Precision precision);

  /// Sorts bodies into cells. Asynchronous.
  template <class Real>
  void build(const engine::Cuda& exec, const StateView<Real>& state);

  template <class Real>
  DeviceCellView<Real> view() const;
  /// Number of bodies in the cells.
  engine::Index count() const { return count_; }

 private:
  struct Buffers;
  template <class Real>
  struct Positions;
  template <class Real>
  const Positions<Real>& positions() const;

  Domain domain_;
  double cutoff_;
  engine::Index count_;
  bool selected_only_ = false;  // a subset of the bodies
  unsigned blocks_ = 1;         // resident at once
  std::unique_ptr<Buffers> buffers_;
  std::unique_ptr<Positions<float>> single_;
  std::unique_ptr<Positions<double>> double_;
};

}  // namespace mote::sim
