#pragma once

#include "engine/algo/warp.cuh"
#include "sim/fluid/tension_formula.h"
#include "sim/space/neighbour_loop.cuh"
#include "sim/step.h"

/// Surface tension on a GPU, in separate kernels: fluids without it pay nothing. `Record`: a
/// particle as its neighbours read it, in cell order.
namespace mote::sim {

inline constexpr unsigned tension_threads = 128;

template <class Real, class Record>
__device__ __forceinline__ Real volume_of(const Record& r, Real mass) {
  return mass * engine::Number<Real>::reciprocal(r.density());
}

/// Computes the surface stress of each particle.
template <int lanes, class Real, class Record>
__global__ void __launch_bounds__(tension_threads)
    compute_surface_stress(DeviceNeighbourView<Real> near, TensionConstants<Real> constants,
                           SmoothingKernel<Real> kernel, const Record* record, const Real* mass,
                           SurfaceStress<Real>* stress) {
  const auto at = static_cast<int>(
      (static_cast<engine::Index>(blockIdx.x) * tension_threads + threadIdx.x) / lanes);
  const int lane = static_cast<int>(threadIdx.x) % lanes;
  const bool fluid = at < near.count && !record[at].is_wall();
  Vec3<Real> of_fluid{0, 0, 0}, of_walls{0, 0, 0};
  for_each_neighbour_record<lanes>(
      near, record, fluid ? at : near.count, lane, [&](int q, const Record& other, Vec3<Real> d) {
        add_surface_gradient(kernel, d, kernel_point(kernel, d), volume_of(other, mass[q]),
                             other.is_wall() ? of_walls : of_fluid);
      });
  of_fluid = engine::sum_of_lanes<lanes>(of_fluid),
  of_walls = engine::sum_of_lanes<lanes>(of_walls);
  if (fluid && lane == 0) stress[at] = surface_stress(constants, of_fluid, of_walls);
}

/// Adds the surface tension to the accelerations, and to `fluid_acceleration` unless it is null.
template <int lanes, class Real, class Record>
__global__ void __launch_bounds__(tension_threads)
    add_surface_tension(DeviceNeighbourView<Real> near, Real link, SmoothingKernel<Real> kernel,
                        const Record* record, const Real* mass, const SurfaceStress<Real>* stress,
                        StateView<Real> s, Vec3<Real>* fluid_acceleration,
                        const DeviceRecord* run) {
  if (run->halted != 0 || run->stalled != 0) return;
  const auto at = static_cast<int>(
      (static_cast<engine::Index>(blockIdx.x) * tension_threads + threadIdx.x) / lanes);
  const int lane = static_cast<int>(threadIdx.x) % lanes;
  const bool fluid = at < near.count && !record[at].is_wall();
  const SurfaceStress<Real> own = fluid ? stress[at] : SurfaceStress<Real>{};
  const Real volume = fluid ? volume_of(record[at], mass[at]) : Real(0);
  Vec3<Real> force{0, 0, 0};
  for_each_neighbour_record<lanes>(
      near, record, fluid ? at : near.count, lane, [&](int q, const Record& other, Vec3<Real> d) {
        if (!other.is_wall())
          add_tension(link, d, kernel_point(kernel, d), volume * volume_of(other, mass[q]), own,
                      stress[q], force);
      });
  force = engine::sum_of_lanes<lanes>(force);
  if (!fluid || lane != 0) return;
  const std::int32_t body = near.index[at];
  const Vec3<Real> a = (Real(1) / (fluid_acceleration ? s.mass[body] : mass[at])) * force;
  s.ax[body] += a.x;
  s.ay[body] += a.y;
  s.az[body] += a.z;
  if (fluid_acceleration) fluid_acceleration[at] += a;
}

}  // namespace mote::sim
