#include "engine/exec/launch.cuh"
#include "engine/exec/stream.h"
#include "sim/hand/hand_device.h"
#include "sim/space/fixed_field.h"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Index;

constexpr unsigned hand_threads = 256;

/// One thread finds the body among those that are asked for. Bodies may have moved in memory since
/// the last evaluation.
template <class Real>
__global__ void __launch_bounds__(hand_threads)
    pull(HandFormula<Real> formula, std::uint32_t body, const std::uint32_t* ids, const Real* fixed,
         StateView<Real> s, ForceRequest request, Impulse* impulse) {
  const Index k = static_cast<Index>(blockIdx.x) * hand_threads + threadIdx.x;
  const StageTime& time = request.time;
  if (k >= request.targets.of(s.count) || time.record->stalled != 0) return;
  const Index i = chosen_slot(request.targets.slots, k);
  if (ids[i] != body || (fixed && fixed[i] != 0)) return;
  const Vec3<Real> v{s.vx[i], s.vy[i], s.vz[i]};
  const Vec3<Real> a = formula({s.x[i], s.y[i], s.z[i]}, v);
  s.ax[i] += a.x;
  s.ay[i] += a.y;
  s.az[i] += a.z;
  if (request.with_jerks()) {
    const Vec3<Real> jerk = formula.jerk(v, {s.ax[i], s.ay[i], s.az[i]});
    request.jerks[0][i] += static_cast<double>(jerk.x);
    request.jerks[1][i] += static_cast<double>(jerk.y);
    request.jerks[2][i] += static_cast<double>(jerk.z);
  }
  const double now =
      time_at(*time.clock, static_cast<std::int64_t>(time.record->steps), time.elapsed_fraction);
  impulse->add(
      now, static_cast<double>(s.mass[i]) * engine::Vec3d{double(a.x), double(a.y), double(a.z)});
}

}  // namespace

DeviceHandForce::DeviceHandForce(const Cuda& exec, const Hand& hand, const Domain& domain)
    : hand_(hand), domain_(domain), impulse_(1) {
  engine::fill_bytes(impulse_.data(), 0, impulse_.bytes(), exec.stream);
}

void DeviceHandForce::run(const Cuda& exec, State<Device>& state, const ForceRequest& request,
                          StepReport&) {
  state.visit([&]<class Real>(const StateView<Real>& s) {
    const auto blocks = engine::blocks_for(request.targets.of(s.count), hand_threads);
    engine::launch(exec, {blocks, hand_threads}, pull<Real>, formula_of<Real>(hand_, domain_),
                   static_cast<std::uint32_t>(hand_.body),
                   static_cast<const std::uint32_t*>(state.id()),
                   static_cast<const Real*>(s[fields::fixed]), s, request, impulse_.data());
  });
}

Impulse DeviceHandForce::impulse(const Cuda& exec) const {
  Impulse impulse;
  engine::copy_to_host(&impulse, impulse_.data(), 1, exec.stream);
  engine::wait(exec);
  return impulse;
}

void DeviceHandForce::set_impulse(const Cuda& exec, const Impulse& impulse) {
  engine::copy_to_device(impulse_.data(), &impulse, 1, exec.stream);
  engine::wait(exec);
}

}  // namespace mote::sim
