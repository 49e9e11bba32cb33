#pragma once

#include <cstdint>
#include <memory>

#include "engine/algo/sort.h"
#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"
#include "sim/expansions/tree_view.h"
#include "sim/state.h"

namespace mote::sim {

/// The tree of Tree on a GPU, which all ranks have. Each sorts a part of the keys, those of a
/// range, which are as many as those of others at the time before. Keys of a second stage, which
/// take three sorts, are made only for bodies that need them.
class DeviceTree {
 public:
  /// `massless`: there are bodies without mass; `most_cells`: none are made if there are more.
  DeviceTree(engine::Index count, int leaf, bool massless, std::uint32_t most_cells = UINT32_MAX);
  DeviceTree(DeviceTree&&) noexcept;
  ~DeviceTree();

  static std::uint64_t device_bytes(engine::Index count, int leaf);
  /// Cells for so many bodies of most distributions: leaves are a quarter full, with 1.2 cells for
  /// each.
  static std::uint32_t first_capacity(engine::Index count, int leaf);

  /// Keys have one stage again, until grow().
  void reset() { deep_ = false; }
  /// Rebuilds cells, without their centers, masses and radii; none if there is no room.
  /// Asynchronous without ranks; collective.
  template <class Real>
  void build(const engine::Cuda& exec, const StateView<const Real>& state);

  /// Writes the slots of the bodies along the curve. Asynchronous without ranks.
  template <class Real>
  void find_order(const engine::Cuda& exec, const StateView<const Real>& state,
                  std::uint32_t* slots);

  DeviceTreeView view() const;
  /// A number for each body that the tree has no use for until it is built again.
  double* scratch();
  int levels() const { return levels_; }

  /// The control as it is after all that was enqueued. Synchronises. Valid until the next call.
  const TreeControl& fetch(const engine::Cuda& exec);
  /// Makes room for what the last build needed, as fetched. True if there was none: it must be
  /// built again.
  bool grow();

 private:
  struct Buffers;
  void reserve(std::uint32_t cells);
  /// Sorts the keys of this rank's range, and receives those of others.
  template <class Real>
  void sort_shared(const engine::Cuda& exec, const StateView<const Real>& state);
  /// Sorts keys of one stage with their slots.
  template <class Real>
  engine::PairSort<std::uint64_t, std::uint32_t>::Sorted sort_keys(
      const engine::Cuda& exec, const StateView<const Real>& state);

  engine::Index count_;
  int leaf_, levels_;
  std::uint32_t most_cells_;
  bool deep_ = false;  ///< keys have two stages
  bool massless_;
  std::unique_ptr<Buffers> buffers_;
};

}  // namespace mote::sim
