#include "sim/gravity/module/sampled_gravity.h"

#include <algorithm>
#include <type_traits>

#include "sim/expansions/gravity_formula.h"
#include "sim/measure/body_term.cuh"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Index;
using engine::Values;
using engine::Vec3d;

constexpr int fractions = static_cast<int>(lagrangian_fractions.size());
constexpr Index most_samples = 4096;
constexpr int sample_threads = engine::reduce_threads, warps = sample_threads / 32;

/// Pair reductions of a sample: the potential (sum) and the radii of the mass fractions (minimum).
constexpr int pair_values = 1 + fractions;
struct PairJoin {
  static __device__ double combine(int k, double a, double b) {
    return k == 0 ? a + b : fmin(a, b);
  }
  static __device__ Values<pair_values> nothing() {
    Values<pair_values> none{};
    for (int k = 1; k < pair_values; ++k) none.v[k] = INFINITY;
    return none;
  }
};

/// One block per sample.
template <class Real>
__global__ void __launch_bounds__(sample_threads)
    sum_bodies(SampleView<Real> samples, const Real* mass, Index count, Values<body_sums>* out) {
  const Index first = static_cast<Index>(blockIdx.x) * samples.stride;
  Values<body_sums> sums = BodyJoin::nothing();
  for (Index i = threadIdx.x; i < count; i += sample_threads) {
    const Values<body_sums> one =
        body_values(mass[i], {samples.x[first + i], samples.y[first + i], samples.z[first + i]},
                    {samples.vx[first + i], samples.vy[first + i], samples.vz[first + i]});
    for (int k = 0; k < body_sums; ++k) sums.v[k] = BodyJoin::combine(k, sums.v[k], one.v[k]);
  }
  sums = engine::reduce_block<BodyJoin>(sums);
  if (threadIdx.x == 0) out[blockIdx.x] = sums;
}

/// A block owns 32 bodies of a sample, one per lane. Its warps split the sources into consecutive
/// chunks; their partial sums are added in warp order.
template <class Real>
__global__ void __launch_bounds__(sample_threads)
    sum_pairs(SampleView<Real> samples, const Real* mass, Index count, int blocks_per_sample,
              const Values<body_sums>* sums, double squared_softening, Values<fractions> wanted,
              Values<pair_values>* out) {
  const Index sample = static_cast<Index>(blockIdx.x) / blocks_per_sample;
  const Real *x = samples.x + sample * samples.stride, *y = samples.y + sample * samples.stride,
             *z = samples.z + sample * samples.stride;
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const Index i = static_cast<Index>(blockIdx.x) % blocks_per_sample * 32 + lane;
  const Index own = i < count ? i : count - 1;
  const double total = sums[sample].v[0];
  const double inverse = total > 0 ? 1 / total : 0;
  const Vec3d center{inverse * sums[sample].v[8], inverse * sums[sample].v[9],
                     inverse * sums[sample].v[10]};
  const Vec3d at{x[own], y[own], z[own]}, from_center = at - center;
  const double radius2 = dot(from_center, from_center);
  const Index chunk = (count + warps - 1) / warps, begin = warp * chunk;
  const Index end = begin + chunk < count ? begin + chunk : count;
  double potential = 0, inside = 0;
  for (Index j = begin; j < end; ++j) {
    const Vec3d source{x[j], y[j], z[j]}, source_offset = source - center;
    const double m = mass[j];
    potential += m * inverse_distance(source - at, squared_softening);
    if (dot(source_offset, source_offset) <= radius2) inside += m;
  }
  auto* const shared = engine::shared_memory<double>();
  shared[(warp * 2 + 0) * 32 + lane] = potential;
  shared[(warp * 2 + 1) * 32 + lane] = inside;
  __syncthreads();
  Values<pair_values> values = PairJoin::nothing();
  if (warp == 0 && i < count) {
    potential = inside = 0;
    for (int w = 0; w < warps; ++w) {
      potential += shared[(w * 2 + 0) * 32 + lane];
      inside += shared[(w * 2 + 1) * 32 + lane];
    }
    values.v[0] = static_cast<double>(mass[i]) * potential;
    for (int k = 0; k < fractions; ++k)
      if (inside >= wanted.v[k] * total * (1 - 1e-12)) values.v[1 + k] = sqrt(radius2);
  }
  __syncthreads();
  values = engine::reduce_block<PairJoin>(values);
  if (threadIdx.x == 0) out[blockIdx.x] = values;
}

/// Reduces the blocks of each sample in order; one block per sample.
__global__ void __launch_bounds__(sample_threads)
    join_blocks(const Values<pair_values>* parts, int blocks_per_sample, Values<pair_values>* out) {
  Values<pair_values> value = PairJoin::nothing();
  for (int b = static_cast<int>(threadIdx.x); b < blocks_per_sample; b += sample_threads)
    for (int k = 0; k < pair_values; ++k)
      value.v[k] = PairJoin::combine(
          k, value.v[k], parts[static_cast<Index>(blockIdx.x) * blocks_per_sample + b].v[k]);
  value = engine::reduce_block<PairJoin>(value);
  if (threadIdx.x == 0) out[blockIdx.x] = value;
}

std::size_t bytes_of(engine::Precision precision) {
  return precision == engine::Precision::single ? sizeof(float) : sizeof(double);
}

Index samples_in(std::uint64_t bytes, Index count, engine::Precision precision) {
  const auto one = 6 * static_cast<std::uint64_t>(std::max<Index>(count, 1)) * bytes_of(precision);
  return std::clamp<Index>(static_cast<Index>(bytes / one), 1, most_samples);
}

}  // namespace

struct SampledGravity::Scratch {
  Scratch(Index count, engine::Precision precision, Index samples_wanted)
      : capacity(samples_wanted),
        samples(static_cast<Index>(
            (static_cast<std::uint64_t>(6 * count * capacity) * bytes_of(precision) + 7) / 8)),
        parts(capacity * ((count + 31) / 32)),
        sums(capacity),
        pairs(capacity),
        sums_host(capacity),
        pairs_host(capacity) {}
  Index capacity;
  engine::Buffer<double, Device> samples;
  engine::Buffer<Values<pair_values>, Device> parts;
  engine::Buffer<Values<body_sums>, Device> sums;
  engine::Buffer<Values<pair_values>, Device> pairs;
  engine::Buffer<Values<body_sums>, engine::Pinned> sums_host;
  engine::Buffer<Values<pair_values>, engine::Pinned> pairs_host;
};

SampledGravity::SampledGravity(Index count, engine::Precision precision, double softening,
                               double gravitational, std::uint64_t bytes)
    : count_(count),
      precision_(precision),
      capacity_(samples_in(bytes, count, precision)),
      squared_softening_(softening * softening),
      gravitational_(gravitational),
      scratch_(std::make_unique<Scratch>(count, precision, 1)) {
  MOTE_EXPECT(count <= largest_count);
}

void* SampledGravity::reserve(Index samples) {
  MOTE_EXPECT(samples <= capacity_);
  if (samples > scratch_->capacity) {
    scratch_.reset();
    scratch_ = std::make_unique<Scratch>(count_, precision_, samples);
  }
  return scratch_->samples.data();
}

SampledGravity::~SampledGravity() = default;

std::uint64_t SampledGravity::bytes_for(std::size_t several, const Cuda& exec) {
  if (several <= 1) return default_bytes;
  std::size_t free = 0, total = 0;
  engine::make_current(exec);
  engine::cuda_check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return std::min<std::uint64_t>(default_bytes, total / 16 / several);
}

std::uint64_t SampledGravity::device_bytes(Index count, engine::Precision precision) {
  const auto samples = static_cast<std::uint64_t>(samples_in(default_bytes, count, precision));
  const auto bodies = static_cast<std::uint64_t>(count);
  return samples *
         (6 * bodies * bytes_of(precision) + (bodies / 32 + 1) * sizeof(Values<pair_values>) +
          sizeof(Values<body_sums>) + sizeof(Values<pair_values>));
}

template <class Real>
std::vector<Measurement> SampledGravity::run(const Cuda& exec, const SampleView<Real>& view,
                                             const Real* mass, Index samples) {
  Scratch& s = *scratch_;
  const auto sample_blocks = static_cast<unsigned>(samples);
  const int blocks_per_sample = static_cast<int>((count_ + 31) / 32);
  constexpr std::size_t shared_sums = warps * sizeof(Values<body_sums>);
  constexpr std::size_t shared_pairs =
      std::max(warps * 64 * sizeof(double), warps * sizeof(Values<pair_values>));
  Values<fractions> wanted{};
  for (int k = 0; k < fractions; ++k)
    wanted.v[k] = lagrangian_fractions[static_cast<std::size_t>(k)];
  engine::launch(exec, {sample_blocks, sample_threads, shared_sums}, sum_bodies<Real>, view, mass,
                 count_, s.sums.data());
  engine::launch(
      exec,
      {sample_blocks * static_cast<unsigned>(blocks_per_sample), sample_threads, shared_pairs},
      sum_pairs<Real>, view, mass, count_, blocks_per_sample, s.sums.data(), squared_softening_,
      wanted, s.parts.data());
  engine::launch(exec, {sample_blocks, sample_threads, shared_pairs}, join_blocks, s.parts.data(),
                 blocks_per_sample, s.pairs.data());
  engine::copy_to_host(s.sums_host.data(), s.sums.data(), samples, exec.stream);
  engine::copy_to_host(s.pairs_host.data(), s.pairs.data(), samples, exec.stream);
  engine::wait(exec);
  std::vector<Measurement> all;
  for (Index k = 0; k < samples; ++k) {
    const BodySums sums = sums_of(s.sums_host.data()[k]);
    const Values<pair_values>& pairs = s.pairs_host.data()[k];
    Measurement m =
        measurement_of(sums, count_, gravitational_ != 0 ? -0.5 * gravitational_ * pairs.v[0] : 0);
    const bool finite = pairs.v[fractions] < INFINITY && m.high.x < INFINITY && m.low.x > -INFINITY;
    for (std::size_t f = 0; f < lagrangian_fractions.size(); ++f)
      m.lagrangian_radii[f] = m.mass > 0 && finite ? pairs.v[1 + f] : 0;
    all.push_back(m);
  }
  return all;
}

std::vector<Measurement> SampledGravity::measure_samples(const Cuda& exec,
                                                         const State<Device>& state,
                                                         Index samples) {
  MOTE_EXPECT(samples <= scratch_->capacity);
  if (samples == 0) return {};
  return state.visit([&]<class Const>(StateView<Const> s) {
    using Real = std::remove_const_t<Const>;
    const auto* const r = reinterpret_cast<const Real*>(scratch_->samples.data());
    const SampleView<Real> view{
        r, r + count_, r + 2 * count_, r + 3 * count_, r + 4 * count_, r + 5 * count_, 6 * count_};
    return run(exec, view, s.mass, samples);
  });
}

Measurement SampledGravity::measure(const Cuda& exec, const State<Device>& state) {
  if (count_ == 0) return measurement_of(BodySums{}, 0, 0);
  return state.visit([&]<class Const>(StateView<Const> s) {
    using Real = std::remove_const_t<Const>;
    return run(exec, SampleView<Real>{s.x, s.y, s.z, s.vx, s.vy, s.vz, 0}, s.mass, 1).front();
  });
}

}  // namespace mote::sim
