#include "sim/motion/block_bins.h"

namespace mote::sim {

using engine::Cpu;
using engine::Index;

BinCounts BlockBins<Cpu>::count(const Cpu&, const double* bins, Index n) const {
  BinCounts counts{};
  for (Index i = 0; i < n; ++i) ++counts[static_cast<std::size_t>(bins[i])];
  return counts;
}

const std::uint32_t* BlockBins<Cpu>::from(const Cpu&, const double* bins, Index n, int first) {
  if (slots_.size() < n) slots_ = engine::Buffer<std::uint32_t, engine::Host>(n);
  std::uint32_t* to = slots_.data();
  for (Index i = 0; i < n; ++i)
    if (bins[i] >= first) *to++ = static_cast<std::uint32_t>(i);
  return slots_.data();
}

}  // namespace mote::sim
