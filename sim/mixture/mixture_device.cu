#include "sim/mixture/mixture_device.h"

#include <type_traits>

#include "engine/algo/largest.cuh"
#include "engine/exec/launch.cuh"
#include "engine/exec/stream.h"
#include "sim/space/cell_range.h"
#include "sim/space/cells_device.h"
#include "sim/space/near.cuh"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Index;
using engine::note_largest;
using engine::sum_of_lanes;
using engine::Vec3d;

constexpr unsigned mixture_threads = 128;

/// What a grain sees of a particle of the fluid or of its walls.
template <class Real>
struct alignas(4 * sizeof(Real)) FluidBeside {
  Real x, y, z, volume;
  Real vx, vy, vz, porosity;  ///< porosity 0: a wall
  Real push_x, push_y, push_z;
};

/// What the fluid sees of a grain.
template <class Real>
struct alignas(4 * sizeof(Real)) GrainBeside {
  Real x, y, z, volume;
  Real share_x, share_y, share_z, drag_share;  ///< of its force, for a volume of fluid and W
};

/// The largest numbers of an evaluation, as the bits of doubles.
struct MixtureTally {
  unsigned long long crowding, of_grains, of_fluid;  ///< 1 / porosity, and drag / mass
};

/// A place among those of a launch, for `lanes` threads of a warp each.
struct MixtureTask {
  int at, lane;
  bool inside;
};
template <int lanes>
__device__ __forceinline__ MixtureTask mixture_task(int count) {
  const Index thread = static_cast<Index>(blockIdx.x) * mixture_threads + threadIdx.x;
  const auto at = static_cast<int>(thread / lanes);
  return {at < count ? at : 0, static_cast<int>(threadIdx.x) % lanes, at < count};
}

/// Calls use(other, W) for those within reach of a place that are this lane's.
template <int lanes, class Real, class Beside, class Use>
__device__ __forceinline__ void for_each_beside(const DeviceCellView<Real>& cells,
                                                const Beside* beside, const PlaceOf<Real>& at,
                                                int lane, double reach,
                                                const SmoothingKernel<Real>& kernel, Use&& use) {
  // Who is no longer anywhere is near nobody.
  if (cells.count == 0 || !isfinite(at.x) || !isfinite(at.y) || !isfinite(at.z)) return;
  const auto squared_reach = static_cast<Real>(reach * reach);
  for_each_run_within(
      *cells.cells, cells.start, Vec3d{double(at.x), double(at.y), double(at.z)}, reach + cells.way,
      [&](std::int32_t begin, std::int32_t end, Vec3d by) {
        const Vec3<Real> shift{static_cast<Real>(by.x), static_cast<Real>(by.y),
                               static_cast<Real>(by.z)};
        for (std::int32_t q = begin + lane; q < end; q += lanes) {
          const Beside& other = beside[q];
          const Vec3<Real> d = Vec3<Real>{other.x - at.x, other.y - at.y, other.z - at.z} + shift;
          if (dot(d, d) < squared_reach) use(other, kernel_value(kernel, kernel_point(kernel, d)));
        }
      });
}

/// Puts grains into the order of their cells, and begins an evaluation.
template <class Real>
__global__ void __launch_bounds__(mixture_threads)
    take_grains(DeviceCellView<Real> grains, StateView<Real> s, GrainBeside<Real>* to,
                MixtureTally* tally) {
  const auto p = static_cast<int>(static_cast<Index>(blockIdx.x) * mixture_threads + threadIdx.x);
  if (p == 0) *tally = {engine::bits_of_number(1.0), 0, 0};
  if (p >= grains.count) return;
  const PlaceOf<Real> at = grains.place[p];
  to[p] = {at.x,    at.y,    at.z,    volume_of_grain(s.column(Extra::radius)[grains.column(p)]),
           Real(0), Real(0), Real(0), Real(0)};
}

template <int lanes, class Real>
__global__ void __launch_bounds__(mixture_threads)
    find_porosities(DeviceCellView<Real> fluid, DeviceCellView<Real> grains,
                    SmoothingKernel<Real> kernel, double reach, const GrainBeside<Real>* grain,
                    const std::uint8_t* kinds, Real* porosity, MixtureTally* tally) {
  const MixtureTask task = mixture_task<lanes>(fluid.count);
  const bool is_fluid =
      task.inside && kinds[fluid.column(task.at)] == static_cast<std::uint8_t>(FluidKind::fluid);
  Real sum = 0;
  if (is_fluid)
    for_each_beside<lanes>(
        grains, grain, fluid.place[task.at], task.lane, reach, kernel,
        [&](const GrainBeside<Real>& other, Real w) { sum += other.volume * w; });
  sum = sum_of_lanes<lanes>(sum);
  const Real left = is_fluid ? porosity_beside(sum) : Real(1);
  if (task.inside && task.lane == 0) porosity[task.at] = left;
  note_largest(1 / static_cast<double>(left), &tally->crowding);
}

/// What grains will see of the fluid. `own`: what it does to itself.
template <class Real>
__global__ void __launch_bounds__(mixture_threads)
    take_fluid_beside(DeviceCellView<Real> fluid, StateView<Real> s, const std::uint8_t* kinds,
                      Real reference_density, const Real* porosity, const Vec3<Real>* own,
                      FluidBeside<Real>* to) {
  const auto p = static_cast<int>(static_cast<Index>(blockIdx.x) * mixture_threads + threadIdx.x);
  if (p >= fluid.count) return;
  const std::int32_t i = fluid.column(p);
  const PlaceOf<Real> at = fluid.place[p];
  FluidBeside<Real> seen{};
  seen.x = at.x, seen.y = at.y, seen.z = at.z;
  seen.volume = s.mass[i] / reference_density;
  if (kinds[i] == static_cast<std::uint8_t>(FluidKind::fluid)) {
    const Real density = s.column(Extra::density)[i];
    const Vec3<Real> push = density * own[p];
    seen = {at.x,   at.y,   at.z,  s.mass[i] / density, s.vx[i], s.vy[i], s.vz[i], porosity[p],
            push.x, push.y, push.z};
  }
  to[p] = seen;
}

template <int lanes, class Real>
__global__ void __launch_bounds__(mixture_threads)
    push_grains(DeviceCellView<Real> fluid, DeviceCellView<Real> grains,
                SmoothingKernel<Real> kernel, double reach, Real density, Real viscosity,
                const FluidBeside<Real>* beside, GrainBeside<Real>* grain, StateView<Real> s,
                MixtureTally* tally, const DeviceRecord* record) {
  if (record->halted != 0 || record->stalled != 0) return;
  const MixtureTask task = mixture_task<lanes>(grains.count);
  PoreSums<Real> sums{};
  if (task.inside)
    for_each_beside<lanes>(
        fluid, beside, grains.place[task.at], task.lane, reach, kernel,
        [&](const FluidBeside<Real>& other, Real w) {
          add_to_pores(other.volume * w, other.porosity, Vec3<Real>{other.vx, other.vy, other.vz},
                       Vec3<Real>{other.push_x, other.push_y, other.push_z}, sums);
        });
  sums = {sum_of_lanes<lanes>(sums.fluid), sum_of_lanes<lanes>(sums.walls),
          sum_of_lanes<lanes>(sums.porosity), sum_of_lanes<lanes>(sums.velocity),
          sum_of_lanes<lanes>(sums.push)};
  double rate = 0;
  if (task.inside && task.lane == 0) {
    const std::int32_t i = grains.column(task.at);
    const GrainPush<Real> push = push_on_grain(sums, density, viscosity, s.column(Extra::radius)[i],
                                               Vec3<Real>{s.vx[i], s.vy[i], s.vz[i]});
    const Real per_mass = Real(1) / s.mass[i],
               per_fluid = sums.fluid > 0 ? Real(1) / sums.fluid : Real(0);
    s.ax[i] += per_mass * push.force.x;
    s.ay[i] += per_mass * push.force.y;
    s.az[i] += per_mass * push.force.z;
    GrainBeside<Real>& own = grain[task.at];
    own.share_x = per_fluid * push.force.x;
    own.share_y = per_fluid * push.force.y;
    own.share_z = per_fluid * push.force.z;
    own.drag_share = per_fluid * push.drag;
    rate = static_cast<double>(per_mass * push.drag);
  }
  note_largest(rate, &tally->of_grains);
}

template <int lanes, class Real>
__global__ void __launch_bounds__(mixture_threads)
    push_fluid_back(DeviceCellView<Real> fluid, DeviceCellView<Real> grains,
                    SmoothingKernel<Real> kernel, double reach, const FluidBeside<Real>* beside,
                    const GrainBeside<Real>* grain, StateView<Real> s, MixtureTally* tally,
                    const DeviceRecord* record) {
  if (record->halted != 0 || record->stalled != 0) return;
  const MixtureTask task = mixture_task<lanes>(fluid.count);
  const bool is_fluid = task.inside && beside[task.at].porosity > 0;
  Vec3<Real> taken{0, 0, 0};
  Real drag = 0;
  if (is_fluid)
    for_each_beside<lanes>(grains, grain, fluid.place[task.at], task.lane, reach, kernel,
                           [&](const GrainBeside<Real>& other, Real w) {
                             taken += w * Vec3<Real>{other.share_x, other.share_y, other.share_z};
                             drag += w * other.drag_share;
                           });
  taken = sum_of_lanes<lanes>(taken), drag = sum_of_lanes<lanes>(drag);
  double rate = 0;
  if (is_fluid && task.lane == 0) {
    const std::int32_t i = fluid.column(task.at);
    const Real per_mass = beside[task.at].volume / s.mass[i];
    s.ax[i] -= per_mass * taken.x;
    s.ay[i] -= per_mass * taken.y;
    s.az[i] -= per_mass * taken.z;
    rate = static_cast<double>(per_mass * drag);
  }
  note_largest(rate, &tally->of_fluid);
}

/// One thread's work.
__global__ void find_step(const MixtureTally* tally, CrowdedStep* step) {
  if (threadIdx.x != 0) return;
  step->crowding = engine::number_of_bits(tally->crowding);
  step->largest_step = largest_drag_step(engine::number_of_bits(tally->of_grains),
                                         engine::number_of_bits(tally->of_fluid));
}

unsigned mixture_blocks(Index tasks) {
  return static_cast<unsigned>((tasks + mixture_threads - 1) / mixture_threads);
}

template <class Use>
void with_lanes(int lanes, Use&& use) {
  lanes == 1 ? use(std::integral_constant<int, 1>{}) : use(std::integral_constant<int, 8>{});
}

std::vector<std::int32_t> columns_with(const std::vector<std::uint8_t>& flags) {
  std::vector<std::int32_t> columns;
  for (std::size_t i = 0; i < flags.size(); ++i)
    if (flags[i] != 0) columns.push_back(static_cast<std::int32_t>(i));
  return columns;
}

/// Particles of the fluid and its walls.
Index places_of(const std::vector<std::uint8_t>& kinds) {
  Index places = 0;
  for (const std::uint8_t kind : kinds)
    places += kind != static_cast<std::uint8_t>(FluidKind::other) ? 1 : 0;
  return places;
}

template <class Real>
constexpr engine::Precision precision_of =
    std::is_same_v<Real, float> ? engine::Precision::single : engine::Precision::full;

}  // namespace

template <class Real>
struct DeviceMixtureForce<Real>::Memory {
  Memory(const Cuda& exec, const Domain& domain, double reach,
         const std::vector<std::uint8_t>& kinds, const std::vector<std::uint8_t>& grains)
      : cells(exec, domain, reach, columns_with(grains), precision_of<Real>),
        kind(static_cast<Index>(kinds.size())),
        grain(cells.count()),
        beside(places_of(kinds)),
        porosity(beside.size()),
        own(beside.size()),
        tally(1),
        step(1) {
    engine::copy_to_device(kind.data(), kinds.data(), kind.size(), exec.stream);
    engine::wait(exec);
  }
  DeviceCells cells;  ///< of grains
  engine::Buffer<std::uint8_t, Device> kind;
  engine::Buffer<GrainBeside<Real>, Device> grain;
  engine::Buffer<FluidBeside<Real>, Device> beside;
  engine::Buffer<Real, Device> porosity;
  engine::Buffer<Vec3<Real>, Device> own;
  engine::Buffer<MixtureTally, Device> tally;
  engine::Buffer<CrowdedStep, Device> step;
};

template <class Real>
DeviceMixtureForce<Real>::DeviceMixtureForce(const Cuda& exec, const Fluid& fluid,
                                             const Domain& domain,
                                             const std::vector<std::uint8_t>& kinds,
                                             const std::vector<std::uint8_t>& grains, int lanes)
    : fluid_of_(fluid),
      kernel_(smoothing_kernel<Real>(smoothing_length(fluid), static_cast<int>(fluid.dimensions))),
      reach_(2 * smoothing_length(fluid)),
      memory_(std::make_unique<Memory>(exec, domain, reach_, kinds, grains)) {
  MOTE_EXPECT(lanes == 0 || lanes == 1 || lanes == 8);
  fluid_lanes_ = lanes == 0 ? near_lanes_for(memory_->beside.size()) : lanes;
  grain_lanes_ = lanes == 0 ? near_lanes_for(memory_->grain.size()) : lanes;
}

template <class Real>
DeviceMixtureForce<Real>::DeviceMixtureForce(DeviceMixtureForce&&) noexcept = default;
template <class Real>
DeviceMixtureForce<Real>::~DeviceMixtureForce() = default;

template <class Real>
std::uint64_t DeviceMixtureForce<Real>::device_bytes(Index count) {
  // As if all were fluid, and all grains where cells are concerned.
  return DeviceCells::device_bytes(count, precision_of<Real>) +
         static_cast<std::uint64_t>(count) * (sizeof(FluidBeside<Real>) + 4 * sizeof(Real) + 1);
}

template <class Real>
DevicePores<Real> DeviceMixtureForce<Real>::porosities(const Cuda& exec, const StateView<Real>& s,
                                                       const DeviceCellView<Real>& fluid) {
  Memory& m = *memory_;
  MOTE_EXPECT(s.count == m.kind.size() && fluid.count == m.beside.size());
  m.cells.build(exec, s);
  const auto grains = m.cells.template view<Real>();
  const unsigned blocks = mixture_blocks(grains.count);
  engine::launch(exec, {blocks > 0 ? blocks : 1, mixture_threads}, take_grains<Real>, grains, s,
                 m.grain.data(), m.tally.data());
  with_lanes(fluid_lanes_, [&]<int lanes>(std::integral_constant<int, lanes>) {
    engine::launch(exec, {mixture_blocks(static_cast<Index>(fluid.count) * lanes), mixture_threads},
                   find_porosities<lanes, Real>, fluid, grains, kernel_, reach_, m.grain.data(),
                   m.kind.data(), m.porosity.data(), m.tally.data());
  });
  return {m.porosity.data(), m.own.data()};
}

template <class Real>
const CrowdedStep* DeviceMixtureForce<Real>::run(const Cuda& exec, const StateView<Real>& s,
                                                 const DeviceCellView<Real>& fluid,
                                                 const DeviceRecord* record) {
  Memory& m = *memory_;
  const auto grains = m.cells.template view<Real>();
  const auto density = static_cast<Real>(fluid_of_.density),
             viscosity = static_cast<Real>(fluid_of_.viscosity);
  engine::launch(exec, {mixture_blocks(fluid.count), mixture_threads}, take_fluid_beside<Real>,
                 fluid, s, m.kind.data(), density, m.porosity.data(), m.own.data(),
                 m.beside.data());
  with_lanes(grain_lanes_, [&]<int lanes>(std::integral_constant<int, lanes>) {
    engine::launch(exec,
                   {mixture_blocks(static_cast<Index>(grains.count) * lanes), mixture_threads},
                   push_grains<lanes, Real>, fluid, grains, kernel_, reach_, density, viscosity,
                   m.beside.data(), m.grain.data(), s, m.tally.data(), record);
  });
  with_lanes(fluid_lanes_, [&]<int lanes>(std::integral_constant<int, lanes>) {
    engine::launch(exec, {mixture_blocks(static_cast<Index>(fluid.count) * lanes), mixture_threads},
                   push_fluid_back<lanes, Real>, fluid, grains, kernel_, reach_, m.beside.data(),
                   m.grain.data(), s, m.tally.data(), record);
  });
  engine::launch(exec, {1, 32}, find_step, m.tally.data(), m.step.data());
  return m.step.data();
}

template class DeviceMixtureForce<float>;
template class DeviceMixtureForce<double>;

}  // namespace mote::sim
