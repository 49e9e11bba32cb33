#include "sim/molecular/thermostat_device.h"

#include "engine/algo/reduce.cuh"
#include "engine/exec/launch.cuh"

namespace mote::sim {
namespace thermostat_kernels {

/// Velocity scaling by the chain, relative to the centre of mass.
struct Scaling {
  double scale;
  engine::Vec3d centre_velocity;
};

}  // namespace thermostat_kernels

namespace {

using engine::Cuda;
using engine::Device;
using engine::Index;
using engine::Values;
using engine::Vec3d;
using thermostat_kernels::Scaling;

constexpr unsigned thermostat_threads = 256;
constexpr int kinetic_sums = 5;

template <class Real>
__global__ void __launch_bounds__(thermostat_threads)
    langevin(StateView<Real> s, LangevinStep step, std::uint64_t seed, const StepClock* clock,
             const DeviceRecord* record) {
  const Index i = static_cast<Index>(blockIdx.x) * thermostat_threads + threadIdx.x;
  if (i >= s.count || record->halted != 0) return;
  const auto number = static_cast<std::uint64_t>(clock->first + clock->steps) + record->steps;
  const Vec3d v =
      step({s.vx[i], s.vy[i], s.vz[i]}, s.mass[i], normal_numbers(seed, number, s.id[i]));
  s.vx[i] = static_cast<Real>(v.x), s.vy[i] = static_cast<Real>(v.y),
  s.vz[i] = static_cast<Real>(v.z);
}

template <class Real>
struct KineticTerm {
  StateView<Real> s;
  __device__ Values<kinetic_sums> operator()(Index i) const {
    const Vec3d v{s.vx[i], s.vy[i], s.vz[i]};
    const double mass = s.mass[i];
    return {{0.5 * mass * dot(v, v), mass, mass * v.x, mass * v.y, mass * v.z}};
  }
  static __device__ double combine(int, double a, double b) { return a + b; }
  static __device__ Values<kinetic_sums> nothing() { return {}; }
};

__global__ void advance_chain(NoseHoover physics, bool momentum_conserved, double h,
                              const Values<kinetic_sums>* sums, double* chain, Scaling* out,
                              DeviceRecord* record) {
  if (record->halted != 0) return;
  const double* const v = sums->v;
  const KineticSums total{v[0], v[1], {v[2], v[3], v[4]}};
  const double scale = physics.advance(*reinterpret_cast<NoseHooverChain*>(chain),
                                       momentum_conserved ? total.thermal() : total.kinetic, h);
  if (scale == 0) record->too_long = 1;
  *out = {scale == 0 ? 1 : scale,
          momentum_conserved && scale != 0 ? total.centre_velocity() : Vec3d{}};
}

template <class Real>
__global__ void __launch_bounds__(thermostat_threads)
    scale_velocities(StateView<Real> s, const Scaling* scaling, const DeviceRecord* record) {
  const Index i = static_cast<Index>(blockIdx.x) * thermostat_threads + threadIdx.x;
  if (i >= s.count || record->halted != 0) return;
  const Vec3d centre_velocity = scaling->centre_velocity,
              v = centre_velocity +
                  scaling->scale * (Vec3d{s.vx[i], s.vy[i], s.vz[i]} - centre_velocity);
  s.vx[i] = static_cast<Real>(v.x), s.vy[i] = static_cast<Real>(v.y),
  s.vz[i] = static_cast<Real>(v.z);
}

}  // namespace

struct DeviceThermostat::Buffers {
  explicit Buffers(Index count) : sums(count), scaling(1) {}
  engine::Reduction<kinetic_sums> sums;
  engine::Buffer<Scaling, Device> scaling;
};

DeviceThermostat::DeviceThermostat(const Thermostat& thermostat, std::uint64_t seed,
                                   Conserved conserved, Index count)
    : thermostat_(thermostat),
      seed_(seed),
      conserved_(conserved),
      buffers_(std::make_unique<Buffers>(count)) {}
DeviceThermostat::DeviceThermostat(DeviceThermostat&&) noexcept = default;
DeviceThermostat::~DeviceThermostat() = default;

std::uint64_t DeviceThermostat::device_bytes(Index count) {
  return engine::Reduction<kinetic_sums>::bytes(count) + sizeof(Scaling);
}

void DeviceThermostat::exchange_heat(const Cuda& exec, State<Device>& state, double h,
                                     const StageTime& time) {
  const auto blocks = engine::blocks_for(state.count(), thermostat_threads);
  state.visit([&]<class Real>(const StateView<Real>& s) {
    if (thermostat_.name != "nose_hoover")
      return engine::launch(exec, {blocks, thermostat_threads}, langevin<Real>, s,
                            langevin_step(thermostat_.temperature, thermostat_.friction, h), seed_,
                            time.clock, time.record);
    const Values<kinetic_sums>* const sums =
        buffers_->sums.enqueue(exec, KineticTerm<Real>{s}, s.count);
    engine::launch(exec, {1, 1}, advance_chain, nose_hoover(thermostat_, s.count, conserved_),
                   conserved_ != Conserved::nothing, h, sums, state.globals(nose_hoover_globals),
                   buffers_->scaling.data(), time.record);
    engine::launch(exec, {blocks, thermostat_threads}, scale_velocities<Real>, s,
                   buffers_->scaling.data(), time.record);
  });
}

double DeviceThermostat::bath_energy(const Cuda& exec, const State<Device>& state) const {
  if (thermostat_.name != "nose_hoover") return 0;
  NoseHooverChain chain;
  engine::copy_bytes_to_host(&chain, state.globals(nose_hoover_globals), sizeof chain, exec.stream);
  engine::wait(exec);
  return nose_hoover(thermostat_, state.count(), conserved_).energy(chain);
}

}  // namespace mote::sim
