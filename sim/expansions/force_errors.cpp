#include "sim/expansions/force_errors.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "engine/exec/parallel.h"
#include "sim/expansions/direct_kernel.h"

namespace mote::sim {
namespace {

using engine::Cpu;
using engine::Host;
using engine::Index;
using engine::Vec3d;

/// Sources that are summed at once, as copies in double.
constexpr Index block = 1 << 16;

using Column = engine::Buffer<double, Host>;

template <class View>
Vec3d position(const View& s, Index i, const PeriodicImages* periodic) {
  const Vec3d at{double(s.x[i]), double(s.y[i]), double(s.z[i])};
  return periodic ? periodic->inside(at) : at;
}

/// Adds the attraction by the images that are not nearest.
void add_far_images(const Cpu& exec, const State<Host>& state, const std::vector<double>& masses,
                    const PeriodicImages& periodic, const std::vector<Index>& slots,
                    std::vector<Vec3d>& sums) {
  const PeriodicImages::Frame frame = periodic.frame(1);
  constexpr auto size = static_cast<std::size_t>(PeriodicImages::size);
  state.visit([&](auto own_bodies) {
    const auto s = own_bodies.with(state.copies());
    const auto at = [&](Index i) { return position(s, i, &periodic); };
    const Index chunks = (s.count + engine::loop_chunk - 1) / engine::loop_chunk;
    std::vector<double> weights(static_cast<std::size_t>(chunks) * size), potential(size);
    engine::parallel_chunks(exec.threads, s.count, [&](Index begin, Index end) {
      double* const own =
          weights.data() + static_cast<std::size_t>(begin / engine::loop_chunk) * size;
      for (Index i = begin; i < end; ++i)
        if (const double mass = masses[static_cast<std::size_t>(i)]; mass != 0)
          periodic.add_body(frame, at(i), mass, own);
    });
    for (std::size_t from = size; from < weights.size(); from += size)
      for (std::size_t k = 0; k < size; ++k) weights[k] += weights[from + k];
    periodic.find_potential(1, weights.data(), 0, PeriodicImages::size, potential.data());
    for (std::size_t k = 0; k < slots.size(); ++k)
      sums[k] += periodic.at(frame, at(slots[k]), potential.data()).gradient;
  });
}

/// Direct sums in double on the sampled bodies, without G.
std::vector<Vec3d> direct_sums(const Cpu& exec, const State<Host>& state,
                               const std::vector<double>& masses, double softening,
                               const PeriodicImages* periodic, const std::vector<Index>& slots) {
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
    constexpr Index batch = 64;  // the kernels require a multiple of 64
    engine::parallel_tasks(exec.threads, (size + batch - 1) / batch, [&](Index task) {
      direct_kernels(exec.simd).double_(from, to, task * batch, std::min((task + 1) * batch, size),
                                        softening * softening);
    });
    for (Index k = 0; k < size; ++k)
      sums[static_cast<std::size_t>(k)] += Vec3d{sum[0][k], sum[1][k], sum[2][k]};
  };
  const auto add_with_images = [&](Index sources, auto s) {
    for (const Vec3d& image : periodic ? periodic->nearest() : std::vector<Vec3d>{{0, 0, 0}}) {
      for (Index k = 0; k < size; ++k) {
        const Vec3d at = position(s, slots[static_cast<std::size_t>(k)], periodic) - image;
        target[0][k] = at.x, target[1][k] = at.y, target[2][k] = at.z;
      }
      add(sources);
    }
  };
  state.visit([&](auto own_bodies) {
    const auto s = own_bodies.with(state.copies());
    Index sources = 0;
    for (Index i = 0; i < s.count; ++i) {
      const double mass = masses[static_cast<std::size_t>(i)];
      if (mass == 0) continue;
      const Vec3d at = position(s, i, periodic);
      source[0][sources] = at.x, source[1][sources] = at.y, source[2][sources] = at.z;
      source[3][sources++] = mass;
      if (sources == block) add_with_images(std::exchange(sources, 0), s);
    }
    if (sources > 0) add_with_images(sources, s);
  });
  if (periodic) add_far_images(exec, state, masses, *periodic, slots, sums);
  return sums;
}

}  // namespace

std::vector<Index> error_sample(Index count, bool periodic) {
  const Index size = std::min(periodic ? error_sample_size_of_periodic : error_sample_size, count);
  std::vector<Index> slots;
  for (Index k = 0; k < size; ++k) slots.push_back(k * count / size);
  return slots;
}

std::vector<Index> error_sample(const std::vector<double>& charges, bool periodic) {
  std::vector<Index> charged;
  for (std::size_t i = 0; i < charges.size(); ++i)
    if (charges[i] != 0) charged.push_back(static_cast<Index>(i));
  std::vector<Index> slots;
  for (const Index k : error_sample(static_cast<Index>(charged.size()), periodic))
    slots.push_back(charged[static_cast<std::size_t>(k)]);
  return slots;
}

ForceScale force_scale(const std::vector<Vec3d>& positions, const std::vector<double>& weights,
                       Index count, double softening) {
  if (positions.empty()) return {0, 0};
  Vec3d low = positions[0], high = low;
  double weight = 0;
  for (std::size_t k = 0; k < positions.size(); ++k) {
    const Vec3d p = positions[k];
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    weight += std::abs(weights[k]) / static_cast<double>(positions.size());
  }
  // A sheet has an area, a row a length.
  constexpr double flat = 1e-6;
  const double sides[3] = {high.x - low.x, high.y - low.y, high.z - low.z},
               longest = std::max({sides[0], sides[1], sides[2]});
  double space = 1, dimensions = 0;
  for (const double side : sides)
    if (side > flat * longest) space *= side, ++dimensions;
  if (dimensions == 0) return {0, 0};
  const double distance = std::pow(space / static_cast<double>(count), 1 / dimensions);
  const auto at = [&](double r) { return r / std::pow(r * r + softening * softening, 1.5); };
  const double bodies = static_cast<double>(count),
               radius = distance * std::cbrt(bodies * 3 / (4 * std::numbers::pi));
  return {weight * at(distance), weight * bodies * at(radius)};
}

ForceErrors errors_between(const std::vector<Vec3d>& exact, const std::vector<Vec3d>& accelerations,
                           const ForceScale& scale) {
  constexpr double cancelled = 0.01;
  const auto small =
      static_cast<std::size_t>(std::count_if(exact.begin(), exact.end(), [&](Vec3d a) {
        return length(a) < cancelled * scale.neighbour;
      }));
  const double pull = 2 * small > exact.size() ? scale.all : scale.neighbour;
  std::vector<double> errors;
  for (std::size_t k = 0; k < exact.size(); ++k)
    if (const double size = std::max(length(exact[k]), pull); size > 0)
      errors.push_back(length(accelerations[k] - exact[k]) / size);
  ForceErrors result;
  result.bodies = static_cast<Index>(errors.size());
  if (errors.empty()) return result;
  std::sort(errors.begin(), errors.end());
  // Rounded up: of a small sample, the worst is among the 99 %.
  const auto percentile = [&](double part) {
    return errors[static_cast<std::size_t>(
        std::ceil(part * static_cast<double>(errors.size() - 1)))];
  };
  result.median = percentile(0.5);
  result.percentile_90 = percentile(0.9);
  result.percentile_99 = percentile(0.99);
  result.worst = errors.back();
  return result;
}

ForceErrors errors_of(const Cpu& exec, const State<Host>& state, const std::vector<double>& masses,
                      double softening, const PeriodicImages* periodic,
                      const std::vector<Index>& slots, const std::vector<Vec3d>& accelerations) {
  std::vector<Vec3d> positions;
  std::vector<double> weights;
  state.visit([&](auto own_bodies) {
    const auto s = own_bodies.with(state.copies());
    for (const Index slot : slots) {
      positions.push_back(position(s, slot, periodic));
      weights.push_back(masses[static_cast<std::size_t>(slot)]);
    }
  });
  const auto attracting = static_cast<Index>(
      std::count_if(masses.begin(), masses.end(), [](double mass) { return mass != 0; }));
  return errors_between(direct_sums(exec, state, masses, softening, periodic, slots), accelerations,
                        force_scale(positions, weights, attracting, softening));
}

}  // namespace mote::sim
