#include "sim/run/row_measure.h"

#include <algorithm>
#include <type_traits>

#include "sim/gravity/gravity_formula.h"
#include "sim/measure/body_term.cuh"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Index;
using engine::Values;
using engine::Vec3d;

constexpr int fractions = static_cast<int>(lagrangian_fractions.size());
constexpr Index most_rows = 4096;
constexpr int threads = engine::reduce_threads, warps = threads / 32;

/// What the pairs of a row give: potential (added) and the radii of the fractions (the least is
/// taken).
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

/// One block a row.
template <class Real>
__global__ void __launch_bounds__(threads)
    sum_rows(RowView<Real> rows, const Real* mass, Index count, Values<body_sums>* out) {
  const Index row = static_cast<Index>(blockIdx.x) * rows.stride;
  Values<body_sums> sums = BodyJoin::nothing();
  for (Index i = threadIdx.x; i < count; i += threads) {
    const Values<body_sums> one =
        body_values(mass[i], {rows.x[row + i], rows.y[row + i], rows.z[row + i]},
                    {rows.vx[row + i], rows.vy[row + i], rows.vz[row + i]});
    for (int k = 0; k < body_sums; ++k) sums.v[k] = BodyJoin::combine(k, sums.v[k], one.v[k]);
  }
  sums = engine::reduce_block<BodyJoin>(sums);
  if (threadIdx.x == 0) out[blockIdx.x] = sums;
}

/// A block has 32 bodies of a row, one a lane; its warps share the sources, each an eighth of them
/// in order, and their sums are added in the order of the warps.
template <class Real>
__global__ void __launch_bounds__(threads)
    pair_rows(RowView<Real> rows, const Real* mass, Index count, int blocks_a_row,
              const Values<body_sums>* sums, double squared_softening, Values<fractions> wanted,
              Values<pair_values>* out) {
  const Index row = static_cast<Index>(blockIdx.x) / blocks_a_row;
  const Real *x = rows.x + row * rows.stride, *y = rows.y + row * rows.stride,
             *z = rows.z + row * rows.stride;
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const Index i = static_cast<Index>(blockIdx.x) % blocks_a_row * 32 + lane;
  const Index own = i < count ? i : count - 1;
  const double total = sums[row].v[0];
  const double inverse = total > 0 ? 1 / total : 0;
  const Vec3d center{inverse * sums[row].v[8], inverse * sums[row].v[9], inverse * sums[row].v[10]};
  const Vec3d at{x[own], y[own], z[own]}, from_center = at - center;
  const double radius2 = dot(from_center, from_center);
  const Index share = (count + warps - 1) / warps, begin = warp * share;
  const Index end = begin + share < count ? begin + share : count;
  double potential = 0, inside = 0;
  for (Index j = begin; j < end; ++j) {
    const Vec3d source{x[j], y[j], z[j]}, out_there = source - center;
    const double m = mass[j];
    potential += m * inverse_distance(source - at, squared_softening);
    if (dot(out_there, out_there) <= radius2) inside += m;
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

/// Joins the blocks of each row in order; one block a row.
__global__ void __launch_bounds__(threads)
    join_rows(const Values<pair_values>* parts, int blocks_a_row, Values<pair_values>* out) {
  Values<pair_values> value = PairJoin::nothing();
  for (int b = static_cast<int>(threadIdx.x); b < blocks_a_row; b += threads)
    for (int k = 0; k < pair_values; ++k)
      value.v[k] = PairJoin::combine(k, value.v[k],
                                     parts[static_cast<Index>(blockIdx.x) * blocks_a_row + b].v[k]);
  value = engine::reduce_block<PairJoin>(value);
  if (threadIdx.x == 0) out[blockIdx.x] = value;
}

std::size_t bytes_of(engine::Precision precision) {
  return precision == engine::Precision::single ? sizeof(float) : sizeof(double);
}

Index rows_in(std::uint64_t bytes, Index count, engine::Precision precision) {
  const auto a_row =
      6 * static_cast<std::uint64_t>(std::max<Index>(count, 1)) * bytes_of(precision);
  return std::clamp<Index>(static_cast<Index>(bytes / a_row), 1, most_rows);
}

}  // namespace

struct RowMeasure::Scratch {
  Scratch(Index count, engine::Precision precision, Index rows_wanted)
      : capacity(rows_wanted),
        rows(static_cast<Index>(
            (static_cast<std::uint64_t>(6 * count * capacity) * bytes_of(precision) + 7) / 8)),
        parts(capacity * ((count + 31) / 32)),
        sums(capacity),
        pairs(capacity),
        sums_host(capacity),
        pairs_host(capacity) {}
  Index capacity;
  engine::Buffer<double, Device> rows;
  engine::Buffer<Values<pair_values>, Device> parts;
  engine::Buffer<Values<body_sums>, Device> sums;
  engine::Buffer<Values<pair_values>, Device> pairs;
  engine::Buffer<Values<body_sums>, engine::Pinned> sums_host;
  engine::Buffer<Values<pair_values>, engine::Pinned> pairs_host;
};

RowMeasure::RowMeasure(Index count, engine::Precision precision, double softening,
                       double gravitational, std::uint64_t room)
    : count_(count),
      precision_(precision),
      capacity_(rows_in(room, count, precision)),
      squared_softening_(softening * softening),
      gravitational_(gravitational),
      scratch_(std::make_unique<Scratch>(count, precision, 1)) {
  MOTE_EXPECT(count <= largest_count);
}

void RowMeasure::reserve(Index rows) {
  MOTE_EXPECT(rows <= capacity_);
  if (rows <= scratch_->capacity) return;
  scratch_.reset();
  scratch_ = std::make_unique<Scratch>(count_, precision_, rows);
}

RowMeasure::~RowMeasure() = default;

std::uint64_t RowMeasure::room_for(std::size_t several, const Cuda& exec) {
  if (several <= 1) return usual_room;
  std::size_t free = 0, total = 0;
  engine::make_current(exec);
  engine::cuda_check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return std::min<std::uint64_t>(usual_room, total / 16 / several);
}

std::uint64_t RowMeasure::device_bytes(Index count, engine::Precision precision) {
  const auto rows = static_cast<std::uint64_t>(rows_in(usual_room, count, precision));
  const auto bodies = static_cast<std::uint64_t>(count);
  return rows *
         (6 * bodies * bytes_of(precision) + (bodies / 32 + 1) * sizeof(Values<pair_values>) +
          sizeof(Values<body_sums>) + sizeof(Values<pair_values>));
}

template <class Real>
Real* RowMeasure::rows() {
  return reinterpret_cast<Real*>(scratch_->rows.data());
}
template float* RowMeasure::rows<float>();
template double* RowMeasure::rows<double>();

template <class Real>
std::vector<Measurement> RowMeasure::run(const Cuda& exec, const RowView<Real>& view,
                                         const Real* mass, Index rows) {
  Scratch& s = *scratch_;
  const auto row_blocks = static_cast<unsigned>(rows);
  const int blocks_a_row = static_cast<int>((count_ + 31) / 32);
  constexpr std::size_t shared_sums = warps * sizeof(Values<body_sums>);
  constexpr std::size_t shared_pairs =
      std::max(warps * 64 * sizeof(double), warps * sizeof(Values<pair_values>));
  Values<fractions> wanted{};
  for (int k = 0; k < fractions; ++k)
    wanted.v[k] = lagrangian_fractions[static_cast<std::size_t>(k)];
  engine::launch(exec, {row_blocks, threads, shared_sums}, sum_rows<Real>, view, mass, count_,
                 s.sums.data());
  engine::launch(exec, {row_blocks * static_cast<unsigned>(blocks_a_row), threads, shared_pairs},
                 pair_rows<Real>, view, mass, count_, blocks_a_row, s.sums.data(),
                 squared_softening_, wanted, s.parts.data());
  engine::launch(exec, {row_blocks, threads, shared_pairs}, join_rows, s.parts.data(), blocks_a_row,
                 s.pairs.data());
  engine::copy_to_host(s.sums_host.data(), s.sums.data(), rows, exec.stream);
  engine::copy_to_host(s.pairs_host.data(), s.pairs.data(), rows, exec.stream);
  engine::wait(exec);
  std::vector<Measurement> all;
  for (Index row = 0; row < rows; ++row) {
    const BodySums sums = sums_of(s.sums_host.data()[row]);
    const Values<pair_values>& pairs = s.pairs_host.data()[row];
    Measurement m =
        measurement_of(sums, count_, gravitational_ != 0 ? -0.5 * gravitational_ * pairs.v[0] : 0);
    const bool finite = pairs.v[fractions] < INFINITY && m.high.x < INFINITY && m.low.x > -INFINITY;
    for (std::size_t k = 0; k < lagrangian_fractions.size(); ++k)
      m.lagrangian_radii[k] = m.mass > 0 && finite ? pairs.v[1 + k] : 0;
    all.push_back(m);
  }
  return all;
}

std::vector<Measurement> RowMeasure::measure_rows(const Cuda& exec, const State<Device>& state,
                                                  Index rows) {
  MOTE_EXPECT(rows <= scratch_->capacity);
  if (rows == 0) return {};
  return state.visit([&]<class Const>(StateView<Const> s) {
    using Real = std::remove_const_t<Const>;
    const Real* const r = this->rows<Real>();
    const RowView<Real> view{
        r, r + count_, r + 2 * count_, r + 3 * count_, r + 4 * count_, r + 5 * count_, 6 * count_};
    return run(exec, view, s.mass, rows);
  });
}

Measurement RowMeasure::measure(const Cuda& exec, const State<Device>& state) {
  if (count_ == 0) return measurement_of(BodySums{}, 0, 0);
  return state.visit([&]<class Const>(StateView<Const> s) {
    using Real = std::remove_const_t<Const>;
    return run(exec, RowView<Real>{s.x, s.y, s.z, s.vx, s.vy, s.vz, 0}, s.mass, 1).front();
  });
}

}  // namespace mote::sim
