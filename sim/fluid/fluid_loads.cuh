#pragma once

#include "engine/algo/largest.cuh"
#include "engine/algo/warp.cuh"
#include "sim/fluid/fluid_device.h"
#include "sim/fluid/fluid_numbers.h"
#include "sim/space/near.cuh"

/// Private to DeviceFluidForce: what particles do to each other, one thread or some a particle.
namespace mote::sim::fluid_loads {

using engine::Index;
using engine::note_largest;
using engine::number_of_bits;
using engine::sum_of_lanes;

constexpr unsigned fluid_threads = 128;
/// Of a kernel that has something to do in few steps only.
constexpr unsigned rare_blocks = 528;

/// What neighbours see of a particle, in two loads. Its volume is mass / density; with the mass it
/// would take three. Among grains the density is that of the fluid itself.
template <class Real>
struct alignas(4 * sizeof(Real)) FluidRecord {
  Real x, y, z, pressure, vx, vy, vz;
  Real marked_density;  ///< with a minus sign: of a wall

  __device__ __forceinline__ bool is_wall() const { return marked_density < 0; }
  __device__ __forceinline__ Vec3<Real> v() const { return {vx, vy, vz}; }
  __device__ __forceinline__ Real density() const {
    return is_wall() ? -marked_density : marked_density;
  }
};

/// All of them in the order of cells.
template <class Real>
struct FluidRecords {
  FluidRecord<Real>* record;
  Real* mass;  ///< among grains, that of the fluid that would fill the whole place: mass / porosity
  Vec3<Real>* slip;  ///< velocities of walls as viscosity sees them; null without walls
};

/// What an evaluation finds of all particles.
struct Tally {
  unsigned long long squared_speed, squared_acceleration;  ///< the largest, as the bits of doubles
  unsigned uneven;                                         ///< masses differ
  double largest_step;
};

/// Puts into the order of cells what neighbours will see. `clock`: null where pressure does not
/// look ahead. `porosity`: null without grains.
template <class Real>
__global__ void __launch_bounds__(fluid_threads)
    take_fluid(DeviceNeighbourView<Real> near, FluidNumbers<Real> numbers, StateView<Real> s,
               const std::uint8_t* kinds, const StepClock* clock, const Real* porosity,
               FluidRecords<Real> to, Tally* tally) {
  const auto p = static_cast<int>(static_cast<Index>(blockIdx.x) * fluid_threads + threadIdx.x);
  if (p == 0) tally->squared_speed = tally->squared_acceleration = 0;
  if (p >= near.count) return;
  const std::int32_t i = near.column[p];
  const auto ahead = static_cast<Real>(clock ? clock->dt : 0.0);
  Real density = s.column(Extra::density)[i] + ahead * s.column(Extra::density_rate)[i],
       mass = s.mass[i];
  if (porosity) density /= porosity[p], mass /= porosity[p];
  const PlaceOf<Real> at = near.place[p];
  const bool wall = kinds[i] == static_cast<std::uint8_t>(FluidKind::wall);
  to.record[p] = {at.x,    at.y,    at.z,    numbers.tait.pressure(density),
                  s.vx[i], s.vy[i], s.vz[i], wall ? -numbers.tait.density : density};
  to.mass[p] = mass;
  if (porosity || mass != s.mass[near.column[0]]) tally->uneven = 1;
}

/// Masses of neighbours, looked up only where they differ.
template <class Real>
struct FluidMasses {
  const Real* mass;
  Real same;
  bool uneven;
  __device__ __forceinline__ Real operator()(std::int32_t p) const {
    return uneven ? mass[p] : same;
  }
};

template <class Real>
__device__ __forceinline__ FluidPoint<Real> point_of(const FluidRecord<Real>& r, Real mass,
                                                     Real dynamic) {
  return {r.v(), mass * engine::Number<Real>::reciprocal(r.density()), r.pressure, dynamic};
}

/// What wall particles are to the fluid. Of walls, reads places only.
template <int lanes, class Real>
__global__ void __launch_bounds__(fluid_threads)
    extrapolate(DeviceNeighbourView<Real> near, FluidNumbers<Real> numbers, FluidRecords<Real> r) {
  const auto at =
      static_cast<int>((static_cast<Index>(blockIdx.x) * fluid_threads + threadIdx.x) / lanes);
  const int lane = static_cast<int>(threadIdx.x) % lanes;
  const bool wall = at < near.count && r.record[at].is_wall();
  WallSums<Real> sums{};
  for_each_near<lanes>(near, r.record, wall ? at : near.count, lane,
                       [&](int, const FluidRecord<Real>& other, Vec3<Real> d) {
                         if (!other.is_wall())
                           add_to_wall(numbers.constants.kernel, d,
                                       kernel_point(numbers.constants.kernel, d), other.pressure,
                                       other.v(), sums);
                       });
  sums = {sum_of_lanes<lanes>(sums.weight), sum_of_lanes<lanes>(sums.pressure),
          sum_of_lanes<lanes>(sums.arm), sum_of_lanes<lanes>(sums.velocity)};
  if (!wall || lane != 0) return;
  const WallPoint<Real> point =
      wall_point(sums, r.record[at].v(), numbers.weight_density, numbers.tait.background);
  r.record[at].pressure = point.pressure;
  r.record[at].marked_density = -wall_density(numbers.tait, point.pressure);
  r.slip[at] = point.v;
}

/// Accelerations, rates of density and drifts. `more`: the bits 1 shifting, 2 XSPH; nvcc takes no
/// structure there. `alone`: what the fluid does to itself, where grains ask for it; or null.
template <int more, bool walls, int lanes, class Real>
__global__ void __launch_bounds__(fluid_threads, sizeof(Real) == 8     ? 4
                                                 : walls || lanes == 1 ? 5
                                                                       : 6)
    accelerate(DeviceNeighbourView<Real> near, FluidNumbers<Real> numbers, StateView<Real> s,
               FluidRecords<Real> r, std::int32_t* neighbours, Vec3<Real>* alone, Tally* tally,
               const DeviceRecord* record) {
  constexpr FluidTerms terms{true, (more & 1) != 0, (more & 2) != 0};
  [[maybe_unused]] constexpr FluidTerms at_wall{false, true, false};
  if (record->halted != 0 || record->stalled != 0) return;
  const auto at =
      static_cast<int>((static_cast<Index>(blockIdx.x) * fluid_threads + threadIdx.x) / lanes);
  const int lane = static_cast<int>(threadIdx.x) % lanes;
  const bool inside = at < near.count;
  const FluidRecord<Real> own = r.record[inside ? at : 0];
  const bool fluid = inside && !own.is_wall();
  const FluidMasses<Real> masses{r.mass, r.mass[0], tally->uneven != 0};
  const Real mass = masses(inside ? at : 0);
  const FluidPoint<Real> i = point_of(own, mass, Real(0));
  FluidSums<Real> sums{}, wall{};
  int within_reach = 0;
  for_each_near<lanes>(
      near, r.record, fluid ? at : near.count, lane,
      [&](int q, const FluidRecord<Real>& other, Vec3<Real> d) {
        const KernelPoint<Real> point = kernel_point(numbers.constants.kernel, d);
        within_reach += point.fall > Real(0) ? 1 : 0;
        // The difference of densities without what weight adds to it.
        const FluidPoint<Real> j =
            point_of(other, masses(q),
                     (other.marked_density - own.marked_density) - dot(numbers.lightness, d));
        const Vec3<Real> w = j.v - i.v;
        if constexpr (walls)
          if (other.is_wall())
            return add_pair<at_wall>(numbers.at_walls, d, point, i, j, w, r.slip[q] - i.v, wall);
        add_pair<terms>(numbers.constants, d, point, i, j, w, w, sums);
      });
  within_reach = sum_of_lanes<lanes>(within_reach);
  sums.force = sum_of_lanes<lanes>(sums.force);
  sums.expansion = sum_of_lanes<lanes>(sums.expansion);
  sums.diffusion = sum_of_lanes<lanes>(sums.diffusion);
  if constexpr (terms.shifting)
    sums.crowd = sum_of_lanes<lanes>(sums.crowd), sums.support = sum_of_lanes<lanes>(sums.support);
  if constexpr (terms.xsph) sums.drift = sum_of_lanes<lanes>(sums.drift);
  if constexpr (walls) {
    wall.force = sum_of_lanes<lanes>(wall.force), wall.crowd = sum_of_lanes<lanes>(wall.crowd);
    wall.expansion = sum_of_lanes<lanes>(wall.expansion),
    wall.support = sum_of_lanes<lanes>(wall.support);
  }
  double squared_speed = 0, squared_acceleration = 0;
  if (inside && lane == 0) {
    const std::int32_t column = near.column[at];
    neighbours[at] = within_reach;
    FluidRates<Real> rates{};
    if (fluid) {
      rates = fluid_rates(numbers.factors, terms.shifting, sums, wall,
                          alone ? s.mass[column] : mass, i.volume);
      s.ax[column] += rates.a.x;
      s.ay[column] += rates.a.y;
      s.az[column] += rates.a.z;
      squared_speed = static_cast<double>(dot(i.v, i.v));
      squared_acceleration = static_cast<double>(dot(rates.a, rates.a));
    } else {
      s.ax[column] = s.ay[column] = s.az[column] = Real(0);
    }
    if (alone) alone[at] = rates.a;
    s.column(Extra::density_rate)[column] = rates.density;
    if constexpr (terms.shifting || terms.xsph) {
      s.column(Extra::shift_x)[column] = rates.u.x;
      s.column(Extra::shift_y)[column] = rates.u.y;
      s.column(Extra::shift_z)[column] = rates.u.z;
    }
  }
  note_largest(squared_speed, &tally->squared_speed);
  note_largest(squared_acceleration, &tally->squared_acceleration);
}

/// How long a step may be, and what follows when it is too long: accelerations behind such a step
/// are kept, because those of the halted steps, which other forces add to, must not take their
/// place.
template <class Real>
__global__ void __launch_bounds__(fluid_threads)
    judge_step(StateView<Real> s, StepSpeeds speeds, const StepClock* clock,
               const CrowdedStep* crowded, Tally* tally, DeviceRecord* record, Real* kept) {
  const Index first = static_cast<Index>(blockIdx.x) * fluid_threads + threadIdx.x;
  const bool halted = record->halted != 0;
  if (record->stalled != 0) return;
  if (halted && record->too_long == 0) return;
  if (!halted) {
    speeds.speed = sqrt(number_of_bits(tally->squared_speed));
    const double acceleration = sqrt(number_of_bits(tally->squared_acceleration));
    if (acceleration > speeds.acceleration) speeds.acceleration = acceleration;
    if (crowded) speeds.sound *= sqrt(crowded->crowding);
    double step = largest_fluid_step(speeds);
    if (crowded && crowded->largest_step < step) step = crowded->largest_step;
    const bool too_long = clock && clock->dt > patience_with_steps * step;
    if (first == 0) {
      tally->largest_step = step;
      tally->uneven = 0;
      if (too_long) record->too_long = 1;
    }
    if (!too_long && record->too_long == 0) return;
  }
  Real* const a[3] = {s.ax, s.ay, s.az};
  for (Index i = first; i < s.count; i += static_cast<Index>(gridDim.x) * fluid_threads)
    for (int axis = 0; axis < 3; ++axis)
      if (halted)
        a[axis][i] = kept[axis * s.count + i];
      else
        kept[axis * s.count + i] = a[axis][i];
}

}  // namespace mote::sim::fluid_loads
