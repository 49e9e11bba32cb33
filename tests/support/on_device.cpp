#include "tests/support/on_device.h"

#include "engine/exec/stream.h"
#include "engine/machine.h"
#include "sim/contact/contact_device.h"
#include "sim/fluid/fluid_device.h"
#include "sim/gravity/direct_device.h"
#include "sim/measure/histogram_device.h"
#include "sim/measure/measurement_device.h"
#include "sim/mixture/mixture_device.h"
#include "sim/motion/motion.h"

namespace mote::test {
namespace {

using engine::Device;
using engine::Host;
using sim::DeviceDirectGravity;
using sim::DirectKernel;
using sim::State;
using sim::StateView;

DirectKernel kernel_named(const std::string& name) {
  for (DirectKernel kernel : {DirectKernel::tiled, DirectKernel::split, DirectKernel::symmetric,
                              DirectKernel::wide, DirectKernel::gather})
    if (name_of(kernel) == name) return kernel;
  return DirectKernel::automatic;
}

/// A host state's twin on the device.
class Twin {
 public:
  explicit Twin(const State<Host>& state)
      : stream_(0),
        exec_(stream_.policy()),
        state_(state.count(), state.precision(), state.shape()) {
    engine::copy_to_device(state_.id(), state.id(), state.count(), exec_.stream);
    if (state.with_species())
      engine::copy_to_device(state_.species(), state.species(), state.count(), exec_.stream);
    columns(state, [&](auto* device, const auto* host) {
      engine::copy_to_device(device, host, state.count(), exec_.stream);
    });
    engine::wait(exec_);
  }
  void copy_back(State<Host>& state) {
    columns(state, [&](const auto* device, const auto* host) {
      using Real = std::remove_const_t<std::remove_pointer_t<decltype(host)>>;
      engine::copy_to_host(const_cast<Real*>(host), device, state.count(), exec_.stream);
    });
    engine::wait(exec_);
  }
  const engine::Cuda& exec() const { return exec_; }
  State<Device>& state() { return state_; }

 private:
  template <class Use>
  void columns(const State<Host>& host, Use&& use) {
    state_.visit([&]<class Real>(StateView<Real> d) {
      host.visit([&]<class HostReal>(StateView<HostReal> h) {
        if constexpr (std::is_same_v<HostReal, const Real>) {
          Real* const to[] = {d.mass, d.x, d.y, d.z, d.vx, d.vy, d.vz, d.ax, d.ay, d.az};
          const Real* const from[] = {h.mass, h.x, h.y, h.z, h.vx, h.vy, h.vz, h.ax, h.ay, h.az};
          for (std::size_t k = 0; k < std::size(to); ++k) use(to[k], from[k]);
          for (int k = 0; k < sim::extra_count; ++k)
            if (d.extra[k]) use(d.extra[k], h.extra[k]);
        }
      });
    });
  }

  engine::Stream stream_;
  engine::Cuda exec_;
  State<Device> state_;
};

}  // namespace

const std::string& no_gpu() {
  static const std::string problem = engine::cuda_info().problem;
  return problem;
}

bool gpu_is_emulated() {
#if defined(MOTE_CUDA_EMULATED)
  return true;
#else
  return false;
#endif
}

namespace {

constexpr double usual_launch = DeviceDirectGravity::time_of_a_launch, shortest_launch = 0;

sim::StepReport forces_in(double launch, const std::string& kernel, const sim::Gravity& gravity,
                          double gravitational, State<Host>& state) {
  Twin twin(state);
  // A ring of few blocks in rounds, as one of very many would be.
  const bool rounds = kernel == "symmetric_in_rounds";
  DeviceDirectGravity direct(twin.exec(), gravity, gravitational, state,
                             rounds ? DirectKernel::symmetric : kernel_named(kernel),
                             rounds ? 1 : DeviceDirectGravity::offsets_of_a_round, launch);
  sim::StepReport report;
  direct.run(twin.exec(), twin.state(), report);
  twin.copy_back(state);
  return report;
}

double potential_in(double launch, const sim::Gravity& gravity, double gravitational,
                    const State<Host>& state) {
  Twin twin(state);
  return DeviceDirectGravity(twin.exec(), gravity, gravitational, state, DirectKernel::automatic,
                             DeviceDirectGravity::offsets_of_a_round, launch)
      .potential_energy(twin.exec(), twin.state());
}

}  // namespace

sim::StepReport device_forces(const std::string& kernel, const sim::Gravity& gravity,
                              double gravitational, State<Host>& state) {
  return forces_in(usual_launch, kernel, gravity, gravitational, state);
}
sim::StepReport device_forces_in_short_launches(const std::string& kernel,
                                                const sim::Gravity& gravity, double gravitational,
                                                State<Host>& state) {
  return forces_in(shortest_launch, kernel, gravity, gravitational, state);
}

double device_potential(const sim::Gravity& gravity, double gravitational,
                        const State<Host>& state) {
  return potential_in(usual_launch, gravity, gravitational, state);
}
double device_potential_in_short_launches(const sim::Gravity& gravity, double gravitational,
                                          const State<Host>& state) {
  return potential_in(shortest_launch, gravity, gravitational, state);
}

void device_clear(State<Host>& state) {
  Twin twin(state);
  clear_accelerations(twin.exec(), twin.state());
  twin.copy_back(state);
}

sim::Measurement device_measure(const State<Host>& state, double potential) {
  Twin twin(state);
  return sim::DeviceMeasure(state.count()).measure(twin.exec(), twin.state(), potential);
}

std::uint64_t device_hash(const State<Host>& state, double time, std::uint64_t step) {
  Twin twin(state);
  return sim::DeviceMeasure(state.count()).state_hash(twin.exec(), twin.state(), time, step);
}

std::int64_t device_first_not_finite(const State<Host>& state) {
  Twin twin(state);
  return sim::DeviceMeasure(state.count()).first_not_finite(twin.exec(), twin.state());
}

std::optional<sim::Histogram> device_histogram(const State<Host>& state,
                                               const sim::HistogramRequest& request,
                                               engine::CountingKernel kernel) {
  Twin twin(state);
  if (!sim::can_count(twin.exec(), kernel, request.bins)) return {};
  return histogram(twin.exec(), twin.state(), request, kernel);
}

engine::CountingKernel device_counting_kernel(std::int64_t bins) {
  const engine::Stream stream(0);
  return sim::counting_kernel(stream.policy(), bins);
}

void device_steps(State<Host>& state, const sim::Gravity& gravity, const sim::Scheme& scheme,
                  double dt, int steps) {
  Twin twin(state);
  DeviceDirectGravity direct(twin.exec(), gravity, 1.0, state);
  engine::Buffer<sim::DeviceRecord, Device> record(1);
  const sim::DeviceRecord start;
  engine::copy_to_device(record.data(), &start, 1, twin.exec().stream);
  sim::StepReport report;
  clear_accelerations(twin.exec(), twin.state());
  direct.run(twin.exec(), twin.state(), report);
  for (int step = 0; step < steps; ++step)
    for (const sim::Moves& moves : sim::moves_of(scheme.step, dt)) {
      move(twin.exec(), twin.state(), moves, record.data());
      if (moves.clears) direct.run(twin.exec(), twin.state(), report);
    }
  twin.copy_back(state);
}

namespace {

/// What stages on a device are told of time, and where they note what they find.
struct Clocked {
  Clocked(const engine::Cuda& exec, double dt) : record(1), clock(1) {
    const sim::DeviceRecord start;
    const sim::StepClock now{0, dt, 0, 0};
    engine::copy_to_device(record.data(), &start, 1, exec.stream);
    engine::copy_to_device(clock.data(), &now, 1, exec.stream);
    engine::wait(exec);
  }
  sim::StageTime at(double passed) { return {clock.data(), record.data(), passed}; }
  engine::Buffer<sim::DeviceRecord, Device> record;
  engine::Buffer<sim::StepClock, Device> clock;
};

}  // namespace

sim::FluidReport device_fluid(const sim::Fluid& fluid, const sim::Domain& domain,
                              engine::Vec3d gravity, const std::vector<std::uint8_t>& kinds,
                              State<Host>& state, double ahead, int lanes) {
  Twin twin(state);
  sim::DeviceFluidForce force(twin.exec(), fluid, domain, gravity, kinds, state.precision(), lanes);
  Clocked clocked(twin.exec(), ahead);
  sim::StepReport report;
  force.run(twin.exec(), twin.state(), clocked.at(ahead > 0 ? 1 : 0), report);
  // A place that had no room for its neighbours walks to the same ones, in the same order.
  force.settle(twin.exec());
  twin.copy_back(state);
  force.run(twin.exec(), twin.state(), clocked.at(0), report);
  return {force.largest_step(), report.interactions};
}

sim::DeviceRecord device_fluid_steps(const sim::Fluid& fluid,
                                     const std::vector<std::uint8_t>& kinds, State<Host>& state,
                                     double dt, int steps) {
  Twin twin(state);
  sim::DeviceFluidForce force(twin.exec(), fluid, {}, {0, 0, 0}, kinds, state.precision());
  Clocked clocked(twin.exec(), dt);
  sim::StepReport report;
  clear_accelerations(twin.exec(), twin.state());
  force.run(twin.exec(), twin.state(), clocked.at(0), report);
  for (int step = 0; step < steps; ++step)
    for (const sim::Moves& moves : sim::moves_of(sim::scheme_named("leapfrog")->step, dt)) {
      move(twin.exec(), twin.state(), moves, clocked.record.data());
      if (moves.clears) force.run(twin.exec(), twin.state(), clocked.at(1), report);
    }
  twin.copy_back(state);
  sim::DeviceRecord found;
  engine::copy_to_host(&found, clocked.record.data(), 1, twin.exec().stream);
  engine::wait(twin.exec());
  return found;
}

MixtureReport device_mixture(const sim::Fluid& fluid, const sim::Domain& domain,
                             engine::Vec3d gravity, const std::vector<std::uint8_t>& kinds,
                             const std::vector<std::uint8_t>& grains, State<Host>& state,
                             double ahead, int lanes) {
  Twin twin(state);
  sim::DeviceFluidForce force(twin.exec(), fluid, domain, gravity, kinds, state.precision(), lanes);
  Clocked clocked(twin.exec(), ahead);
  const sim::StageTime time = clocked.at(ahead > 0 ? 1 : 0);
  MixtureReport said;
  said.porosity.assign(kinds.size(), 1);
  twin.state().visit([&]<class Real>(const StateView<Real>& s) {
    sim::DeviceMixtureForce<Real> mixture(twin.exec(), fluid, domain, kinds, grains, lanes);
    force.update(twin.exec(), s, time);
    const sim::DeviceCellView<Real> cells = force.cells<Real>();
    const sim::DevicePores<Real> pores = mixture.porosities(twin.exec(), s, cells);
    force.accelerate(twin.exec(), s, time, pores);
    const sim::CrowdedStep* const crowded =
        mixture.run(twin.exec(), s, cells, clocked.record.data());
    sim::StepReport report;
    force.judge(twin.exec(), s, time, crowded, report);
    const auto places = static_cast<std::size_t>(cells.count);
    std::vector<Real> porosity(places);
    std::vector<std::int32_t> number(places), chosen(places);
    sim::CrowdedStep step;
    engine::copy_to_host(porosity.data(), pores.porosity, cells.count, twin.exec().stream);
    engine::copy_to_host(number.data(), cells.number, cells.count, twin.exec().stream);
    if (cells.chosen)
      engine::copy_to_host(chosen.data(), cells.chosen, cells.count, twin.exec().stream);
    engine::copy_to_host(&step, crowded, 1, twin.exec().stream);
    engine::wait(twin.exec());
    for (std::size_t p = 0; p < places; ++p) {
      const auto k = static_cast<std::size_t>(number[p]);
      said.porosity[cells.chosen ? static_cast<std::size_t>(chosen[k]) : k] = double(porosity[p]);
    }
    said.drag_step = step.largest_step;
  });
  force.settle(twin.exec());
  said.largest_step = force.largest_step();
  twin.copy_back(state);
  return said;
}

void device_contacts(const sim::ContactParams& params, const sim::Domain& domain,
                     const std::vector<std::uint8_t>& members, State<Host>& state) {
  Twin twin(state);
  sim::DeviceContactForce<double> force(twin.exec(), params, {}, domain, state, members);
  Clocked clocked(twin.exec(), 0);
  const sim::DeviceRecord start;
  force.settle(twin.exec());  // what was made for it at first
  do {                        // until there is room for all that touch; before, nothing is added
    engine::copy_to_device(clocked.record.data(), &start, 1, twin.exec().stream);
    force.run(twin.exec(), twin.state(), clocked.at(0));
  } while (force.settle(twin.exec()));
  twin.copy_back(state);
}

}  // namespace mote::test
