#include "sim/expansions/tree_device.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/algo/scan.h"
#include "engine/exec/launch.cuh"
#include "engine/exec/stream.h"
#include "engine/memory/device_messages.h"
#include "sim/expansions/curve_shares.h"
#include "sim/expansions/tree_build.cuh"

namespace mote::sim {
namespace {

using engine::Buffer;
using engine::Cuda;
using engine::Device;
using engine::Index;

using tree_build::Keys;

constexpr int key_bits = 3 * hilbert::levels;
/// Blocks of loops over cells.
constexpr unsigned tree_cell_blocks = 1024;

unsigned tree_blocks(Index count) {
  return engine::blocks_for(count, tree_build::threads);
}

Index counts_for(Index count) {
  return tree_build::most_counters * tree_blocks(count) + 1;
}

constexpr std::uint64_t cell_bytes =
    4 * sizeof(double) + sizeof(float) + sizeof(WalkCell) + 6 * 4 + 2;

}  // namespace

struct DeviceTree::Buffers {
  Buffers(Index bodies, bool massless)
      : corners(bodies),
        sort(bodies),
        scan(counts_for(bodies)),
        started(bodies),
        refined(bodies),
        counts(counts_for(bodies)),
        partitioned(massless ? bodies : 0),
        control(1),
        fetched(1),
        range(1),
        taken(1) {}
  engine::Reduction<7> corners;
  engine::PairSort<std::uint64_t, std::uint32_t> sort;
  std::optional<engine::PairSort<std::uint64_t, std::uint32_t>> deep_sort;
  engine::ExclusiveScan scan;
  Buffer<tree_build::Started, Device> started, refined;
  Buffer<std::uint32_t, Device> counts, partitioned;
  Buffer<TreeControl, Device> control;
  Buffer<TreeControl, engine::Pinned> fetched;
  Buffer<tree_build::KeyRange, Device> range;   ///< of this rank, if there are several
  Buffer<std::uint32_t, engine::Pinned> taken;  ///< number of its keys
  bool divided = false;                         ///< it is known

  std::uint32_t capacity = 0;
  Buffer<double, Device> x, y, z, mass;
  Buffer<float, Device> radius;
  Buffer<WalkCell, Device> walk;
  Buffer<std::uint32_t, Device> first, count, massive, parent, child, leaves;
  Buffer<std::uint8_t, Device> children, level;
};

DeviceTree::DeviceTree(Index count, int leaf, bool massless, std::uint32_t most_cells)
    : count_(count),
      leaf_(leaf),
      levels_(8),
      most_cells_(most_cells),
      massless_(massless),
      buffers_(std::make_unique<Buffers>(count, massless)) {
  MOTE_EXPECT(count > 0 && leaf > 0);
  reserve(first_capacity(count, leaf));
}

DeviceTree::DeviceTree(DeviceTree&&) noexcept = default;
DeviceTree::~DeviceTree() = default;

std::uint32_t DeviceTree::first_capacity(Index count, int leaf) {
  return static_cast<std::uint32_t>(5 * count / leaf + 64);
}

double* DeviceTree::scratch() {
  static_assert(sizeof(double) == sizeof(std::uint64_t));
  return reinterpret_cast<double*>(buffers_->sort.keys());
}

std::uint64_t DeviceTree::device_bytes(Index count, int leaf) {
  return engine::PairSort<std::uint64_t, std::uint32_t>::bytes(count) +
         engine::ExclusiveScan::bytes(counts_for(count)) +
         static_cast<std::uint64_t>(count) * (2 * sizeof(tree_build::Started) + 4) +
         static_cast<std::uint64_t>(counts_for(count)) * sizeof(std::uint32_t) +
         first_capacity(count, leaf) * cell_bytes;
}

void DeviceTree::reserve(std::uint32_t cells) {
  Buffers& b = *buffers_;
  const auto size = static_cast<Index>(cells);
  b.capacity = cells;
  for (auto* column : {&b.x, &b.y, &b.z, &b.mass})
    *column = {}, *column = Buffer<double, Device>(size);
  b.radius = {}, b.radius = Buffer<float, Device>(size);
  b.walk = {}, b.walk = Buffer<WalkCell, Device>(size);
  for (auto* column : {&b.first, &b.count, &b.massive, &b.parent, &b.child, &b.leaves})
    *column = {}, *column = Buffer<std::uint32_t, Device>(size);
  for (auto* column : {&b.children, &b.level})
    *column = {}, *column = Buffer<std::uint8_t, Device>(size);
}

DeviceTreeView DeviceTree::view() const {
  Buffers& b = *buffers_;
  DeviceTreeView v{};
  v.control = b.control.data();
  v.order = massless_ ? b.partitioned.data() : b.sort.sorted().values;
  v.cell_capacity = std::min(b.capacity, most_cells_),
  v.levels = static_cast<std::uint32_t>(levels_);
  v.x = b.x.data(), v.y = b.y.data(), v.z = b.z.data(), v.mass = b.mass.data();
  v.radius = b.radius.data(), v.walk = b.walk.data();
  v.first = b.first.data(), v.count = b.count.data(), v.massive = b.massive.data();
  v.parent = b.parent.data(), v.child = b.child.data();
  v.children = b.children.data(), v.level = b.level.data();
  v.leaves = b.leaves.data();
  return v;
}

template <class Real>
engine::PairSort<std::uint64_t, std::uint32_t>::Sorted DeviceTree::sort_keys(
    const Cuda& exec, const StateView<const Real>& s) {
  MOTE_EXPECT(s.count == count_);
  Buffers& b = *buffers_;
  const auto* const corners = b.corners.enqueue(exec, tree_build::BoxTerm<Real>{s}, count_);
  engine::launch(exec, {1, 32}, tree_build::set_box, corners, count_, b.control.data());
  if (exec.ranks && b.divided) {
    sort_shared(exec, s);
  } else {
    engine::launch(exec, {tree_blocks(count_), tree_build::threads, sizeof(hilbert::Table)},
                   tree_build::make_keys<Real>, s, b.control.data(), hilbert::table, b.sort.keys(),
                   b.sort.values());
    b.sort.run(exec, count_, key_bits);
  }
  const auto sorted = b.sort.sorted();
  if (exec.ranks) {
    engine::launch(exec, {1, 32}, tree_build::divide_keys, sorted.keys, count_, exec.ranks->rank(),
                   exec.ranks->size(), b.range.data());
    b.divided = true;
  }
  return sorted;
}

template <class Real>
void DeviceTree::sort_shared(const Cuda& exec, const StateView<const Real>& s) {
  Buffers& b = *buffers_;
  const unsigned blocks = tree_blocks(count_);
  const auto take = [&](std::uint64_t* keys, std::uint32_t* slots) {
    engine::launch(exec, {blocks, tree_build::threads, tree_build::table_and_counts},
                   tree_build::take_keys<Real>, s, b.control.data(), hilbert::table, b.range.data(),
                   b.counts.data(), keys, slots);
  };
  take(nullptr, nullptr);
  engine::fill_bytes(b.counts.data() + blocks, 0, sizeof(std::uint32_t), exec.stream);
  b.scan.run(exec, b.counts.data(), Index{blocks} + 1);
  engine::copy_to_host(b.taken.data(), b.counts.data() + blocks, 1, exec.stream);
  take(b.sort.keys(), b.sort.values());
  engine::wait(exec);
  const auto own = static_cast<Index>(b.taken.data()[0]);
  if (own > 0) b.sort.run(exec, own, key_bits);

  std::vector<Index> borders{0};
  for (const Index of_rank : engine::gather_one(exec.ranks, own))
    borders.push_back(borders.back() + of_rank);
  MOTE_EXPECT(borders.back() == count_);
  const Index begin = borders[static_cast<std::size_t>(exec.ranks->rank())];
  const auto part = b.sort.sorted();
  const auto taken = static_cast<std::size_t>(own);
  engine::copy_bytes_on_device(b.sort.keys() + begin, part.keys, taken * sizeof *part.keys,
                               exec.stream);
  engine::copy_bytes_on_device(b.sort.values() + begin, part.values, taken * sizeof *part.values,
                               exec.stream);
  engine::DeviceMessages messages;
  add_parts(messages, *exec.ranks, borders, b.sort.keys());
  add_parts(messages, *exec.ranks, borders, b.sort.values());
  messages.run(exec);
  b.sort.take_as_sorted();
}

template <class Real>
void DeviceTree::find_order(const Cuda& exec, const StateView<const Real>& s,
                            std::uint32_t* slots) {
  const auto sorted = sort_keys(exec, s);
  engine::copy_bytes_on_device(
      slots, sorted.values, static_cast<std::size_t>(count_) * sizeof(std::uint32_t), exec.stream);
}
template void DeviceTree::find_order<float>(const Cuda&, const StateView<const float>&,
                                            std::uint32_t*);
template void DeviceTree::find_order<double>(const Cuda&, const StateView<const double>&,
                                             std::uint32_t*);

template <class Real>
void DeviceTree::build(const Cuda& exec, const StateView<const Real>& s) {
  Buffers& b = *buffers_;
  TreeControl* const control = b.control.data();
  const auto blocks = tree_blocks(count_);
  auto sorted = sort_keys(exec, s);
  Keys keys{sorted.keys, nullptr};
  if (deep_) {
    // By the second stage, then again by the first, which is stable.
    const auto low_keys = [&](std::uint32_t* places) {
      engine::launch(exec, {blocks, tree_build::threads, sizeof(hilbert::Table)},
                     tree_build::make_low_keys<Real>, s, sorted.keys, sorted.values,
                     leaf_of_sparse(leaf_), control, hilbert::table, b.deep_sort->keys(), places);
    };
    low_keys(b.deep_sort->values());
    const auto by_low = b.deep_sort->run(exec, count_, key_bits);
    engine::launch(exec, {blocks, tree_build::threads}, tree_build::reorder_keys, sorted.keys,
                   sorted.values, by_low.values, count_, b.sort.keys(), b.sort.values());
    sorted = b.sort.run(exec, count_, key_bits);
    low_keys(nullptr);
    keys.low = b.deep_sort->keys();
  }
  engine::launch(exec, {blocks, tree_build::threads}, tree_build::order_equal_keys, keys, count_,
                 leaf_, control, s.id, sorted.values);
  const std::size_t of_warps = tree_build::threads / 32 * tree_build::most_counters;
  engine::launch(exec, {blocks, tree_build::threads, tree_build::count_shared(leaf_)},
                 tree_build::find_started, keys, count_, leaf_, control, b.started.data(),
                 b.refined.data(), b.sort.values());
  engine::launch(exec, {std::min(tree_cell_blocks, blocks), tree_build::threads},
                 tree_build::refine_sparse, keys, count_, leaf_, control, b.sort.values(),
                 b.started.data(), b.refined.data());
  engine::launch(exec, {blocks, tree_build::threads, of_warps}, tree_build::count_cells, keys,
                 count_, b.refined.data(), b.counts.data());
  const Index counts = keys.counters() * tree_blocks(count_) + 1;
  engine::fill_bytes(b.counts.data() + counts - 1, 0, sizeof(std::uint32_t), exec.stream);
  b.scan.run(exec, b.counts.data(), counts);
  engine::launch(exec, {blocks, tree_build::threads, of_warps}, tree_build::make_cells, keys,
                 b.refined.data(), count_, b.counts.data(), view());
  const unsigned of_cells = std::min(tree_cell_blocks, tree_blocks(static_cast<Index>(b.capacity)));
  engine::launch(exec, {of_cells, tree_build::threads}, tree_build::finish_cells, keys, view());
  if (!massless_) return;
  DeviceTreeView before = view();
  before.order = sorted.values;
  engine::launch(exec, {of_cells, tree_build::threads}, tree_build::put_massive_first<Real>, s,
                 before, b.partitioned.data());
}
template void DeviceTree::build<float>(const Cuda&, const StateView<const float>&);
template void DeviceTree::build<double>(const Cuda&, const StateView<const double>&);

const TreeControl& DeviceTree::fetch(const Cuda& exec) {
  Buffers& b = *buffers_;
  engine::copy_to_host(b.fetched.data(), b.control.data(), 1, exec.stream);
  engine::wait(exec);
  return b.fetched.data()[0];
}

bool DeviceTree::grow() {
  Buffers& b = *buffers_;
  const TreeControl& control = b.fetched.data()[0];
  bool grown = false;
  if (control.needed_deep != 0 && !deep_) {
    if (!b.deep_sort) b.deep_sort.emplace(count_);
    deep_ = grown = true;
  }
  const int needed = static_cast<int>(control.needed_levels);
  if (needed > levels_) {
    const int deepest = (deep_ ? 2 : 1) * hilbert::levels;
    levels_ = std::min(needed + 1, deepest + 1);
    grown = true;
  }
  if (control.needed_cells > b.capacity)
    reserve(control.needed_cells + control.needed_cells / 4), grown = true;
  return grown;
}

}  // namespace mote::sim
