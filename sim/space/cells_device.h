#pragma once

#include <cstdint>
#include <memory>

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"
#include "sim/domain.h"
#include "sim/space/cells.h"
#include "sim/space/neighbours_device.h"
#include "sim/state.h"

namespace mote::sim {

/// Bodies in the order of cells, as kernels see them; all pointers lead into device memory.
template <class Real>
struct DeviceCellView {
  std::int32_t count;
  const std::int32_t* column;  ///< of the state, by place
  const PlaceOf<Real>* place;  ///< images within the domain
  Real length[3], inverse[3];  ///< of periodic axes and one over it, zeros along others
  const CellLayout* cells;
  const std::int32_t* start;  ///< first place of each cell, and the number of bodies
  const std::int32_t* cell;   ///< by column
};

/// What CellGrid says holds here, on a GPU. Remembers nothing, and leaves the state as it is. Domains have no walls.
class DeviceCells {
 public:
  DeviceCells(const engine::Cuda& exec, const Domain& domain, double reach, engine::Index count,
              engine::Precision precision);
  ~DeviceCells();

  /// What the device takes for so many bodies.
  static std::uint64_t device_bytes(engine::Index count, engine::Precision precision);

  /// Puts bodies in order. Does not wait.
  void build(const engine::Cuda& exec, State<engine::Device>& state);

  template <class Real>
  DeviceCellView<Real> view() const;

 private:
  struct Memory;
  template <class Real>
  struct Places;
  template <class Real>
  const Places<Real>& places() const;

  Domain domain_;
  double reach_;
  engine::Index count_;
  unsigned blocks_ = 1;  // that are resident at once
  std::unique_ptr<Memory> memory_;
  std::unique_ptr<Places<float>> single_;
  std::unique_ptr<Places<double>> full_;
};

}  // namespace mote::sim
