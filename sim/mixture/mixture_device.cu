#include "sim/mixture/mixture_device.h"

#include <type_traits>

#include "engine/algo/largest.cuh"
#include "engine/exec/launch.cuh"
#include "engine/exec/stream.h"
#include "sim/fluid/fluid_fields.h"
#include "sim/space/ball_fields.h"
#include "sim/space/cell_range.h"
#include "sim/space/cells_device.h"
#include "sim/space/neighbour_loop.cuh"

namespace mote::sim {
namespace mixture_kernels {

/// A particle of the fluid or its walls, as grains read it.
template <class Real>
struct alignas(4 * sizeof(Real)) FluidSample {
  Real x, y, z, volume;
  Real vx, vy, vz, porosity;  ///< porosity 0: a wall
  Real force_density_x, force_density_y, force_density_z;
};

/// A grain, as the fluid reads it.
template <class Real>
struct alignas(4 * sizeof(Real)) GrainSample {
  Real x, y, z, volume;
  Real reaction_x, reaction_y, reaction_z, drag_reaction;  ///< per fluid volume and W
};

/// Maxima over all bodies of an evaluation, as bits of doubles.
struct MixtureReductions {
  unsigned long long inverse_porosity;                  ///< 1 / porosity
  unsigned long long grain_drag_rate, fluid_drag_rate;  ///< drag / mass
};

}  // namespace mixture_kernels

namespace {

using engine::Cuda;
using engine::Device;
using engine::Index;
using engine::sum_of_lanes;
using engine::Vec3d;
using engine::warp_atomic_max;
using mixture_kernels::FluidSample;
using mixture_kernels::GrainSample;
using mixture_kernels::MixtureReductions;

constexpr unsigned mixture_threads = 128;

/// The slot of a thread; `lanes` threads of a warp share one.
struct MixtureTask {
  int slot, lane;
  bool inside;  ///< false past the last slot
};
template <int lanes>
__device__ __forceinline__ MixtureTask mixture_task(int count) {
  const Index thread = static_cast<Index>(blockIdx.x) * mixture_threads + threadIdx.x;
  const auto slot = static_cast<int>(thread / lanes);
  return {slot < count ? slot : 0, static_cast<int>(threadIdx.x) % lanes, slot < count};
}

/// Calls use(other, W) for the samples within the support radius of a position, divided among
/// lanes.
template <int lanes, class Real, class Sample, class Use>
__device__ __forceinline__ void for_each_in_support(
    const DeviceCellView<Real>& cells, const Sample* samples, const PositionAndKind<Real>& at,
    int lane, double support_radius, const SmoothingKernel<Real>& kernel, Use&& use) {
  // A body that is not finite has no neighbours.
  if (cells.count == 0 || !isfinite(at.x) || !isfinite(at.y) || !isfinite(at.z)) return;
  const auto squared_radius = static_cast<Real>(support_radius * support_radius);
  for_each_run_within(
      *cells.cells, cells.start, Vec3d{double(at.x), double(at.y), double(at.z)},
      support_radius + cells.max_displacement, [&](std::int32_t begin, std::int32_t end, Vec3d by) {
        const Vec3<Real> shift{static_cast<Real>(by.x), static_cast<Real>(by.y),
                               static_cast<Real>(by.z)};
        for (std::int32_t q = begin + lane; q < end; q += lanes) {
          const Sample& other = samples[q];
          const Vec3<Real> d = Vec3<Real>{other.x - at.x, other.y - at.y, other.z - at.z} + shift;
          if (dot(d, d) < squared_radius) use(other, kernel_value(kernel, kernel_point(kernel, d)));
        }
      });
}

/// Gathers grains into cell order and resets the reductions.
template <class Real>
__global__ void __launch_bounds__(mixture_threads)
    gather_grains(DeviceCellView<Real> grains, const Real* radius, GrainSample<Real>* to,
                  MixtureReductions* reductions) {
  const auto p = static_cast<int>(static_cast<Index>(blockIdx.x) * mixture_threads + threadIdx.x);
  if (p == 0) *reductions = {engine::bits_of_number(1.0), 0, 0};
  if (p >= grains.count) return;
  const PositionAndKind<Real> at = grains.position[p];
  to[p] = {at.x,    at.y,    at.z,    grain_volume(radius[grains.index(p)]),
           Real(0), Real(0), Real(0), Real(0)};
}

template <int lanes, class Real>
__global__ void __launch_bounds__(mixture_threads)
    compute_porosities(DeviceCellView<Real> fluid, DeviceCellView<Real> grains,
                       SmoothingKernel<Real> kernel, double support_radius,
                       const GrainSample<Real>* grain_samples, const std::uint8_t* kinds,
                       Real* porosity, MixtureReductions* reductions) {
  const MixtureTask task = mixture_task<lanes>(fluid.count);
  const bool is_fluid =
      task.inside && kinds[fluid.index(task.slot)] == static_cast<std::uint8_t>(FluidKind::fluid);
  Real sum = 0;
  if (is_fluid)
    for_each_in_support<lanes>(
        grains, grain_samples, fluid.position[task.slot], task.lane, support_radius, kernel,
        [&](const GrainSample<Real>& other, Real w) { sum += other.volume * w; });
  sum = sum_of_lanes<lanes>(sum);
  const Real result = is_fluid ? porosity_for(sum) : Real(1);
  if (task.inside && task.lane == 0) porosity[task.slot] = result;
  warp_atomic_max(1 / static_cast<double>(result), &reductions->inverse_porosity);
}

/// Gathers fluid and walls. `fluid_acceleration`: the fluid's own contribution.
template <class Real>
__global__ void __launch_bounds__(mixture_threads)
    gather_fluid(DeviceCellView<Real> fluid, StateView<Real> s, const Real* densities,
                 const std::uint8_t* kinds, Real reference_density, const Real* porosity,
                 const Vec3<Real>* fluid_acceleration, FluidSample<Real>* to) {
  const auto p = static_cast<int>(static_cast<Index>(blockIdx.x) * mixture_threads + threadIdx.x);
  if (p >= fluid.count) return;
  const std::int32_t i = fluid.index(p);
  const PositionAndKind<Real> at = fluid.position[p];
  FluidSample<Real> sample{};
  sample.x = at.x, sample.y = at.y, sample.z = at.z;
  sample.volume = s.mass[i] / reference_density;
  if (kinds[i] == static_cast<std::uint8_t>(FluidKind::fluid)) {
    const Real density = densities[i];
    const Vec3<Real> force = density * fluid_acceleration[p];
    sample = {at.x,    at.y,    at.z,   s.mass[i] / density, s.vx[i], s.vy[i], s.vz[i], porosity[p],
              force.x, force.y, force.z};
  }
  to[p] = sample;
}

template <int lanes, class Real>
__global__ void __launch_bounds__(mixture_threads)
    add_grain_forces(DeviceCellView<Real> fluid, DeviceCellView<Real> grains,
                     SmoothingKernel<Real> kernel, double support_radius, Real density,
                     Real viscosity, const FluidSample<Real>* fluid_samples,
                     GrainSample<Real>* grain_samples, StateView<Real> s, const Real* radius,
                     MixtureReductions* reductions, const DeviceRecord* record) {
  if (record->halted != 0 || record->stalled != 0) return;
  const MixtureTask task = mixture_task<lanes>(grains.count);
  PoreSums<Real> sums{};
  if (task.inside)
    for_each_in_support<lanes>(
        fluid, fluid_samples, grains.position[task.slot], task.lane, support_radius, kernel,
        [&](const FluidSample<Real>& other, Real w) {
          add_to_pores(
              other.volume * w, other.porosity, Vec3<Real>{other.vx, other.vy, other.vz},
              Vec3<Real>{other.force_density_x, other.force_density_y, other.force_density_z},
              sums);
        });
  sums = {sum_of_lanes<lanes>(sums.fluid), sum_of_lanes<lanes>(sums.walls),
          sum_of_lanes<lanes>(sums.porosity), sum_of_lanes<lanes>(sums.velocity),
          sum_of_lanes<lanes>(sums.force_density)};
  double rate = 0;
  if (task.inside && task.lane == 0) {
    const std::int32_t i = grains.index(task.slot);
    const GrainForce<Real> result =
        force_on_grain(sums, density, viscosity, radius[i], Vec3<Real>{s.vx[i], s.vy[i], s.vz[i]});
    const Real per_mass = Real(1) / s.mass[i],
               per_fluid = sums.fluid > 0 ? Real(1) / sums.fluid : Real(0);
    s.ax[i] += per_mass * result.force.x;
    s.ay[i] += per_mass * result.force.y;
    s.az[i] += per_mass * result.force.z;
    GrainSample<Real>& own = grain_samples[task.slot];
    own.reaction_x = per_fluid * result.force.x;
    own.reaction_y = per_fluid * result.force.y;
    own.reaction_z = per_fluid * result.force.z;
    own.drag_reaction = per_fluid * result.drag;
    rate = static_cast<double>(per_mass * result.drag);
  }
  warp_atomic_max(rate, &reductions->grain_drag_rate);
}

template <int lanes, class Real>
__global__ void __launch_bounds__(mixture_threads)
    add_reactions(DeviceCellView<Real> fluid, DeviceCellView<Real> grains,
                  SmoothingKernel<Real> kernel, double support_radius,
                  const FluidSample<Real>* fluid_samples, const GrainSample<Real>* grain_samples,
                  StateView<Real> s, MixtureReductions* reductions, const DeviceRecord* record) {
  if (record->halted != 0 || record->stalled != 0) return;
  const MixtureTask task = mixture_task<lanes>(fluid.count);
  const bool is_fluid = task.inside && fluid_samples[task.slot].porosity > 0;
  Vec3<Real> reaction{0, 0, 0};
  Real drag = 0;
  if (is_fluid)
    for_each_in_support<lanes>(
        grains, grain_samples, fluid.position[task.slot], task.lane, support_radius, kernel,
        [&](const GrainSample<Real>& other, Real w) {
          reaction += w * Vec3<Real>{other.reaction_x, other.reaction_y, other.reaction_z};
          drag += w * other.drag_reaction;
        });
  reaction = sum_of_lanes<lanes>(reaction), drag = sum_of_lanes<lanes>(drag);
  double rate = 0;
  if (is_fluid && task.lane == 0) {
    const std::int32_t i = fluid.index(task.slot);
    const Real per_mass = fluid_samples[task.slot].volume / s.mass[i];
    s.ax[i] -= per_mass * reaction.x;
    s.ay[i] -= per_mass * reaction.y;
    s.az[i] -= per_mass * reaction.z;
    rate = static_cast<double>(per_mass * drag);
  }
  warp_atomic_max(rate, &reductions->fluid_drag_rate);
}

/// Runs on one thread.
__global__ void compute_step_limits(const MixtureReductions* reductions, GrainStepLimits* limits) {
  if (threadIdx.x != 0) return;
  limits->inverse_porosity = engine::number_of_bits(reductions->inverse_porosity);
  limits->largest_step = largest_drag_step(engine::number_of_bits(reductions->grain_drag_rate),
                                           engine::number_of_bits(reductions->fluid_drag_rate));
}

template <class Use>
void with_mixture_lanes(int lanes, Use&& use) {
  lanes == 1 ? use(std::integral_constant<int, 1>{}) : use(std::integral_constant<int, 8>{});
}

std::vector<std::int32_t> indices_with(const std::vector<std::uint8_t>& flags) {
  std::vector<std::int32_t> indices;
  for (std::size_t i = 0; i < flags.size(); ++i)
    if (flags[i] != 0) indices.push_back(static_cast<std::int32_t>(i));
  return indices;
}

/// Number of particles of the fluid and its walls.
Index count_fluid_and_walls(const std::vector<std::uint8_t>& kinds) {
  Index count = 0;
  for (const std::uint8_t kind : kinds)
    count += kind != static_cast<std::uint8_t>(FluidKind::other) ? 1 : 0;
  return count;
}

template <class Real>
constexpr engine::Precision precision_of =
    std::is_same_v<Real, float> ? engine::Precision::single : engine::Precision::double_;

}  // namespace

template <class Real>
struct DeviceMixtureForce<Real>::Buffers {
  Buffers(const Cuda& exec, const Domain& domain, double support_radius,
          const std::vector<std::uint8_t>& kinds, const std::vector<std::uint8_t>& grains)
      : cells(exec, domain, support_radius, indices_with(grains), precision_of<Real>),
        kind(static_cast<Index>(kinds.size())),
        grain_samples(cells.count()),
        fluid_samples(count_fluid_and_walls(kinds)),
        porosity(fluid_samples.size()),
        fluid_acceleration(fluid_samples.size()),
        reductions(1),
        step_limits(1) {
    engine::copy_to_device(kind.data(), kinds.data(), kind.size(), exec.stream);
    engine::wait(exec);
  }
  DeviceCells cells;  ///< cells of grains
  engine::Buffer<std::uint8_t, Device> kind;
  engine::Buffer<GrainSample<Real>, Device> grain_samples;
  engine::Buffer<FluidSample<Real>, Device> fluid_samples;
  engine::Buffer<Real, Device> porosity;
  engine::Buffer<Vec3<Real>, Device> fluid_acceleration;
  engine::Buffer<MixtureReductions, Device> reductions;
  engine::Buffer<GrainStepLimits, Device> step_limits;
};

template <class Real>
DeviceMixtureForce<Real>::DeviceMixtureForce(const Cuda& exec, const Fluid& fluid,
                                             const Domain& domain,
                                             const std::vector<std::uint8_t>& kinds,
                                             const std::vector<std::uint8_t>& grains, int lanes)
    : parameters_(fluid),
      kernel_(smoothing_kernel<Real>(smoothing_length(fluid), static_cast<int>(fluid.dimensions))),
      support_radius_(2 * smoothing_length(fluid)),
      buffers_(std::make_unique<Buffers>(exec, domain, support_radius_, kinds, grains)) {
  MOTE_EXPECT(lanes == 0 || lanes == 1 || lanes == 8);
  fluid_lanes_ = lanes == 0 ? neighbour_lanes_for(buffers_->fluid_samples.size()) : lanes;
  grain_lanes_ = lanes == 0 ? neighbour_lanes_for(buffers_->grain_samples.size()) : lanes;
}

template <class Real>
DeviceMixtureForce<Real>::DeviceMixtureForce(DeviceMixtureForce&&) noexcept = default;
template <class Real>
DeviceMixtureForce<Real>::~DeviceMixtureForce() = default;

template <class Real>
std::uint64_t DeviceMixtureForce<Real>::device_bytes(Index count) {
  // An upper bound: counts each body both as fluid and, in the cells, as a grain.
  return DeviceCells::device_bytes(count, precision_of<Real>) +
         static_cast<std::uint64_t>(count) * (sizeof(FluidSample<Real>) + 4 * sizeof(Real) + 1);
}

template <class Real>
DevicePores<Real> DeviceMixtureForce<Real>::porosities(const Cuda& exec, const StateView<Real>& s,
                                                       const DeviceCellView<Real>& fluid) {
  Buffers& m = *buffers_;
  MOTE_EXPECT(s.count == m.kind.size() && fluid.count == m.fluid_samples.size());
  m.cells.build(exec, s);
  const auto grains = m.cells.template view<Real>();
  const unsigned blocks = engine::blocks_for(grains.count, mixture_threads);
  engine::launch(exec, {blocks > 0 ? blocks : 1, mixture_threads}, gather_grains<Real>, grains,
                 static_cast<const Real*>(s[fields::radius]), m.grain_samples.data(),
                 m.reductions.data());
  with_mixture_lanes(fluid_lanes_, [&]<int lanes>(std::integral_constant<int, lanes>) {
    engine::launch(exec,
                   {engine::blocks_for(static_cast<Index>(fluid.count) * lanes, mixture_threads),
                    mixture_threads},
                   compute_porosities<lanes, Real>, fluid, grains, kernel_, support_radius_,
                   m.grain_samples.data(), m.kind.data(), m.porosity.data(), m.reductions.data());
  });
  return {m.porosity.data(), m.fluid_acceleration.data()};
}

template <class Real>
const GrainStepLimits* DeviceMixtureForce<Real>::run(const Cuda& exec, const StateView<Real>& s,
                                                     const DeviceCellView<Real>& fluid,
                                                     const DeviceRecord* record) {
  Buffers& m = *buffers_;
  const auto grains = m.cells.template view<Real>();
  const auto density = static_cast<Real>(parameters_.density),
             viscosity = static_cast<Real>(parameters_.viscosity);
  engine::launch(exec, {engine::blocks_for(fluid.count, mixture_threads), mixture_threads},
                 gather_fluid<Real>, fluid, s, static_cast<const Real*>(s[fields::density]),
                 m.kind.data(), density, m.porosity.data(), m.fluid_acceleration.data(),
                 m.fluid_samples.data());
  with_mixture_lanes(grain_lanes_, [&]<int lanes>(std::integral_constant<int, lanes>) {
    engine::launch(exec,
                   {engine::blocks_for(static_cast<Index>(grains.count) * lanes, mixture_threads),
                    mixture_threads},
                   add_grain_forces<lanes, Real>, fluid, grains, kernel_, support_radius_, density,
                   viscosity, m.fluid_samples.data(), m.grain_samples.data(), s,
                   static_cast<const Real*>(s[fields::radius]), m.reductions.data(), record);
  });
  with_mixture_lanes(fluid_lanes_, [&]<int lanes>(std::integral_constant<int, lanes>) {
    engine::launch(exec,
                   {engine::blocks_for(static_cast<Index>(fluid.count) * lanes, mixture_threads),
                    mixture_threads},
                   add_reactions<lanes, Real>, fluid, grains, kernel_, support_radius_,
                   m.fluid_samples.data(), m.grain_samples.data(), s, m.reductions.data(), record);
  });
  engine::launch(exec, {1, 32}, compute_step_limits, m.reductions.data(), m.step_limits.data());
  return m.step_limits.data();
}

template class DeviceMixtureForce<float>;
template class DeviceMixtureForce<double>;

}  // namespace mote::sim
