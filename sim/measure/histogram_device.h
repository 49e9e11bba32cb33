#pragma once

#include "sim/measure/histogram.h"

namespace mote::sim {

/// Counts on a GPU, exactly as histogram() on the CPU, and over ranks as there. Stores and copies
/// nothing of O(N) size. Synchronises. Not for computed scalars. Defined only in builds with CUDA.
Histogram histogram(const engine::Cuda& exec, const State<engine::Device>& state,
                    const HistogramRequest& request,
                    engine::CountingKernel kernel = engine::CountingKernel::automatic);

/// The kernel that `automatic` selects, and whether a kernel supports this number of bins.
engine::CountingKernel counting_kernel(const engine::Cuda& exec, std::int64_t bins);
bool can_count(const engine::Cuda& exec, engine::CountingKernel kernel, std::int64_t bins);

/// Peak device memory of a histogram [bytes].
std::uint64_t histogram_device_bytes(engine::Index count);

}  // namespace mote::sim
