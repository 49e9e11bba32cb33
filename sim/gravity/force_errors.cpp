#include "sim/gravity/force_errors.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "engine/exec/parallel.h"
#include "sim/gravity/direct_kernel.h"

namespace mote::sim {
namespace {

using engine::Cpu;
using engine::Host;
using engine::Index;
using engine::Vec3d;

/// Sources that are summed at once, as copies in double.
constexpr Index block = 1 << 16;

using Column = engine::Buffer<double, Host>;

/// Direct sums in double on the sampled bodies, without G.
std::vector<Vec3d> direct_sums(const Cpu& exec, const State<Host>& state, double softening,
                               const std::vector<Index>& slots) {
  const auto size = static_cast<Index>(slots.size());
  Column source[4], target[3], sum[3];
  for (Column& column : source) column = Column(block);
  for (Column& column : target) column = Column(size);
  for (Column& column : sum) column = Column(size);
  const Targets<double> to{target[0].data(), target[1].data(), target[2].data(),
                           nullptr,          nullptr,          nullptr,
                           sum[0].data(),    sum[1].data(),    sum[2].data()};
  std::vector<Vec3d> sums(slots.size());
  const auto add = [&](Index sources) {
    const Sources<double> from{sources,          source[0].data(), source[1].data(),
                               source[2].data(), source[3].data(), nullptr,
                               nullptr,          nullptr};
    constexpr Index batch = 64;  // as the kernels ask
    engine::parallel_tasks(exec.threads, (size + batch - 1) / batch, [&](Index task) {
      direct_kernels(exec.simd).double_(from, to, task * batch, std::min((task + 1) * batch, size),
                                        softening * softening);
    });
    for (Index k = 0; k < size; ++k)
      sums[static_cast<std::size_t>(k)] += Vec3d{sum[0][k], sum[1][k], sum[2][k]};
  };
  state.visit([&](auto s) {
    for (Index k = 0; k < size; ++k) {
      const Index i = slots[static_cast<std::size_t>(k)];
      target[0][k] = s.x[i], target[1][k] = s.y[i], target[2][k] = s.z[i];
    }
    Index sources = 0;
    for (Index i = 0; i < s.count; ++i) {
      if (s.mass[i] == 0) continue;
      source[0][sources] = s.x[i], source[1][sources] = s.y[i], source[2][sources] = s.z[i];
      source[3][sources++] = s.mass[i];
      if (sources == block) add(std::exchange(sources, 0));
    }
    if (sources > 0) add(sources);
  });
  return sums;
}

}  // namespace

std::vector<Index> error_sample(Index count) {
  const Index size = std::min(error_sample_size, count);
  std::vector<Index> slots;
  for (Index k = 0; k < size; ++k) slots.push_back(k * count / size);
  return slots;
}

ForceErrors errors_between(const std::vector<Vec3d>& exact,
                           const std::vector<Vec3d>& accelerations) {
  std::vector<double> errors;
  for (std::size_t k = 0; k < exact.size(); ++k)
    if (const double size = length(exact[k]); size > 0)
      errors.push_back(length(accelerations[k] - exact[k]) / size);
  ForceErrors result;
  result.bodies = static_cast<Index>(errors.size());
  if (errors.empty()) return result;
  std::sort(errors.begin(), errors.end());
  const auto percentile = [&](double part) {
    return errors[static_cast<std::size_t>(part * static_cast<double>(errors.size() - 1))];
  };
  result.median = percentile(0.5);
  result.percentile_90 = percentile(0.9);
  result.percentile_99 = percentile(0.99);
  result.worst = errors.back();
  return result;
}

ForceErrors errors_of(const Cpu& exec, const State<Host>& state, double softening,
                      const std::vector<Index>& slots, const std::vector<Vec3d>& accelerations) {
  return errors_between(direct_sums(exec, state, softening, slots), accelerations);
}

}  // namespace mote::sim
