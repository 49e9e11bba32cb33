#include "app/compare/workbench.h"

#include <algorithm>
#include <type_traits>

#include "engine/exec/timing.h"
#include "sim/gravity/direct.h"
#include "sim/motion/motion.h"

namespace mote::app {
namespace {

using engine::Host;
using sim::State;

class HostWorkbench final : public Workbench {
 public:
  HostWorkbench(const engine::Cpu& exec, const State<Host>& bodies, double softening)
      : exec_(exec),
        state_(copy_of(bodies)),
        gravity_({.softening = softening}, 1.0, bodies.count(), bodies.precision()) {}

  std::string kernel() const override { return std::string(name_of(exec_.simd)); }
  double time_forces(std::uint64_t runs) override {
    return engine::host_seconds([&] {
      sim::StepReport ignored;
      for (std::uint64_t k = 0; k < runs; ++k) {
        clear_accelerations(exec_, state_);
        gravity_.run(exec_, state_, ignored);
      }
    });
  }
  const State<Host>& state() override { return state_; }
  double potential_energy() override { return gravity_.potential_energy(exec_, state_); }
  sim::Measurement measure(double potential) override {
    return sim::measure(exec_, state_, potential);
  }
  std::uint64_t hash(double time, std::uint64_t step) override {
    return state_hash(exec_, state_, time, step);
  }
  std::int64_t first_not_finite() override { return sim::first_not_finite(exec_, state_); }

 private:
  engine::Cpu exec_;
  State<Host> state_;
  sim::DirectGravity gravity_;
};

}  // namespace

std::unique_ptr<Workbench> host_workbench(const engine::Cpu& exec, const State<Host>& bodies,
                                          double softening) {
  return std::make_unique<HostWorkbench>(exec, bodies, softening);
}

State<Host> copy_of(const State<Host>& state) {
  State<Host> copy(state.count(), state.precision());
  std::copy_n(state.id(), state.count(), copy.id());
  copy.visit([&]<class Real>(sim::StateView<Real> to) {
    state.visit([&]<class From>(sim::StateView<From> from) {
      if constexpr (std::is_same_v<const Real, From>) {
        Real* const targets[] = {to.mass, to.x,  to.y,  to.z,  to.vx,
                                 to.vy,   to.vz, to.ax, to.ay, to.az};
        From* const sources[] = {from.mass, from.x,  from.y,  from.z,  from.vx,
                                 from.vy,   from.vz, from.ax, from.ay, from.az};
        for (std::size_t k = 0; k < std::size(targets); ++k)
          std::copy_n(sources[k], to.count, targets[k]);
      }
    });
  });
  return copy;
}

sim::DirectKernel direct_kernel_named(const std::string& word) {
  using sim::DirectKernel;
  if (word == "tiled") return DirectKernel::tiled;
  if (word == "split") return DirectKernel::split;
  if (word == "symmetric") return DirectKernel::symmetric;
  if (word == "wide") return DirectKernel::wide;
  if (word == "gather") return DirectKernel::gather;
  MOTE_EXPECT(word == "auto");
  return DirectKernel::automatic;
}

}  // namespace mote::app
