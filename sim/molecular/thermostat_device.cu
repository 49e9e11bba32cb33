#include "sim/molecular/thermostat_device.h"

#include "engine/algo/reduce.cuh"
#include "engine/exec/launch.cuh"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Index;
using engine::Values;
using engine::Vec3d;

constexpr unsigned threads = 256;
constexpr int heat_sums = 5;

template <class Real>
__global__ void __launch_bounds__(threads)
    langevin(StateView<Real> s, LangevinStep step, std::uint64_t seed, const StepClock* clock,
             const DeviceRecord* record) {
  const Index i = static_cast<Index>(blockIdx.x) * threads + threadIdx.x;
  if (i >= s.count || record->halted != 0) return;
  const auto number = static_cast<std::uint64_t>(clock->first + clock->steps) + record->steps;
  const Vec3d v =
      step({s.vx[i], s.vy[i], s.vz[i]}, s.mass[i], normal_numbers(seed, number, s.id[i]));
  s.vx[i] = static_cast<Real>(v.x), s.vy[i] = static_cast<Real>(v.y),
  s.vz[i] = static_cast<Real>(v.z);
}

template <class Real>
struct HeatTerm {
  StateView<Real> s;
  __device__ Values<heat_sums> operator()(Index i) const {
    const Vec3d v{s.vx[i], s.vy[i], s.vz[i]};
    const double mass = s.mass[i];
    return {{0.5 * mass * dot(v, v), mass, mass * v.x, mass * v.y, mass * v.z}};
  }
  static __device__ double combine(int, double a, double b) { return a + b; }
  static __device__ Values<heat_sums> nothing() { return {}; }
};

/// What the chain makes of velocities.
struct Scaling {
  double scale;
  Vec3d flow;
};

__global__ void move_chain(NoseHoover physics, bool momentum_kept, double h,
                           const Values<heat_sums>* sums, double* chain, Scaling* out,
                           DeviceRecord* record) {
  if (record->halted != 0) return;
  const double* const v = sums->v;
  const Heat heat{v[0], v[1], {v[2], v[3], v[4]}};
  const double scale = physics.move(*reinterpret_cast<NoseHooverChain*>(chain),
                                    momentum_kept ? heat.relative() : heat.kinetic, h);
  if (scale == 0) record->too_long = 1;
  *out = {scale == 0 ? 1 : scale, momentum_kept && scale != 0 ? heat.flow() : Vec3d{}};
}

template <class Real>
__global__ void __launch_bounds__(threads)
    scale_velocities(StateView<Real> s, const Scaling* scaling, const DeviceRecord* record) {
  const Index i = static_cast<Index>(blockIdx.x) * threads + threadIdx.x;
  if (i >= s.count || record->halted != 0) return;
  const Vec3d flow = scaling->flow,
              v = flow + scaling->scale * (Vec3d{s.vx[i], s.vy[i], s.vz[i]} - flow);
  s.vx[i] = static_cast<Real>(v.x), s.vy[i] = static_cast<Real>(v.y),
  s.vz[i] = static_cast<Real>(v.z);
}

}  // namespace

struct DeviceThermostat::Memory {
  explicit Memory(Index count) : heat(count), scaling(1) {}
  engine::Reduction<heat_sums> heat;
  engine::Buffer<Scaling, Device> scaling;
};

DeviceThermostat::DeviceThermostat(const Thermostat& thermostat, std::uint64_t seed,
                                   bool momentum_kept, Index count)
    : thermostat_(thermostat),
      seed_(seed),
      momentum_kept_(momentum_kept),
      memory_(std::make_unique<Memory>(count)) {}
DeviceThermostat::~DeviceThermostat() = default;

std::uint64_t DeviceThermostat::device_bytes(Index count) {
  return engine::Reduction<heat_sums>::bytes(count) + sizeof(Scaling);
}

void DeviceThermostat::apply(const Cuda& exec, State<Device>& state, double h,
                             const StageTime& time) {
  const auto blocks = static_cast<unsigned>((state.count() + threads - 1) / threads);
  state.visit([&]<class Real>(const StateView<Real>& s) {
    if (thermostat_.name != "nose_hoover")
      return engine::launch(exec, {blocks, threads}, langevin<Real>, s,
                            langevin_step(thermostat_.temperature, thermostat_.friction, h), seed_,
                            time.clock, time.record);
    const Values<heat_sums>* const heat = memory_->heat.enqueue(exec, HeatTerm<Real>{s}, s.count);
    engine::launch(exec, {1, 1}, move_chain, nose_hoover(thermostat_, s.count, momentum_kept_),
                   momentum_kept_, h, heat, state.memory(), memory_->scaling.data(), time.record);
    engine::launch(exec, {blocks, threads}, scale_velocities<Real>, s, memory_->scaling.data(),
                   time.record);
  });
}

double DeviceThermostat::energy(const Cuda& exec, const State<Device>& state) const {
  if (thermostat_.name != "nose_hoover") return 0;
  NoseHooverChain chain;
  engine::copy_bytes_to_host(&chain, state.memory(), sizeof chain, exec.stream);
  engine::wait(exec);
  return nose_hoover(thermostat_, state.count(), momentum_kept_).energy(chain);
}

}  // namespace mote::sim
