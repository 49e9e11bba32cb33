#pragma once

#include "sim/measure/histogram.h"

namespace mote::sim {

/// Counts on a GPU: the counts of histogram() of the same state, exactly. Nothing that has the
/// number of bodies as its size is stored or copied. Waits for the result. Defined in builds with
/// CUDA only.
Histogram histogram(const engine::Cuda& exec, const State<engine::Device>& state,
                    const HistogramRequest& request,
                    engine::CountingKernel kernel = engine::CountingKernel::automatic);

/// The kernel that `automatic` stands for, and whether a kernel can hold so many bins at all.
engine::CountingKernel counting_kernel(const engine::Cuda& exec, std::int64_t bins);
bool can_count(const engine::Cuda& exec, engine::CountingKernel kernel, std::int64_t bins);

/// Device memory that a histogram takes at most, while it is made.
std::uint64_t histogram_device_bytes(engine::Index count);

}  // namespace mote::sim
