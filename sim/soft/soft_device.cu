#include "sim/soft/soft_device.h"

#include <cmath>
#include <variant>

#include "engine/algo/reduce.cuh"
#include "engine/exec/launch.cuh"
#include "engine/exec/parallel.h"
#include "engine/memory/on_device.h"
#include "sim/space/ball_fields.h"
#include "sim/space/move_obstacles.cuh"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Host;
using engine::Index;
using engine::on_device;

constexpr unsigned soft_threads = 128;

/// Whether stepping continues, see DeviceRecord.
__device__ bool is_running(const DeviceRecord* record) {
  return record->halted == 0 && record->stalled == 0;
}

/// Projects the constraints of a batch, one per thread. No two of them share a body.
template <int N, class Real>
__global__ void __launch_bounds__(soft_threads)
    project_batch(ConstraintView<Real> view, StateView<Real> s, Index begin, Index end, bool first,
                  const DeviceRecord* record) {
  const Index i = begin + static_cast<Index>(blockIdx.x) * soft_threads + threadIdx.x;
  if (i < end && is_running(record))
    project_constraint<N>(view, s, static_cast<std::size_t>(i), first);
}

template <class Real>
__global__ void __launch_bounds__(soft_threads)
    apply_air_drag_to_all(ConstraintView<Real> view, StateView<Real> s, Real factor,
                          const DeviceRecord* record) {
  const Index i = static_cast<Index>(blockIdx.x) * soft_threads + threadIdx.x;
  if (i < s.count && is_running(record))
    apply_air_drag(view, s, static_cast<std::size_t>(i), factor);
}

template <class Real>
__global__ void __launch_bounds__(soft_threads)
    push_out_bodies(ConstraintView<Real> view, StateView<Real> s,
                    DeviceObstacleView<Real> obstacles, Real thickness, bool first,
                    const DeviceRecord* record) {
  const Index i = static_cast<Index>(blockIdx.x) * soft_threads + threadIdx.x;
  if (i < s.count && is_running(record))
    push_out_body(view, s, static_cast<std::size_t>(i), obstacles.all, obstacles.count, thickness,
                  first);
}

template <class Real>
__global__ void __launch_bounds__(soft_threads)
    clear_pinned_accelerations(StateView<Real> s, const std::int32_t* pinned, Index count) {
  const Index k = static_cast<Index>(blockIdx.x) * soft_threads + threadIdx.x;
  if (k < count) s.ax[pinned[k]] = s.ay[pinned[k]] = s.az[pinned[k]] = Real(0);
}

template <class Real>
__global__ void __launch_bounds__(soft_threads)
    clear_spin_rates(VectorColumns<Real> spin_rate, Index count, const std::uint8_t* soft) {
  const Index i = static_cast<Index>(blockIdx.x) * soft_threads + threadIdx.x;
  if (i < count && soft[i] != 0) clear_spin_rate(spin_rate, static_cast<std::size_t>(i));
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
                 ? energy_of_constraint<2>(c, inverse_mass, s, clock->dt)
                 : energy_of_constraint<4>(c, inverse_mass, s, clock->dt)}};
  }
  static __device__ double combine(int, double a, double b) { return a + b; }
  static __device__ engine::Values<1> nothing() { return {{0}}; }
};

}  // namespace

struct DeviceSoftForce::Buffers {
  Buffers(const Cuda& exec, const ConstrainedBodies& bodies, const Obstacles& described,
          engine::Precision precision, std::uint64_t friction_bytes)
      : constraints(on_device(exec, bodies.coloured.constraints)),
        inverse_mass(on_device(exec, bodies.inverse_mass)),
        pinned(on_device(exec, bodies.pinned)),
        soft(on_device(exec, bodies.soft)),
        multipliers(constraints.size()),  // these two are reinterpreted as Real
        friction(static_cast<Index>(friction_bytes / sizeof(FrictionState<double>))),
        energy(constraints.size()) {
    if (described.count() == 0) return;
    if (precision == engine::Precision::single)
      obstacles.emplace<DeviceObstacles<float>>(exec, described);
    else
      obstacles.emplace<DeviceObstacles<double>>(exec, described);
  }
  /// Calls f with the view of the obstacles, if there are any.
  template <class Real, class F>
  void with_obstacles(F&& f) {
    if (auto* const all = std::get_if<DeviceObstacles<Real>>(&obstacles)) f(all->view(nullptr));
  }
  engine::Buffer<Constraint, Device> constraints;
  engine::Buffer<double, Device> inverse_mass;
  engine::Buffer<std::int32_t, Device> pinned;
  engine::Buffer<std::uint8_t, Device> soft;
  engine::Buffer<double, Device> multipliers;
  engine::Buffer<FrictionState<double>, Device> friction;
  engine::Reduction<1> energy;
  std::variant<std::monostate, DeviceObstacles<float>, DeviceObstacles<double>> obstacles;
};

DeviceSoftForce::DeviceSoftForce(const Cuda& exec, const Soft& soft, const SoftMesh& mesh,
                                 const std::vector<ObstacleDescription>& obstacles,
                                 const State<Host>& initial,
                                 const std::vector<std::uint8_t>& members)
    : soft_(soft) {
  const ConstrainedBodies bodies = constrained_bodies(mesh, initial, members);
  batches_ = bodies.coloured.batches;
  const Obstacles all(obstacles, {}, SurfaceMaterial{soft.friction, 0}, soft.thickness,
                      engine::available_threads());
  buffers_ = std::make_unique<Buffers>(
      exec, bodies, all, initial.precision(),
      friction_state_bytes(soft, static_cast<std::size_t>(all.count()), initial.count()));
}
DeviceSoftForce::DeviceSoftForce(DeviceSoftForce&&) noexcept = default;
DeviceSoftForce::~DeviceSoftForce() = default;

void DeviceSoftForce::run(const Cuda& exec, State<Device>& state, StepReport&) {
  const Index count = buffers_->pinned.size();
  state.visit([&]<class Real>(const StateView<Real>& s) {
    if (const VectorColumns<Real> spin_rate = s[fields::spin_rate]; spin_rate[0])
      engine::launch(exec, {engine::blocks_for(s.count, soft_threads), soft_threads},
                     clear_spin_rates<Real>, spin_rate, s.count,
                     static_cast<const std::uint8_t*>(buffers_->soft.data()));
    if (count == 0) return;
    engine::launch(exec, {engine::blocks_for(count, soft_threads), soft_threads},
                   clear_pinned_accelerations<Real>, s,
                   static_cast<const std::int32_t*>(buffers_->pinned.data()), count);
  });
}

void DeviceSoftForce::constrain(const Cuda& exec, State<Device>& state, double h,
                                const StageTime& time) {
  state.visit([&]<class Real>(const StateView<Real>& s) {
    const ConstraintView<Real> view{
        buffers_->constraints.data(),
        buffers_->inverse_mass.data(),
        reinterpret_cast<Real*>(buffers_->multipliers.data()),
        static_cast<Real>(soft_.damping),
        static_cast<Real>(h),
        buffers_->friction.size() == 0
            ? nullptr
            : reinterpret_cast<FrictionState<Real>*>(buffers_->friction.data())};
    buffers_->with_obstacles<Real>(
        [&](const DeviceObstacleView<Real>& obstacles) { move_obstacles(exec, obstacles, time); });
    for (std::int64_t k = 0; k < soft_.iterations; ++k) {
      for (const ColouredConstraints::Batch& batch : batches_) {
        const auto begin = static_cast<Index>(batch.begin), end = static_cast<Index>(batch.end);
        if (batch.kind == ConstraintKind::distance)
          engine::launch(exec, {engine::blocks_for(end - begin, soft_threads), soft_threads},
                         project_batch<2, Real>, view, s, begin, end, k == 0, time.record);
        else
          engine::launch(exec, {engine::blocks_for(end - begin, soft_threads), soft_threads},
                         project_batch<4, Real>, view, s, begin, end, k == 0, time.record);
      }
      buffers_->with_obstacles<Real>([&](const DeviceObstacleView<Real>& obstacles) {
        engine::launch(exec, {engine::blocks_for(s.count, soft_threads), soft_threads},
                       push_out_bodies<Real>, view, s, obstacles,
                       static_cast<Real>(soft_.thickness), k == 0, time.record);
      });
    }
    const auto factor = static_cast<Real>(std::exp(-soft_.drag * h));
    if (factor < 1)
      engine::launch(exec, {engine::blocks_for(s.count, soft_threads), soft_threads},
                     apply_air_drag_to_all<Real>, view, s, factor, time.record);
  });
}

double DeviceSoftForce::potential_energy(const Cuda& exec, const State<Device>& state,
                                         const StageTime& time) {
  if (buffers_->constraints.size() == 0) return 0;
  return state.visit([&]<class Const>(const StateView<Const>& s) {
    using Real = std::remove_const_t<Const>;
    return buffers_->energy
        .run(exec,
             ConstraintEnergy<Real>{buffers_->constraints.data(), buffers_->inverse_mass.data(), s,
                                    time.clock},
             buffers_->constraints.size())
        .v[0];
  });
}

}  // namespace mote::sim
