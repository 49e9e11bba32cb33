#include "sim/measure/histogram_device.h"

#include <cmath>
#include <utility>

#include "engine/algo/histogram.cuh"
#include "engine/algo/reduce.cuh"

namespace mote::sim {
namespace {

using engine::CountingKernel;
using engine::Cuda;
using engine::Device;
using engine::Index;
using engine::Values;

/// Smallest and largest of the finite values.
template <class Value>
struct ExtremesTerm {
  Value value;

  __device__ Values<2> operator()(Index i) const {
    const double v = value(i);
    return isfinite(v) ? Values<2>{{v, v}} : nothing();
  }
  static __device__ double combine(int k, double a, double b) {
    return k == 0 ? fmin(a, b) : fmax(a, b);
  }
  static __device__ Values<2> nothing() { return {{INFINITY, -INFINITY}}; }
};

/// Placeholder bins, to query the kernel for a number of bins.
engine::Bins some_bins(std::int64_t count) {
  return engine::bins_over(0, 1, static_cast<int>(count));
}

}  // namespace

Histogram histogram(const Cuda& exec, const State<Device>& state, const HistogramRequest& request,
                    CountingKernel kernel) {
  check(request);
  return state.visit([&](auto view) {
    return with_scalar(
        request.scalar.kind, view,
        [&]<class Value>(Value value) {
          Values<2> ends{{INFINITY, -INFINITY}};
          if (!request.range && (view.count > 0 || exec.ranks))
            ends =
                engine::Reduction<2>(view.count).run(exec, ExtremesTerm<Value>{value}, view.count);
          const engine::Bins bins = bins_for(request, ends.v[0], ends.v[1]);
          return histogram_of(
              request, bins,
              engine::sum_over(exec.ranks, engine::DeviceCounting(exec).run(exec, value, view.count,
                                                                            bins, kernel)));
        },
        request.center);
  });
}

CountingKernel counting_kernel(const Cuda& exec, std::int64_t bins) {
  return engine::DeviceCounting(exec).choose(some_bins(bins));
}

bool can_count(const Cuda& exec, CountingKernel kernel, std::int64_t bins) {
  return engine::DeviceCounting(exec).supports(kernel, some_bins(bins));
}

std::uint64_t histogram_device_bytes(Index count) {
  return engine::DeviceCounting::bytes(engine::max_bins) + engine::Reduction<2>::bytes(count);
}

}  // namespace mote::sim
