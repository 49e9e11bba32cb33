#include "sim/measure/measurement_device.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/check.h"
#include "engine/exec/ranks.h"
#include "engine/math/hash.h"
#include "sim/measure/body_term.cuh"
#include "sim/measure/displacement.h"
#include "sim/measure/shells_device.cuh"
#include "sim/space/ball_fields.h"
#include "sim/space/ball_formula.h"
#include "sim/space/fixed_field.h"

namespace mote::sim {
namespace {

using engine::blocks_for;
using engine::Cuda;
using engine::Device;
using engine::Index;
using engine::Values;
using engine::Vec3d;

constexpr unsigned measure_threads = 256;

/// With the kinetic energy of bodies that are not fixed, and the number of those that are.
constexpr int measured_sums = body_sums + 2, at_free_kinetic = body_sums,
              at_fixed_bodies = body_sums + 1;

template <class Real>
struct BodyTerm {
  StateView<const Real> s;

  const Real *radius, *fixed;
  VectorColumns<const Real> spin;
  DisplacementValue<Real> displacement;

  BodyTerm(const StateView<const Real>& state, Vec3d period)
      : s(state),
        radius(state[fields::radius]),
        fixed(state[fields::fixed]),
        spin(state[fields::spin]),
        displacement(state, period) {}
  __device__ Values<measured_sums> operator()(Index i) const {
    auto common = body_values(s.mass[i], {s.x[i], s.y[i], s.z[i]}, {s.vx[i], s.vy[i], s.vz[i]},
                              displacement(i));
    if (spin[0])
      add_spin(common, moment_of_inertia(double(s.mass[i]), double(radius[i])),
               {spin[0][i], spin[1][i], spin[2][i]});
    Values<measured_sums> all{};
    for (int k = 0; k < body_sums; ++k) all.v[k] = common.v[k];
    if (fixed && fixed[i] != 0)
      all.v[at_fixed_bodies] = 1;
    else
      all.v[at_free_kinetic] = common.v[1];
    return all;
  }
  static __device__ double combine(int k, double a, double b) {
    return k < body_sums ? BodyJoin::combine(k, a, b) : a + b;
  }
  static __device__ Values<measured_sums> nothing() {
    const auto common = BodyJoin::nothing();
    Values<measured_sums> all{};
    for (int k = 0; k < body_sums; ++k) all.v[k] = common.v[k];
    return all;
  }
};

BodySums sums_with_fixed(const Values<measured_sums>& all) {
  Values<body_sums> common;
  std::copy_n(all.v, body_sums, common.v);
  BodySums sums = sums_of(common);
  sums.free_kinetic = all.v[at_free_kinetic], sums.fixed = all.v[at_fixed_bodies];
  return sums;
}

/// Columns as a kernel argument.
template <class Real>
struct HashedColumns {
  static constexpr int capacity = 32;
  int count = 0;
  const Real* column[capacity] = {};
};

/// Integer sums are independent of the order: one atomic addition per warp.
template <class Real>
__global__ void __launch_bounds__(measure_threads)
    hash_bodies(StateView<const Real> s, HashedColumns<Real> hashed, unsigned long long* sum) {
  const Index i = static_cast<Index>(blockIdx.x) * measure_threads + threadIdx.x;
  unsigned long long h = 0;
  if (i < s.count) {
    h = engine::hash_word(0, s.id[i]);
    const Real values[] = {s.mass[i], s.x[i], s.y[i], s.z[i], s.vx[i], s.vy[i], s.vz[i]};
    for (Real value : values) h = engine::hash_word(h, engine::bits_of(value));
    for (int k = 0; k < hashed.count; ++k)
      h = engine::hash_word(h, engine::bits_of(hashed.column[k][i]));
  }
  for (int distance = 16; distance > 0; distance /= 2)
    h += __shfl_xor_sync(engine::all_lanes, h, distance);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, h);
}

template <class Real>
__global__ void __launch_bounds__(measure_threads)
    find_not_finite(StateView<const Real> s, unsigned long long* first) {
  const Index i = static_cast<Index>(blockIdx.x) * measure_threads + threadIdx.x;
  if (i >= s.count) return;
  const Real values[] = {s.x[i],  s.y[i],  s.z[i],  s.vx[i], s.vy[i],
                         s.vz[i], s.ax[i], s.ay[i], s.az[i]};
  bool finite = true;
  for (Real value : values) finite = finite && isfinite(value);
  if (!finite) atomicMin(first, static_cast<unsigned long long>(s.id[i]));
}

}  // namespace

struct StateMeasure<Cuda>::Scratch {
  explicit Scratch(Index count) : sums(count), word(1), word_host(1) {}
  engine::Reduction<measured_sums> sums;
  DeviceShells shells;
  engine::Buffer<unsigned long long, Device> word;
  engine::Buffer<unsigned long long, engine::Pinned> word_host;
};

StateMeasure<Cuda>::StateMeasure(Index count) : scratch_(std::make_unique<Scratch>(count)) {}
StateMeasure<Cuda>::~StateMeasure() = default;

std::uint64_t StateMeasure<Cuda>::device_bytes(Index count) {
  return engine::Reduction<measured_sums>::bytes(count) + DeviceShells::bytes();
}

Measurement StateMeasure<Cuda>::measure(const Cuda& exec, const State<Device>& state,
                                        double potential, Vec3d period) {
  const Index count = state.count(), all = engine::count_over(exec.ranks, count);
  if (all == 0) return measurement_of(BodySums{}, 0, potential);
  return state.visit([&]<class Const>(StateView<Const> s) {
    using Real = std::remove_const_t<Const>;
    Scratch& m = *scratch_;
    Measurement result = measurement_of(
        sums_with_fixed(m.sums.run(exec, BodyTerm<Real>(s, period), count)), all, potential);
    if (result.mass > 0 && std::isfinite(result.mass))
      result.lagrangian_radii = m.shells.run(
          exec, ShellBodies<Const>{s, result.center_of_mass, result.mass}, lagrangian_fractions);
    return result;
  });
}

std::uint64_t StateMeasure<Cuda>::state_hash(const Cuda& exec, const State<Device>& state,
                                             double time, std::uint64_t step) {
  Scratch& m = *scratch_;
  engine::fill_bytes(m.word.data(), 0, m.word.bytes(), exec.stream);
  state.visit([&]<class Const>(StateView<Const> s) {
    using Real = std::remove_const_t<Const>;
    HashedColumns<Real> hashed;
    for (const FieldInfo* field : state.layout().hashed_fields()) {
      MOTE_EXPECT(hashed.count < hashed.capacity);
      hashed.column[hashed.count++] = s[*field];
    }
    engine::launch(exec, {blocks_for(s.count, measure_threads), measure_threads}, hash_bodies<Real>,
                   s, hashed, m.word.data());
  });
  engine::copy_to_host(m.word_host.data(), m.word.data(), 1, exec.stream);
  engine::wait(exec);
  std::vector<double> globals(static_cast<std::size_t>(state.layout().global_count()));
  if (!globals.empty())
    engine::copy_bytes_to_host(globals.data(), state.globals(), globals.size() * sizeof(double),
                               exec.stream);
  engine::wait(exec);
  std::uint64_t hash = engine::sum_over(exec.ranks, std::uint64_t{m.word_host.data()[0]});
  for (const double number : globals) hash = engine::hash_word(hash, engine::bits_of(number));
  return engine::hash_word(engine::hash_word(hash, engine::bits_of(time)), step);
}

std::int64_t StateMeasure<Cuda>::first_not_finite(const Cuda& exec, const State<Device>& state) {
  Scratch& m = *scratch_;
  engine::fill_bytes(m.word.data(), 0xff, m.word.bytes(), exec.stream);
  state.visit([&]<class Const>(StateView<Const> s) {
    engine::launch(exec, {blocks_for(s.count, measure_threads), measure_threads},
                   find_not_finite<std::remove_const_t<Const>>, s, m.word.data());
  });
  engine::copy_to_host(m.word_host.data(), m.word.data(), 1, exec.stream);
  engine::wait(exec);
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  const unsigned long long found = m.word_host.data()[0];
  const std::int64_t first =
      engine::least_of(exec.ranks, found == ~0ull ? none : static_cast<std::int64_t>(found));
  return first == none ? -1 : first;
}

}  // namespace mote::sim
