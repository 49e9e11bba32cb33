#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "engine/exec/launch.cuh"
#include "engine/memory/buffer.h"
#include "sim/expansions/curve_shares.h"
#include "sim/state.h"

namespace mote::sim {

namespace shared_sums {

inline constexpr unsigned threads = 256;

template <class Real>
struct Columns {
  Real *x, *y, *z;
};

/// The sums of a range along the curve, from those by slot.
template <class Real>
__global__ void __launch_bounds__(threads) pack(const std::uint32_t* order, engine::Range range,
                                                Columns<Real> by_slot, Columns<Real> along) {
  const engine::Index i =
      range.begin + static_cast<engine::Index>(blockIdx.x) * threads + threadIdx.x;
  if (i >= range.end) return;
  const std::uint32_t slot = order[i];
  along.x[i] = by_slot.x[slot], along.y[i] = by_slot.y[slot], along.z[i] = by_slot.z[slot];
}

/// The sums of own bodies, from those of all along the curve. `before`: copies before own bodies.
template <class Real>
__global__ void __launch_bounds__(threads)
    take_own(const std::uint32_t* order, engine::Index all, engine::Index before,
             engine::Index count, Columns<Real> along, Columns<Real> own) {
  const engine::Index i = static_cast<engine::Index>(blockIdx.x) * threads + threadIdx.x;
  if (i >= all) return;
  const engine::Index slot = static_cast<engine::Index>(order[i]) - before;
  if (slot < 0 || slot >= count) return;
  own.x[slot] = along.x[i], own.y[slot] = along.y[i], own.z[slot] = along.z[i];
}

}  // namespace shared_sums

/// Accelerations of the bodies of all ranks, of which each forms those of a range along the curve.
class SharedSums {
 public:
  /// Columns by slot for the sums of an evaluation, which begin with the accelerations of the
  /// bodies if `from_others`, else with 0. Collective.
  template <class Real>
  std::array<Real*, 3> begin(const engine::Cuda& exec, const StateView<Real>& own,
                             const Copies& copies, bool from_others) {
    const engine::Index all = copies.before + own.count + copies.after;
    Memory<Real>& memory = memory_of<Real>();
    for (int axis = 0; axis < 3; ++axis) {
      if (memory.by_slot[axis].size() == 0) {
        memory.by_slot[axis] = engine::Buffer<Real, engine::Device>(all);
        memory.along[axis] = engine::Buffer<Real, engine::Device>(all);
      }
      if (!from_others)
        engine::fill_bytes(memory.by_slot[axis].data(), 0, memory.by_slot[axis].bytes(),
                           exec.stream);
    }
    const std::array<Real*, 3> columns{memory.by_slot[0].data(), memory.by_slot[1].data(),
                                       memory.by_slot[2].data()};
    if (!from_others) return columns;
    const Real* const given[3] = {own.ax, own.ay, own.az};
    for (std::size_t axis = 0; axis < 3; ++axis)
      engine::copy_bytes_on_device(columns[axis] + copies.before, given[axis],
                                   static_cast<std::size_t>(own.count) * sizeof(Real), exec.stream);
    std::vector<engine::Index> borders = engine::gather_one(exec.ranks, copies.before);
    borders.push_back(all);
    gather_parts(exec, borders, {columns[0], columns[1], columns[2]});
    return columns;
  }

  /// Replaces the accelerations of own bodies by the sums, which each rank has of its part of the
  /// curve. `order`: slots along the curve. Collective.
  template <class Real>
  void finish(const engine::Cuda& exec, const StateView<Real>& own, const Copies& copies,
              const std::uint32_t* order, const std::vector<engine::Index>& borders) {
    using namespace shared_sums;
    Memory<Real>& memory = memory_of<Real>();
    const auto columns = [](auto& of) {
      return Columns<Real>{of[0].data(), of[1].data(), of[2].data()};
    };
    const Columns<Real> by_slot = columns(memory.by_slot), along = columns(memory.along);
    const auto rank = static_cast<std::size_t>(exec.ranks->rank());
    const engine::Range range{borders[rank], borders[rank + 1]};
    if (range.count() > 0)
      engine::launch(exec, {engine::blocks_for(range.count(), threads), threads}, pack<Real>, order,
                     range, by_slot, along);
    gather_parts(exec, borders, {along.x, along.y, along.z});
    const engine::Index all = borders.back();
    engine::launch(exec, {engine::blocks_for(all, threads), threads}, take_own<Real>, order, all,
                   copies.before, own.count, along, Columns<Real>{own.ax, own.ay, own.az});
  }

 private:
  template <class Real>
  struct Memory {
    engine::Buffer<Real, engine::Device> by_slot[3], along[3];
  };
  template <class Real>
  Memory<Real>& memory_of() {
    if constexpr (std::is_same_v<Real, float>)
      return single_;
    else
      return double_;
  }
  Memory<float> single_;
  Memory<double> double_;
};

}  // namespace mote::sim
