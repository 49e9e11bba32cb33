#pragma once

#include "engine/algo/largest.cuh"
#include "engine/algo/warp.cuh"
#include "sim/fluid/fluid.h"
#include "sim/fluid/fluid_numbers.h"
#include "sim/fluid/half_space_formula.h"
#include "sim/space/neighbour_loop.cuh"
#include "sim/space/obstacles_device.h"

/// Kernels of DeviceFluidForce, with one or several threads per particle.
namespace mote::sim::fluid_forces {

using engine::Index;
using engine::number_of_bits;
using engine::sum_of_lanes;
using engine::warp_atomic_max;

constexpr unsigned fluid_threads = 128;
/// Block limit of a kernel that rarely has work.
constexpr unsigned rare_blocks = 528;

/// A particle as its neighbours read it: in single precision two loads of 16 bytes; with the mass
/// it would take three. Volume = mass / density. With grains, the density is the intrinsic one of
/// the fluid.
template <class Real>
struct alignas(4 * sizeof(Real)) FluidRecord {
  Real x, y, z, pressure, vx, vy, vz;
  Real marked_density;  ///< negative: of a wall

  __device__ __forceinline__ bool is_wall() const { return marked_density < 0; }
  __device__ __forceinline__ Vec3<Real> v() const { return {vx, vy, vz}; }
  __device__ __forceinline__ Real density() const {
    return is_wall() ? -marked_density : marked_density;
  }
};

/// All records, in cell order.
template <class Real>
struct FluidRecords {
  FluidRecord<Real>* record;
  Real* mass;        ///< mass / porosity with grains: as if fluid filled the whole volume
  Vec3<Real>* slip;  ///< velocities of wall particles in viscous terms; null without walls
};

/// Reductions over all particles of an evaluation.
struct FluidReductions {
  unsigned long long squared_speed, squared_acceleration;  ///< maxima, as bits of doubles
  unsigned masses_differ;
  double largest_step;
};

/// Columns of the fluid's fields, by body index.
template <class Real>
struct FluidColumns {
  const Real* density;
  Real* density_rate;
  VectorColumns<Real> transport_velocity;
};

template <class Real>
__device__ __forceinline__ FluidPoint<Real> point_of(const FluidRecord<Real>& r, Real mass,
                                                     Real dynamic) {
  return {r.v(), mass * engine::Number<Real>::reciprocal(r.density()), r.pressure, dynamic};
}

/// Obstacles around the fluid, with the periodic domain in which they are.
template <class Real>
struct FluidObstacleView {
  DeviceObstacleView<Real> view;
  bool periodic[3];
  double length[3];

  /// The image of a particle nearest to an obstacle.
  __device__ __forceinline__ Vec3<Real> image_of(const FluidRecord<Real>& r,
                                                 const Obstacle<Real>& o) const {
    const auto along = [&](int axis, Real x, Real origin) {
      return periodic[axis] ? image_nearest_to(x, origin, length[axis]) : x;
    };
    return {along(0, r.x, o.frame.origin.x), along(1, r.y, o.frame.origin.y),
            along(2, r.z, o.frame.origin.z)};
  }
};

/// Chunks of particles of which each is summed by a block.
constexpr int solid_chunks = 64;

/// Sums the forces of the fluid on each solid: one block for each chunk of particles of a solid, in
/// a fixed order.
template <class Real>
__global__ void __launch_bounds__(fluid_threads)
    push_solids(DeviceNeighbourView<Real> near, FluidNumbers<Real> numbers, FluidRecords<Real> r,
                FluidObstacleView<Real> obstacles, SolidLoad* chunks) {
  auto* const sums = engine::shared_memory<SolidLoad>();
  const int solid = static_cast<int>(blockIdx.x) / solid_chunks,
            chunk = static_cast<int>(blockIdx.x) % solid_chunks;
  const Index begin = static_cast<Index>(near.count) * chunk / solid_chunks,
              end = static_cast<Index>(near.count) * (chunk + 1) / solid_chunks;
  SolidLoad own;
  for (Index p = begin + threadIdx.x; p < end; p += fluid_threads) {
    const FluidRecord<Real> record = r.record[p];
    if (record.is_wall()) continue;
    const FluidPoint<Real> point = point_of(record, r.mass[p], Real(0));
    for (int k = 0; k < obstacles.view.count; ++k) {
      if (obstacles.view.motion[k].solid != solid) continue;
      const Obstacle<Real>& o = obstacles.view.all[k];
      const Vec3<Real> at = obstacles.image_of(record, o);
      own.add_reaction(at - o.frame.pivot, obstacle_sums(numbers.at_obstacles, o, at, point).force);
    }
  }
  sums[threadIdx.x] = own;
  for (unsigned half = fluid_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) chunks[blockIdx.x] = sums[0];
}

/// Adds the sums of all chunks to the solids, a thread each. One block.
__global__ void __launch_bounds__(fluid_threads)
    add_pushes(const SolidLoad* chunks, int solids, SolidState* to, const DeviceRecord* record) {
  if (record->halted != 0 || record->stalled != 0) return;
  for (int solid = static_cast<int>(threadIdx.x); solid < solids;
       solid += static_cast<int>(fluid_threads))
    for (int k = 0; k < solid_chunks; ++k) chunks[solid * solid_chunks + k].add_to(to[solid]);
}

/// Gathers the records into cell order. `clock`: null if the density is not to be
/// extrapolated by dt.
/// `porosity`: null without grains.
template <class Real>
__global__ void __launch_bounds__(fluid_threads)
    gather_fluid_records(DeviceNeighbourView<Real> near, FluidNumbers<Real> numbers,
                         StateView<Real> s, FluidColumns<Real> columns, const std::uint8_t* kinds,
                         const StepClock* clock, const Real* porosity, FluidRecords<Real> to,
                         FluidReductions* reductions) {
  const auto p = static_cast<int>(static_cast<Index>(blockIdx.x) * fluid_threads + threadIdx.x);
  if (p == 0) reductions->squared_speed = reductions->squared_acceleration = 0;
  if (p >= near.count) return;
  const std::int32_t i = near.index[p];
  const auto ahead = static_cast<Real>(clock ? clock->dt : 0.0);
  Real density = columns.density[i] + ahead * columns.density_rate[i], mass = s.mass[i];
  if (porosity) density /= porosity[p], mass /= porosity[p];
  const PositionAndKind<Real> at = near.position[p];
  const bool wall = kinds[i] == static_cast<std::uint8_t>(FluidKind::wall);
  to.record[p] = {at.x,    at.y,    at.z,    numbers.tait.pressure(density),
                  s.vx[i], s.vy[i], s.vz[i], wall ? -numbers.tait.density : density};
  to.mass[p] = mass;
  if (porosity || mass != s.mass[near.index[0]]) reductions->masses_differ = 1;
}

/// Masses of neighbours, loaded only if they differ.
template <class Real>
struct FluidMasses {
  const Real* mass;
  Real same;
  bool masses_differ;
  __device__ __forceinline__ Real operator()(std::int32_t p) const {
    return masses_differ ? mass[p] : same;
  }
};

/// Extrapolates pressure and velocity of the fluid to wall particles. Of other wall particles only
/// the position and the sign of the density are used: their threads overwrite pressure and density.
template <int lanes, class Real>
__global__ void __launch_bounds__(fluid_threads)
    extrapolate(DeviceNeighbourView<Real> near, FluidNumbers<Real> numbers, FluidRecords<Real> r) {
  const auto at =
      static_cast<int>((static_cast<Index>(blockIdx.x) * fluid_threads + threadIdx.x) / lanes);
  const int lane = static_cast<int>(threadIdx.x) % lanes;
  const bool wall = at < near.count && r.record[at].is_wall();
  WallSums<Real> sums{};
  for_each_neighbour_record<lanes>(near, r.record, wall ? at : near.count, lane,
                                   [&](int, const FluidRecord<Real>& other, Vec3<Real> d) {
                                     if (!other.is_wall())
                                       add_to_wall(numbers.constants.kernel, d,
                                                   kernel_point(numbers.constants.kernel, d),
                                                   other.pressure, other.v(), sums);
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

/// The bounds of a fluid. Sums of obstacles in every kernel would cost registers, and a tenth of
/// the speed, where there are none.
enum class FluidBounds {
  none,
  walls,      ///< wall particles
  obstacles,  ///< and perhaps wall particles
};

/// Accelerations, density rates and transport velocities. `more`: 1 for shifting plus 2 for XSPH
/// (nvcc does not accept a structure there). `neighbours`: receives their number within the
/// support. `fluid_acceleration`: receives the fluid's own part, for grains; or null.
template <int more, FluidBounds bounds, int lanes, class Real>
__global__ void __launch_bounds__(fluid_threads, sizeof(Real) == 8                           ? 4
                                                 : bounds != FluidBounds::none || lanes == 1 ? 5
                                                                                             : 6)
    accelerate(DeviceNeighbourView<Real> near, FluidNumbers<Real> numbers, StateView<Real> s,
               FluidColumns<Real> columns, FluidRecords<Real> r, FluidObstacleView<Real> obstacles,
               std::int32_t* neighbours, Vec3<Real>* fluid_acceleration,
               FluidReductions* reductions, const DeviceRecord* record) {
  constexpr FluidTerms terms{true, (more & 1) != 0, (more & 2) != 0};
  [[maybe_unused]] constexpr FluidTerms at_wall{false, true, false};
  constexpr bool walls = bounds != FluidBounds::none;
  if (record->halted != 0 || record->stalled != 0) return;
  const auto at =
      static_cast<int>((static_cast<Index>(blockIdx.x) * fluid_threads + threadIdx.x) / lanes);
  const int lane = static_cast<int>(threadIdx.x) % lanes;
  const bool inside = at < near.count;
  const FluidRecord<Real> own = r.record[inside ? at : 0];
  const bool fluid = inside && !own.is_wall();
  const FluidMasses<Real> masses{r.mass, r.mass[0], reductions->masses_differ != 0};
  const Real mass = masses(inside ? at : 0);
  const FluidPoint<Real> i = point_of(own, mass, Real(0));
  FluidSums<Real> sums{}, wall{};
  int within_support = 0;
  for_each_neighbour_record<lanes>(
      near, r.record, fluid ? at : near.count, lane,
      [&](int q, const FluidRecord<Real>& other, Vec3<Real> d) {
        const KernelPoint<Real> point = kernel_point(numbers.constants.kernel, d);
        within_support += point.fall > Real(0) ? 1 : 0;
        // The density difference without its hydrostatic part.
        const FluidPoint<Real> j = point_of(
            other, masses(q),
            (other.marked_density - own.marked_density) - dot(numbers.hydrostatic_gradient, d));
        const Vec3<Real> w = j.v - i.v;
        if constexpr (walls)
          if (other.is_wall())
            return add_pair<at_wall>(numbers.at_walls, d, point, i, j, w, r.slip[q] - i.v, wall);
        add_pair<terms>(numbers.constants, d, point, i, j, w, w, sums);
      });
  within_support = sum_of_lanes<lanes>(within_support);
  sums.force = sum_of_lanes<lanes>(sums.force);
  sums.expansion = sum_of_lanes<lanes>(sums.expansion);
  sums.diffusion = sum_of_lanes<lanes>(sums.diffusion);
  if constexpr (terms.shifting)
    sums.minus_grad_c = sum_of_lanes<lanes>(sums.minus_grad_c),
    sums.support = sum_of_lanes<lanes>(sums.support);
  if constexpr (terms.xsph) sums.drift = sum_of_lanes<lanes>(sums.drift);
  if constexpr (walls) {
    wall.force = sum_of_lanes<lanes>(wall.force),
    wall.minus_grad_c = sum_of_lanes<lanes>(wall.minus_grad_c);
    wall.expansion = sum_of_lanes<lanes>(wall.expansion),
    wall.support = sum_of_lanes<lanes>(wall.support);
  }
  double squared_speed = 0, squared_acceleration = 0;
  if (inside && lane == 0) {
    const std::int32_t body = near.index[at];
    neighbours[at] = within_support;
    FluidRates<Real> rates{};
    if (fluid) {
      FluidSums<Real> solid{};
      if constexpr (bounds == FluidBounds::obstacles)
        for (int k = 0; k < obstacles.view.count; ++k) {
          const Obstacle<Real>& o = obstacles.view.all[k];
          add_sums(obstacle_sums(numbers.at_obstacles, o, obstacles.image_of(own, o), i), solid);
        }
      rates = fluid_rates(numbers.factors, terms.shifting, sums, wall, solid,
                          fluid_acceleration ? s.mass[body] : mass, i.volume);
      s.ax[body] += rates.a.x;
      s.ay[body] += rates.a.y;
      s.az[body] += rates.a.z;
      squared_speed = static_cast<double>(dot(i.v, i.v));
      squared_acceleration = static_cast<double>(dot(rates.a, rates.a));
    } else {
      s.ax[body] = s.ay[body] = s.az[body] = Real(0);
    }
    if (fluid_acceleration) fluid_acceleration[at] = rates.a;
    columns.density_rate[body] = rates.density;
    if constexpr (terms.shifting || terms.xsph) {
      columns.transport_velocity[0][body] = rates.u.x;
      columns.transport_velocity[1][body] = rates.u.y;
      columns.transport_velocity[2][body] = rates.u.z;
    }
  }
  warp_atomic_max(squared_speed, &reductions->squared_speed);
  warp_atomic_max(squared_acceleration, &reductions->squared_acceleration);
}

/// Computes the largest stable step. If the step taken was too long, saves the accelerations after
/// it, and restores them in later, halted steps, in which other forces still add to them.
template <class Real>
__global__ void __launch_bounds__(fluid_threads)
    check_step_size(StateView<Real> s, StepSpeeds speeds, const StepClock* clock,
                    const GrainStepLimits* limits, FluidReductions* reductions,
                    DeviceRecord* record, Real* saved_acceleration) {
  const Index first = static_cast<Index>(blockIdx.x) * fluid_threads + threadIdx.x;
  const bool halted = record->halted != 0;
  if (record->stalled != 0) return;
  if (halted && record->too_long == 0) return;
  if (!halted) {
    speeds.speed = sqrt(number_of_bits(reductions->squared_speed));
    const double acceleration = sqrt(number_of_bits(reductions->squared_acceleration));
    if (acceleration > speeds.acceleration) speeds.acceleration = acceleration;
    if (limits) speeds.sound *= sqrt(limits->inverse_porosity);
    double step = largest_fluid_step(speeds);
    if (limits && limits->largest_step < step) step = limits->largest_step;
    const bool too_long = clock && clock->dt > step_tolerance * step;
    if (first == 0) {
      reductions->largest_step = step;
      reductions->masses_differ = 0;
      if (too_long) record->too_long = 1;
    }
    if (!too_long && record->too_long == 0) return;
  }
  Real* const a[3] = {s.ax, s.ay, s.az};
  for (Index i = first; i < s.count; i += static_cast<Index>(gridDim.x) * fluid_threads)
    for (int axis = 0; axis < 3; ++axis)
      if (halted)
        a[axis][i] = saved_acceleration[axis * s.count + i];
      else
        saved_acceleration[axis * s.count + i] = a[axis][i];
}

}  // namespace mote::sim::fluid_forces
