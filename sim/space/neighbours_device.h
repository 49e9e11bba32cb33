#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"
#include "sim/domain.h"
#include "sim/space/neighbour_view.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

namespace neighbour_build {
template <class Real>
struct BuildTask;
}

struct NeighbourListSetup {
  engine::Index count;  ///< bodies of the state
  /// By body, 0 for bodies that have no lists; null: all have.
  const std::vector<std::uint8_t>* selected = nullptr;
  /// Wrap bodies into the domain along periodic axes when lists are built, and count periods
  /// (fields::image).
  bool wrap_positions = true;
  /// Neighbours per slot before the first count; the default is that of a dense liquid.
  std::int32_t initial_capacity = 96;
};

/// Neighbours on a GPU; wrapping is optional (NeighbourListSetup), a skin of 0 is allowed.
/// A counting sort by cell, ordered by body index within a cell, so that the order depends only on
/// positions. One cooperative kernel does everything, and decides itself whether a rebuild is due,
/// so it can be part of a recorded graph.
class DeviceNeighbours {
 public:
  /// `lanes`: 1, 4 or 8 threads per slot; 0: chosen by the number of bodies. The number of lanes
  /// affects round-off.
  DeviceNeighbours(const engine::Cuda& exec, const Domain& domain, double cutoff, double skin,
                   const NeighbourListSetup& setup, engine::Precision precision, int lanes = 0);
  DeviceNeighbours(DeviceNeighbours&&) noexcept;
  ~DeviceNeighbours();

  /// Device memory if all bodies have lists [bytes].
  static std::uint64_t device_bytes(const NeighbourListSetup& setup, engine::Precision precision);

  /// Works as Neighbours::invalidate. Asynchronous.
  void invalidate(const engine::Cuda& exec);
  /// No-op once `record` is halted: bodies no longer move, and an error may have put all of them
  /// into one cell. Asynchronous.
  void update(const engine::Cuda& exec, State<engine::Device>& state,
              const DeviceRecord* record = nullptr);
  template <class Real>
  void update(const engine::Cuda& exec, const StateView<Real>& state,
              const DeviceRecord* record = nullptr);
  /// Gathers current positions without a rebuild; modifies the state only if there are no lists
  /// yet. Asynchronous.
  template <class Real>
  void update_positions(const engine::Cuda& exec, const StateView<Real>& state);

  /// Grows the list capacity if lists overflowed. Returns true if views, and graphs recorded with
  /// them, are invalid. Synchronises.
  bool grow_buffers(const engine::Cuda& exec);

  template <class Real>
  DeviceNeighbourView<Real> view() const;
  /// Number of bodies that have lists.
  engine::Index slots() const { return slots_; }

  /// Bodies in the cells of their list origins, with current positions.
  template <class Real>
  DeviceCellView<Real> cells() const;

  /// The view for kernels that rebuild lists themselves (neighbour_build.cuh).
  template <class Real>
  neighbour_build::BuildTask<Real> build_task(const StateView<Real>& state);

  /// Number of builds, and length of the longest and of all lists of the last one. Synchronises.
  struct Statistics {
    std::uint32_t builds = 0, longest = 0;
    std::uint64_t total = 0;
  };
  Statistics statistics(const engine::Cuda& exec) const;

  /// The parts of grow_buffers() and statistics(), for a caller that waits for other numbers, too:
  /// enqueue a copy, wait, and use what was copied.
  void fetch(const engine::Cuda& exec) const;
  Statistics fetched() const;
  bool grow_to_fit(const engine::Cuda& exec);

 private:
  struct Buffers;
  template <class Real>
  struct Positions;
  void reserve(std::int32_t capacity);
  template <class Real>
  void start(const engine::Cuda& exec, const neighbour_build::BuildTask<Real>& task);

  Domain domain_;
  double cutoff_, skin_;
  engine::Index count_, slots_;  // bodies of the state; bodies that have lists
  bool wrap_positions_;
  engine::Precision precision_;
  int lanes_;
  unsigned blocks_ = 1;  // resident at once
  std::unique_ptr<Buffers> buffers_;
  std::unique_ptr<Positions<float>> single_;
  std::unique_ptr<Positions<double>> double_;
};

}  // namespace mote::sim
