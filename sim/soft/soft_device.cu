#include "sim/soft/soft_device.h"

#include <cmath>
#include <variant>

#include "engine/algo/reduce.cuh"
#include "engine/exec/launch.cuh"
#include "engine/exec/parallel.h"
#include "engine/memory/on_device.h"
#include "sim/space/obstacles_device.h"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Host;
using engine::Index;
using engine::on_device;

constexpr unsigned threads = 128;

engine::LaunchShape shape_for(Index count) {
  return {static_cast<unsigned>((count + threads - 1) / threads), threads};
}

/// Whether steps go on: behind the one whose forces had no room nobody moves until they have.
__device__ bool takes_part(const DeviceRecord* record) {
  return record->halted == 0 && record->stalled == 0;
}

/// Constraints of one kind and colour: each thread has one, and no other thread its bodies.
template <int N, class Real>
__global__ void __launch_bounds__(threads)
    meet_batch(HeldView<Real> held, StateView<Real> s, Index begin, Index end, bool first,
               const DeviceRecord* record) {
  const Index i = begin + static_cast<Index>(blockIdx.x) * threads + threadIdx.x;
  if (i < end && takes_part(record)) meet_held<N>(held, s, static_cast<std::size_t>(i), first);
}

template <class Real>
__global__ void __launch_bounds__(threads)
    slow_bodies(HeldView<Real> held, StateView<Real> s, Real kept, const DeviceRecord* record) {
  const Index i = static_cast<Index>(blockIdx.x) * threads + threadIdx.x;
  if (i < s.count && takes_part(record)) slow_body(held, s, static_cast<std::size_t>(i), kept);
}

/// Obstacles come to where they are at the time of the positions.
template <class Real>
__global__ void __launch_bounds__(threads)
    move_obstacles(DeviceObstacleView<Real> obstacles, const StepClock* clock, double passed,
                   const DeviceRecord* record) {
  const double time = time_at(*clock, static_cast<std::int64_t>(record->steps), passed);
  for (int k = static_cast<int>(threadIdx.x); k < obstacles.count; k += static_cast<int>(threads))
    obstacles.move(k, time);
}

template <class Real>
__global__ void __launch_bounds__(threads)
    push_out_bodies(HeldView<Real> held, StateView<Real> s, DeviceObstacleView<Real> obstacles,
                    Real thickness, bool first, const DeviceRecord* record) {
  const Index i = static_cast<Index>(blockIdx.x) * threads + threadIdx.x;
  if (i < s.count && takes_part(record))
    push_out_body(held, s, static_cast<std::size_t>(i), obstacles.all, obstacles.count, thickness,
                  first);
}

template <class Real>
__global__ void __launch_bounds__(threads)
    release_pinned(StateView<Real> s, const std::int32_t* pinned, Index count) {
  const Index k = static_cast<Index>(blockIdx.x) * threads + threadIdx.x;
  if (k < count) s.ax[pinned[k]] = s.ay[pinned[k]] = s.az[pinned[k]] = Real(0);
}

template <class Real>
__global__ void __launch_bounds__(threads)
    keep_all_from_turning(StateView<Real> s, const std::uint8_t* soft) {
  const Index i = static_cast<Index>(blockIdx.x) * threads + threadIdx.x;
  if (i < s.count && soft[i] != 0) keep_from_turning(s, static_cast<std::size_t>(i));
}

template <class Real>
struct ConstraintEnergy {
  const Constraint* constraints;
  const double* inverse_mass;
  StateView<const Real> s;
  const StepClock* clock;
  __device__ engine::Values<1> operator()(Index i) const {
    const Constraint& c = constraints[i];
    return {{c.kind == ConstraintKind::distance
                 ? energy_of_held<2>(c, inverse_mass, s, clock->dt)
                 : energy_of_held<4>(c, inverse_mass, s, clock->dt)}};
  }
  static __device__ double combine(int, double a, double b) { return a + b; }
  static __device__ engine::Values<1> nothing() { return {{0}}; }
};

}  // namespace

struct DeviceSoftForce::Memory {
  Memory(const Cuda& exec, const HeldBodies& bodies, const Obstacles& described,
         engine::Precision precision, std::uint64_t bytes_of_grips)
      : constraints(on_device(exec, bodies.held.constraints)),
        inverse_mass(on_device(exec, bodies.inverse_mass)),
        pinned(on_device(exec, bodies.pinned)),
        soft(on_device(exec, bodies.soft)),
        multipliers(constraints.size()),  // these two are wide enough for either number type
        grips(static_cast<Index>(bytes_of_grips / sizeof(Grip<double>))),
        energy(constraints.size()) {
    if (described.count() == 0) return;
    if (precision == engine::Precision::single)
      obstacles.emplace<DeviceObstacles<float>>(exec, described);
    else
      obstacles.emplace<DeviceObstacles<double>>(exec, described);
  }
  /// Calls f with the view of the obstacles, when there are some.
  template <class Real, class F>
  void with_obstacles(F&& f) {
    if (auto* const all = std::get_if<DeviceObstacles<Real>>(&obstacles)) f(all->view());
  }
  engine::Buffer<Constraint, Device> constraints;
  engine::Buffer<double, Device> inverse_mass;
  engine::Buffer<std::int32_t, Device> pinned;
  engine::Buffer<std::uint8_t, Device> soft;
  engine::Buffer<double, Device> multipliers;
  engine::Buffer<Grip<double>, Device> grips;
  engine::Reduction<1> energy;
  std::variant<std::monostate, DeviceObstacles<float>, DeviceObstacles<double>> obstacles;
};

DeviceSoftForce::DeviceSoftForce(const Cuda& exec, const Soft& soft, const SoftMesh& mesh,
                                 const std::vector<ObstacleDescription>& obstacles,
                                 const State<Host>& initial,
                                 const std::vector<std::uint8_t>& members)
    : soft_(soft) {
  const HeldBodies bodies = held_bodies(mesh, initial, members);
  batches_ = bodies.held.batches;
  const Obstacles all(obstacles, SurfaceMaterial{soft.friction, 0}, soft.thickness,
                      engine::available_threads());
  memory_ = std::make_unique<Memory>(
      exec, bodies, all, initial.precision(),
      grip_bytes(soft, static_cast<std::size_t>(all.count()), initial.count()));
}
DeviceSoftForce::DeviceSoftForce(DeviceSoftForce&&) noexcept = default;
DeviceSoftForce::~DeviceSoftForce() = default;

void DeviceSoftForce::run(const Cuda& exec, State<Device>& state, StepReport&) {
  const Index count = memory_->pinned.size();
  state.visit([&]<class Real>(const StateView<Real>& s) {
    if (s.column(Extra::spin_rate_x))
      engine::launch(exec, shape_for(s.count), keep_all_from_turning<Real>, s,
                     static_cast<const std::uint8_t*>(memory_->soft.data()));
    if (count == 0) return;
    engine::launch(exec, shape_for(count), release_pinned<Real>, s,
                   static_cast<const std::int32_t*>(memory_->pinned.data()), count);
  });
}

void DeviceSoftForce::constrain(const Cuda& exec, State<Device>& state, double h,
                                const StageTime& time) {
  state.visit([&]<class Real>(const StateView<Real>& s) {
    const HeldView<Real> held{memory_->constraints.data(),
                              memory_->inverse_mass.data(),
                              reinterpret_cast<Real*>(memory_->multipliers.data()),
                              static_cast<Real>(soft_.damping),
                              static_cast<Real>(h),
                              memory_->grips.size() == 0
                                  ? nullptr
                                  : reinterpret_cast<Grip<Real>*>(memory_->grips.data())};
    memory_->with_obstacles<Real>([&](const DeviceObstacleView<Real>& obstacles) {
      engine::launch(exec, {1, threads}, move_obstacles<Real>, obstacles, time.clock, time.passed,
                     static_cast<const DeviceRecord*>(time.record));
    });
    for (std::int64_t k = 0; k < soft_.iterations; ++k) {
      for (const ColouredConstraints::Batch& batch : batches_) {
        const auto begin = static_cast<Index>(batch.begin), end = static_cast<Index>(batch.end);
        if (batch.kind == ConstraintKind::distance)
          engine::launch(exec, shape_for(end - begin), meet_batch<2, Real>, held, s, begin, end,
                         k == 0, time.record);
        else
          engine::launch(exec, shape_for(end - begin), meet_batch<4, Real>, held, s, begin, end,
                         k == 0, time.record);
      }
      memory_->with_obstacles<Real>([&](const DeviceObstacleView<Real>& obstacles) {
        engine::launch(exec, shape_for(s.count), push_out_bodies<Real>, held, s, obstacles,
                       static_cast<Real>(soft_.thickness), k == 0, time.record);
      });
    }
    const auto kept = static_cast<Real>(std::exp(-soft_.drag * h));
    if (kept < 1)
      engine::launch(exec, shape_for(s.count), slow_bodies<Real>, held, s, kept, time.record);
  });
}

double DeviceSoftForce::potential_energy(const Cuda& exec, const State<Device>& state,
                                         const StageTime& time) {
  if (memory_->constraints.size() == 0) return 0;
  return state.visit([&]<class Const>(const StateView<Const>& s) {
    using Real = std::remove_const_t<Const>;
    return memory_->energy
        .run(exec,
             ConstraintEnergy<Real>{memory_->constraints.data(), memory_->inverse_mass.data(), s,
                                    time.clock},
             memory_->constraints.size())
        .v[0];
  });
}

}  // namespace mote::sim
