#pragma once

#include <cstdint>
#include <optional>

#include "engine/algo/scan.h"
#include "engine/exec/launch.cuh"
#include "engine/memory/buffer.h"
#include "sim/force_request.h"

namespace mote::sim {

namespace chosen_targets {

inline constexpr unsigned threads = 256;

/// Marks the slots of chosen bodies.
__global__ static void __launch_bounds__(threads)
    mark_slots(const std::uint32_t* slots, engine::Index count, std::uint32_t* marks) {
  const engine::Index k = static_cast<engine::Index>(blockIdx.x) * threads + threadIdx.x;
  if (k < count) marks[slots[k]] = 1;
}

/// Marks by place along the curve: 1 for a chosen body. One more, of none.
__global__ static void __launch_bounds__(threads)
    mark_along_curve(const std::uint32_t* order, const std::uint32_t* marks, engine::Index count,
                     std::uint32_t* along) {
  const engine::Index k = static_cast<engine::Index>(blockIdx.x) * threads + threadIdx.x;
  if (k <= count) along[k] = k < count ? marks[order[k]] : 0;
}

}  // namespace chosen_targets

/// The bodies of a request along the curve of a tree (ExpansionView::chosen_before). Its memory is
/// made when bodies are first chosen.
class ChosenTargets {
 public:
  /// Sets the chosen bodies of the next evaluation; all are chosen at first.
  void set(const ChosenBodies& chosen) { chosen_ = chosen; }
  const ChosenBodies& bodies() const { return chosen_; }
  /// Number of chosen bodies before each of `count` along the curve, and of all; null: all are.
  const std::uint32_t* before() const { return chosen_.all() ? nullptr : before_.data(); }

  /// Finds them once the tree has its `order`: slots along the curve. Does not wait.
  void find(const engine::Cuda& exec, const std::uint32_t* order, engine::Index count) {
    using namespace chosen_targets;
    if (chosen_.all()) return;
    if (before_.size() == 0) {
      marks_ = engine::Buffer<std::uint32_t, engine::Device>(count);
      before_ = engine::Buffer<std::uint32_t, engine::Device>(count + 1);
      scan_.emplace(count + 1);
    }
    engine::fill_bytes(marks_.data(), 0, marks_.bytes(), exec.stream);
    engine::launch(exec, {engine::blocks_for(chosen_.count, threads), threads}, mark_slots,
                   chosen_.slots, chosen_.count, marks_.data());
    engine::launch(exec, {engine::blocks_for(count + 1, threads), threads}, mark_along_curve, order,
                   marks_.data(), count, before_.data());
    scan_->run(exec, before_.data(), count + 1);
  }

 private:
  ChosenBodies chosen_ = {};
  engine::Buffer<std::uint32_t, engine::Device> marks_, before_;
  std::optional<engine::ExclusiveScan> scan_;
};

}  // namespace mote::sim
