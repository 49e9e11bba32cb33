#include "sim/field/field_device.h"

#include <optional>

#include "engine/algo/reduce.cuh"
#include "engine/exec/launch.cuh"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Index;

constexpr unsigned field_threads = 256;

template <class Formula, class Real>
__global__ void __launch_bounds__(field_threads) add_field(Formula formula, StateView<Real> s) {
  const Index i = static_cast<Index>(blockIdx.x) * field_threads + threadIdx.x;
  if (i >= s.count) return;
  const Vec3<Real> a = formula.acceleration({s.x[i], s.y[i], s.z[i]});
  s.ax[i] += a.x;
  s.ay[i] += a.y;
  s.az[i] += a.z;
}

/// Half of the velocity flow; with `with_kick`, then the kick and the other half.
template <class Real>
__global__ void __launch_bounds__(field_threads)
    kick_velocities(VelocityFlow<Real> flow, bool with_kick, Real h, StateView<Real> s,
                    const DeviceRecord* record) {
  const Index i = static_cast<Index>(blockIdx.x) * field_threads + threadIdx.x;
  if (i >= s.count || record->halted != 0) return;
  Vec3<Real> v = flow({s.vx[i], s.vy[i], s.vz[i]});
  if (with_kick) v = flow({kick(v.x, s.ax[i], h), kick(v.y, s.ay[i], h), kick(v.z, s.az[i], h)});
  s.vx[i] = v.x;
  s.vy[i] = v.y;
  s.vz[i] = v.z;
}

template <class Formula, class Real>
__global__ void __launch_bounds__(field_threads)
    add_of_velocity(Formula acceleration, StateView<Real> s) {
  const Index i = static_cast<Index>(blockIdx.x) * field_threads + threadIdx.x;
  if (i >= s.count) return;
  const Vec3<Real> a = acceleration({s.vx[i], s.vy[i], s.vz[i]});
  s.ax[i] += a.x;
  s.ay[i] += a.y;
  s.az[i] += a.z;
}

template <class Formula, class Real>
__global__ void __launch_bounds__(field_threads)
    add_potential(Formula formula, StateView<const Real> s, double* phi) {
  const Index i = static_cast<Index>(blockIdx.x) * field_threads + threadIdx.x;
  if (i < s.count)
    phi[i] += formula.potential(
        {static_cast<double>(s.x[i]), static_cast<double>(s.y[i]), static_cast<double>(s.z[i])});
}

__global__ void write_time(const StepClock* clock, const DeviceRecord* record,
                           double elapsed_fraction, double* t) {
  if (threadIdx.x == 0)
    *t = time_at(*clock, static_cast<std::int64_t>(record->steps), elapsed_fraction);
}

template <class Real>
struct FieldEnergyTerm {
  const Real* mass;
  const double* phi;
  __device__ engine::Values<1> operator()(Index i) const {
    return {{static_cast<double>(mass[i]) * phi[i]}};
  }
  static __device__ double combine(int, double a, double b) { return a + b; }
  static __device__ engine::Values<1> nothing() { return {{0}}; }
};

}  // namespace

struct DeviceFieldForce::Scratch {
  explicit Scratch(Index count) : phi(count), t(1), sum(count) {}
  engine::Buffer<double, Device> phi, t;
  engine::Reduction<1> sum;
  std::optional<ExpressionKernels> expressions;
};

DeviceFieldForce::DeviceFieldForce(const Cuda& exec, const std::vector<Field>& fields,
                                   double gravitational, int order, Index count,
                                   engine::Precision precision)
    : fields_(fields),
      gravitational_(gravitational),
      flows_(has_velocity_flow(fields)),
      adds_expressions_(!expressions_of(fields, false).empty()),
      kicks_by_expressions_(!expressions_of(fields, true).empty()),
      scratch_(std::make_unique<Scratch>(count)) {
  if (adds_expressions_ || kicks_by_expressions_)
    scratch_->expressions.emplace(exec, fields, precision, evaluations_of_kick(order));
}

DeviceFieldForce::~DeviceFieldForce() = default;
DeviceFieldForce::DeviceFieldForce(DeviceFieldForce&&) noexcept = default;

std::uint64_t DeviceFieldForce::device_bytes(Index count) {
  return static_cast<std::uint64_t>(count) * sizeof(double) + engine::Reduction<1>::bytes(count);
}

void DeviceFieldForce::run(const Cuda& exec, State<Device>& state, const StageTime& time,
                           StepReport&) {
  state.visit([&]<class Real>(StateView<Real> s) {
    for (const auto& any : position_formulas<Real>(fields_, gravitational_))
      std::visit(
          [&]<class Formula>(Formula formula) {
            engine::launch(exec, {engine::blocks_for(s.count, field_threads), field_threads},
                           add_field<Formula, Real>, formula, s);
          },
          any);
  });
  if (!adds_expressions_) return;
  double* const t = scratch_->t.data();
  engine::launch(exec, {1, 32}, write_time, time.clock, time.record, time.elapsed_fraction, t);
  scratch_->expressions->add(exec, state, t);
}

void DeviceFieldForce::kick(const Cuda& exec, State<Device>& state, double h,
                            const StageTime& time) {
  state.visit([&]<class Real>(StateView<Real> s) {
    const auto flow = velocity_flow<Real>(fields_, 0.5 * h);
    const auto start = [&](bool with_kick) {
      engine::launch(exec, {engine::blocks_for(s.count, field_threads), field_threads},
                     kick_velocities<Real>, flow, with_kick, static_cast<Real>(h), s, time.record);
    };
    if (!kicks_by_expressions_) return start(true);
    double* const t = scratch_->t.data();
    engine::launch(exec, {1, 32}, write_time, time.clock, time.record, time.elapsed_fraction, t);
    if (flows_) start(false);
    scratch_->expressions->kick(exec, state, h, t, &time.record->halted);
    if (flows_) start(false);
  });
}

void DeviceFieldForce::add_velocity_terms(const Cuda& exec, State<Device>& state,
                                          const StageTime&) {
  MOTE_EXPECT(!kicks_by_expressions_);
  if (!flows_) return;
  state.visit([&]<class Real>(StateView<Real> s) {
    const auto acceleration = velocity_acceleration<Real>(fields_);
    engine::launch(exec, {engine::blocks_for(s.count, field_threads), field_threads},
                   add_of_velocity<std::remove_const_t<decltype(acceleration)>, Real>, acceleration,
                   s);
  });
}

double DeviceFieldForce::potential_energy(const Cuda& exec, const State<Device>& state,
                                          const StageTime& time) {
  if (state.count() == 0 && !exec.ranks) return 0;
  double *const phi = scratch_->phi.data(), *const t = scratch_->t.data();
  engine::fill_bytes(phi, 0, scratch_->phi.bytes(), exec.stream);
  return state.visit([&]<class Const>(StateView<Const> s) {
    using Real = std::remove_const_t<Const>;
    for (const auto& any : position_formulas<double>(fields_, gravitational_))
      std::visit(
          [&]<class Formula>(Formula formula) {
            engine::launch(exec, {engine::blocks_for(s.count, field_threads), field_threads},
                           add_potential<Formula, Real>, formula, s, phi);
          },
          any);
    if (scratch_->expressions) {
      engine::launch(exec, {1, 32}, write_time, time.clock, time.record, time.elapsed_fraction, t);
      scratch_->expressions->add_potentials(exec, state, t, phi);
    }
    return scratch_->sum.run(exec, FieldEnergyTerm<Real>{s.mass, phi}, s.count).v[0];
  });
}

}  // namespace mote::sim
