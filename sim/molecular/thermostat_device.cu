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

template <class Real>
__global__ void __launch_bounds__(threads) langevin(StateView<Real> s, LangevinStep step, std::uint64_t seed,
                                                    const StepClock* clock, const DeviceRecord* record) {
  const Index i = static_cast<Index>(blockIdx.x) * threads + threadIdx.x;
  if (i >= s.count || record->halted != 0) return;
  const auto number = static_cast<std::uint64_t>(clock->first + clock->steps) + record->steps;
  const Vec3d v = step({s.vx[i], s.vy[i], s.vz[i]}, s.mass[i], normal_numbers(seed, number, s.id[i]));
  s.vx[i] = static_cast<Real>(v.x), s.vy[i] = static_cast<Real>(v.y), s.vz[i] = static_cast<Real>(v.z);
}

template <class Real>
struct KineticTerm {
  StateView<Real> s;
  __device__ Values<1> operator()(Index i) const {
    const Vec3d v{s.vx[i], s.vy[i], s.vz[i]};
    return {{0.5 * static_cast<double>(s.mass[i]) * dot(v, v)}};
  }
  static __device__ double combine(int, double a, double b) { return a + b; }
  static __device__ Values<1> nothing() { return {}; }
};

__global__ void move_chain(NoseHoover physics, double h, const Values<1>* kinetic, double* chain,
                           double* scale, const DeviceRecord* record) {
  if (record->halted != 0) return;
  *scale = physics.move(*reinterpret_cast<NoseHooverChain*>(chain), kinetic->v[0], h);
}

template <class Real>
__global__ void __launch_bounds__(threads)
    scale_velocities(StateView<Real> s, const double* scale, const DeviceRecord* record) {
  const Index i = static_cast<Index>(blockIdx.x) * threads + threadIdx.x;
  if (i >= s.count || record->halted != 0) return;
  for (Real* v : {s.vx, s.vy, s.vz}) v[i] = static_cast<Real>(*scale * static_cast<double>(v[i]));
}

}  // namespace

struct DeviceThermostat::Memory {
  explicit Memory(Index count) : kinetic(count), scale(1) {}
  engine::Reduction<1> kinetic;
  engine::Buffer<double, Device> scale;
};

DeviceThermostat::DeviceThermostat(const Thermostat& thermostat, std::uint64_t seed, Index count)
    : thermostat_(thermostat), seed_(seed), memory_(std::make_unique<Memory>(count)) {}
DeviceThermostat::~DeviceThermostat() = default;

std::uint64_t DeviceThermostat::device_bytes(Index count) {
  return engine::Reduction<1>::bytes(count) + sizeof(double);
}

void DeviceThermostat::apply(const Cuda& exec, State<Device>& state, double h, const StageTime& time) {
  const auto blocks = static_cast<unsigned>((state.count() + threads - 1) / threads);
  state.visit([&]<class Real>(const StateView<Real>& s) {
    if (thermostat_.name != "nose_hoover")
      return engine::launch(exec, {blocks, threads}, langevin<Real>, s,
                            langevin_step(thermostat_.temperature, thermostat_.friction, h), seed_,
                            time.clock, time.record);
    const Values<1>* const kinetic = memory_->kinetic.enqueue(exec, KineticTerm<Real>{s}, s.count);
    engine::launch(exec, {1, 1}, move_chain, nose_hoover(thermostat_, s.count), h, kinetic, state.memory(),
                   memory_->scale.data(), time.record);
    engine::launch(exec, {blocks, threads}, scale_velocities<Real>, s, memory_->scale.data(), time.record);
  });
}

double DeviceThermostat::energy(const Cuda& exec, const State<Device>& state) const {
  if (thermostat_.name != "nose_hoover") return 0;
  NoseHooverChain chain;
  engine::copy_bytes_to_host(&chain, state.memory(), sizeof chain, exec.stream);
  engine::wait(exec);
  return nose_hoover(thermostat_, state.count()).energy(chain);
}

}  // namespace mote::sim
