#pragma once

#include <array>
#include <cstdint>

#include "engine/memory/buffer.h"
#include "sim/motion/hermite_body.h"

namespace mote::sim {

/// Number of bodies in each bin, and last of those that are lost.
inline constexpr int counted_bins = hermite_body::lost_bin + 1;
using BinCounts = std::array<std::uint32_t, counted_bins>;

/// Bins of bodies (columns of whole numbers), counted and selected; block_bins.cuh has that for a
/// GPU.
///   BinCounts count(exec, bins, n)                  waits
///   const uint32_t* from(exec, bins, n, first)      slots of those in this bin or a later one,
///                                                   ascending, in the memory of the bins
template <class Exec>
class BlockBins;

template <>
class BlockBins<engine::Cpu> {
 public:
  BinCounts count(const engine::Cpu&, const double* bins, engine::Index n) const;
  const std::uint32_t* from(const engine::Cpu&, const double* bins, engine::Index n, int first);

 private:
  engine::Buffer<std::uint32_t, engine::Host> slots_;
};

}  // namespace mote::sim
