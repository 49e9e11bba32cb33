#include "tests/support/on_device.h"

#include "engine/exec/stream.h"
#include "engine/machine.h"
#include "engine/memory/on_device.h"
#include "sim/contact/contact_device.h"
#include "sim/device/device_columns.h"
#include "sim/expansions/multipole_device.h"
#include "sim/fluid/fluid_device.h"
#include "sim/gravity/direct_device.h"
#include "sim/measure/histogram_device.h"
#include "sim/measure/measurement_device.h"
#include "sim/mixture/mixture_device.h"
#include "sim/motion/motion.h"
#include "sim/ranks/copies.h"
#include "sim/run/simulation.h"
#include "tests/support/ranks.h"

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

/// A device copy of a host state.
class DeviceCopy {
 public:
  explicit DeviceCopy(const State<Host>& state)
      : stream_(0),
        exec_(stream_.policy()),
        state_(state.count(), state.precision(), state.layout()) {
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
          for (std::size_t k = 0; k < d.common().size(); ++k) use(d.common()[k], h.common()[k]);
          for (int k = 0; k < d.field_count; ++k) use(d.field_column[k], h.field_column[k]);
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

constexpr double default_launch = DeviceDirectGravity::launch_seconds, shortest_launch = 0;

/// Few blocks in several rounds, as with very many.
DeviceDirectGravity direct_by(const std::string& kernel, const engine::Cuda& exec,
                              const sim::Gravity& gravity, double gravitational,
                              const State<Host>& state, double launch) {
  const bool rounds = kernel == "symmetric_in_rounds";
  return {exec,
          gravity,
          gravitational,
          state,
          rounds ? DirectKernel::symmetric : kernel_named(kernel),
          rounds ? 1 : DeviceDirectGravity::offsets_per_round,
          launch};
}

sim::StepReport forces_in(double launch, const std::string& kernel, const sim::Gravity& gravity,
                          double gravitational, State<Host>& state) {
  DeviceCopy copy(state);
  DeviceDirectGravity direct =
      direct_by(kernel, copy.exec(), gravity, gravitational, state, launch);
  sim::StepReport report;
  direct.run(copy.exec(), copy.state(), report);
  copy.copy_back(state);
  return report;
}

double potential_in(double launch, const sim::Gravity& gravity, double gravitational,
                    const State<Host>& state) {
  DeviceCopy copy(state);
  return DeviceDirectGravity(copy.exec(), gravity, gravitational, state, DirectKernel::automatic,
                             DeviceDirectGravity::offsets_per_round, launch)
      .potential_energy(copy.exec(), copy.state());
}

}  // namespace

std::vector<float> device_points(sim::Simulation& simulation, const sim::PackRequest& request) {
  const engine::Stream stream(simulation.plan().device);
  const engine::Cuda exec = stream.policy();
  const engine::Index n = simulation.count();
  engine::Buffer<float, Device> points(5 * n);
  engine::Event done = engine::Event::untimed();
  simulation.pack({.positions = points.data(),
                   .scalars = points.data() + 3 * n,
                   .radii = points.data() + 4 * n,
                   .on_device = true,
                   .done = done.handle()},
                  request);
  engine::make_current(exec.device);
  engine::wait_for(exec, done.handle());
  std::vector<float> found(static_cast<std::size_t>(5 * n));
  engine::copy_to_host(found.data(), points.data(), 5 * n, exec.stream);
  engine::wait(exec);
  return found;
}

void device_forces_of_ranks(const std::string& kernel, const sim::Gravity& gravity, int ranks,
                            bool messages, State<Host>& state) {
  engine::run_ranks(ranks, [&](engine::Ranks& own) {
    OnlyMessages only_messages(own);
    const engine::Stream stream(device_of(own.rank()));
    engine::Cuda exec = stream.policy();
    exec.ranks = messages ? &only_messages : &own;
    const sim::Division division(state.count(), ranks, sim::CopiesNeeded::positions);
    State<Device> share(0, state.precision());
    sim::place_share(exec, share, sim::share_of(state, division, own.rank()));
    DeviceDirectGravity direct = direct_by(kernel, exec, gravity, 1, state, default_launch);
    sim::receive_positions(exec, share, division);
    sim::clear_accelerations(exec, share);
    sim::StepReport report;
    direct.run(exec, share, report);
    share.visit([&]<class Real>(StateView<Real> from) {
      state.visit([&]<class HostReal>(StateView<HostReal> to) {
        if constexpr (std::is_same_v<Real, HostReal>) {
          const engine::Index begin = share.copies().before;
          engine::copy_to_host(to.ax + begin, from.ax, from.count, exec.stream);
          engine::copy_to_host(to.ay + begin, from.ay, from.count, exec.stream);
          engine::copy_to_host(to.az + begin, from.az, from.count, exec.stream);
        }
      });
    });
    engine::wait(exec);
  });
}

sim::StepReport device_chosen_forces(const sim::Gravity& gravity,
                                     const std::vector<std::uint32_t>& slots, State<Host>& state,
                                     std::vector<double> (&jerks)[3], double launch) {
  DeviceCopy copy(state);
  const engine::Cuda& exec = copy.exec();
  DeviceDirectGravity direct(exec, gravity, 1, state, DirectKernel::automatic,
                             DeviceDirectGravity::offsets_per_round, launch);
  engine::Buffer<double, Device> columns[3];
  sim::ForceRequest request{};
  for (int axis = 0; axis < 3; ++axis) {
    columns[axis] = engine::Buffer<double, Device>(state.count());
    request.jerks.of[axis] = columns[axis].data();
  }
  engine::Buffer<std::uint32_t, Device> chosen(static_cast<engine::Index>(slots.size()));
  if (!slots.empty()) {
    engine::copy_to_device(chosen.data(), slots.data(), chosen.size(), exec.stream);
    request.targets = {chosen.data(), chosen.size()};
  }
  sim::clear_accelerations(exec, copy.state());
  sim::clear_chosen(exec, copy.state(), {.time = {}, .targets = {}, .jerks = request.jerks});
  sim::StepReport report;
  direct.run(exec, copy.state(), request, report);
  for (int axis = 0; axis < 3; ++axis) {
    jerks[axis].resize(static_cast<std::size_t>(state.count()));
    engine::copy_to_host(jerks[axis].data(), columns[axis].data(), state.count(), exec.stream);
  }
  copy.copy_back(state);
  return report;
}

sim::StepReport device_forces(const std::string& kernel, const sim::Gravity& gravity,
                              double gravitational, State<Host>& state) {
  return forces_in(default_launch, kernel, gravity, gravitational, state);
}
sim::StepReport device_forces_in_short_launches(const std::string& kernel,
                                                const sim::Gravity& gravity, double gravitational,
                                                State<Host>& state) {
  return forces_in(shortest_launch, kernel, gravity, gravitational, state);
}

double device_potential(const sim::Gravity& gravity, double gravitational,
                        const State<Host>& state) {
  return potential_in(default_launch, gravity, gravitational, state);
}
double device_potential_in_short_launches(const sim::Gravity& gravity, double gravitational,
                                          const State<Host>& state) {
  return potential_in(shortest_launch, gravity, gravitational, state);
}

DeviceMultipoleReport device_multipole(const sim::MultipoleSettings& settings, double softening,
                                       State<Host>& state, const sim::Domain& domain,
                                       const std::vector<std::uint32_t>& slots) {
  DeviceCopy copy(state);
  const engine::Cuda& exec = copy.exec();
  const auto chosen = engine::on_device(exec, slots);
  sim::DeviceMultipoleSolver gravity(settings, softening, 1, state, domain);
  DeviceMultipoleReport report;
  sim::clear_accelerations(exec, copy.state());
  sim::StepReport ignored;
  gravity.run(exec, copy.state(), {{}, {chosen.data(), chosen.size()}, {}}, ignored);
  report.repeated = gravity.repeated();
  report.counts = gravity.counts();
  copy.copy_back(state);
  return report;
}

double device_multipole_potential(const sim::MultipoleSettings& settings, double softening,
                                  const State<Host>& state, const sim::Domain& domain) {
  DeviceCopy copy(state);
  return sim::DeviceMultipoleSolver(settings, softening, 1, state, domain)
      .potential_energy(copy.exec(), copy.state());
}

sim::ForceErrors device_multipole_errors(const sim::MultipoleSettings& settings, double softening,
                                         const State<Host>& state) {
  DeviceCopy copy(state);
  return sim::DeviceMultipoleSolver(settings, softening, 1, state)
      .errors(copy.exec(), copy.state());
}

void device_order(const engine::Cuda& exec, const State<Device>& state,
                  std::vector<std::uint32_t> (*order)(const State<Host>&), std::uint32_t* from) {
  State<Host> here(state.count(), state.precision(), state.layout());
  sim::copy_columns(exec, here, state);
  engine::wait(exec);
  engine::copy_to_device(from, order(here).data(), state.count(), exec.stream);
  engine::wait(exec);
}

void device_clear(State<Host>& state) {
  DeviceCopy copy(state);
  clear_accelerations(copy.exec(), copy.state());
  copy.copy_back(state);
}

sim::Measurement device_measure(const State<Host>& state, double potential) {
  DeviceCopy copy(state);
  return sim::StateMeasure<engine::Cuda>(state.count())
      .measure(copy.exec(), copy.state(), potential);
}

std::uint64_t device_hash(const State<Host>& state, double time, std::uint64_t step) {
  DeviceCopy copy(state);
  return sim::StateMeasure<engine::Cuda>(state.count())
      .state_hash(copy.exec(), copy.state(), time, step);
}

std::int64_t device_first_not_finite(const State<Host>& state) {
  DeviceCopy copy(state);
  return sim::StateMeasure<engine::Cuda>(state.count()).first_not_finite(copy.exec(), copy.state());
}

std::optional<sim::Histogram> device_histogram(const State<Host>& state,
                                               const sim::HistogramRequest& request,
                                               engine::CountingKernel kernel) {
  DeviceCopy copy(state);
  if (!sim::can_count(copy.exec(), kernel, request.bins)) return {};
  return histogram(copy.exec(), copy.state(), request, kernel);
}

engine::CountingKernel device_counting_kernel(std::int64_t bins) {
  const engine::Stream stream(0);
  return sim::counting_kernel(stream.policy(), bins);
}

namespace {

/// Clock and record of stages on a device.
struct DeviceClock {
  DeviceClock(const engine::Cuda& exec, double dt) : record(1), clock(1) {
    const sim::DeviceRecord start;
    const sim::StepClock now{0, dt, 0, 0};
    engine::copy_to_device(record.data(), &start, 1, exec.stream);
    engine::copy_to_device(clock.data(), &now, 1, exec.stream);
    engine::wait(exec);
  }
  sim::StageTime at(double elapsed_fraction) {
    return {clock.data(), record.data(), elapsed_fraction};
  }
  engine::Buffer<sim::DeviceRecord, Device> record;
  engine::Buffer<sim::StepClock, Device> clock;
};

}  // namespace

void device_steps(State<Host>& state, const sim::Gravity& gravity, const sim::Scheme& scheme,
                  double dt, int steps) {
  DeviceCopy copy(state);
  DeviceDirectGravity direct(copy.exec(), gravity, 1.0, state);
  DeviceClock device(copy.exec(), dt);
  sim::StepReport report;
  clear_accelerations(copy.exec(), copy.state());
  direct.run(copy.exec(), copy.state(), report);
  for (int step = 0; step < steps; ++step)
    for (const sim::Moves& moves : sim::moves_of(scheme.step)) {
      move(copy.exec(), copy.state(), moves, device.clock.data(), device.record.data());
      if (moves.clears) direct.run(copy.exec(), copy.state(), report);
    }
  copy.copy_back(state);
}

sim::FluidReport device_fluid(const sim::Fluid& fluid, const sim::Domain& domain,
                              engine::Vec3d gravity, const std::vector<std::uint8_t>& kinds,
                              State<Host>& state, double ahead, int lanes) {
  DeviceCopy copy(state);
  sim::DeviceFluidForce force(copy.exec(), fluid, domain, gravity, kinds, state.precision(), lanes);
  DeviceClock device(copy.exec(), ahead);
  sim::StepReport report;
  force.run(copy.exec(), copy.state(), device.at(ahead > 0 ? 1 : 0), report);
  // Incomplete lists are replaced by a search of the cells, in the same order.
  force.grow_buffers(copy.exec());
  copy.copy_back(state);
  force.run(copy.exec(), copy.state(), device.at(0), report);
  return {force.largest_step(), report.interactions};
}

sim::DeviceRecord device_fluid_steps(const sim::Fluid& fluid,
                                     const std::vector<std::uint8_t>& kinds, State<Host>& state,
                                     double dt, int steps) {
  DeviceCopy copy(state);
  sim::DeviceFluidForce force(copy.exec(), fluid, {}, {0, 0, 0}, kinds, state.precision());
  DeviceClock device(copy.exec(), dt);
  sim::StepReport report;
  clear_accelerations(copy.exec(), copy.state());
  force.run(copy.exec(), copy.state(), device.at(0), report);
  for (int step = 0; step < steps; ++step)
    for (const sim::Moves& moves : sim::moves_of(sim::scheme_named("leapfrog")->step)) {
      move(copy.exec(), copy.state(), moves, device.clock.data(), device.record.data());
      if (moves.clears) force.run(copy.exec(), copy.state(), device.at(1), report);
    }
  copy.copy_back(state);
  sim::DeviceRecord found;
  engine::copy_to_host(&found, device.record.data(), 1, copy.exec().stream);
  engine::wait(copy.exec());
  return found;
}

MixtureReport device_mixture(const sim::Fluid& fluid, const sim::Domain& domain,
                             engine::Vec3d gravity, const std::vector<std::uint8_t>& kinds,
                             const std::vector<std::uint8_t>& grains, State<Host>& state,
                             double ahead, int lanes) {
  DeviceCopy copy(state);
  sim::DeviceFluidForce force(copy.exec(), fluid, domain, gravity, kinds, state.precision(), lanes);
  DeviceClock device(copy.exec(), ahead);
  const sim::StageTime time = device.at(ahead > 0 ? 1 : 0);
  MixtureReport result;
  result.porosity.assign(kinds.size(), 1);
  copy.state().visit([&]<class Real>(const StateView<Real>& s) {
    sim::DeviceMixtureForce<Real> mixture(copy.exec(), fluid, domain, kinds, grains, lanes);
    force.update(copy.exec(), s, time);
    const sim::DeviceCellView<Real> cells = force.cells<Real>();
    const sim::DevicePores<Real> pores = mixture.porosities(copy.exec(), s, cells);
    force.accelerate(copy.exec(), s, nullptr, time, pores);
    const sim::GrainStepLimits* const crowded =
        mixture.run(copy.exec(), s, cells, device.record.data());
    sim::StepReport report;
    force.check_step_size(copy.exec(), s, time, crowded, report);
    const auto slots = static_cast<std::size_t>(cells.count);
    std::vector<Real> porosity(slots);
    std::vector<std::int32_t> member(slots), selected(slots);
    sim::GrainStepLimits step;
    engine::copy_to_host(porosity.data(), pores.porosity, cells.count, copy.exec().stream);
    engine::copy_to_host(member.data(), cells.member, cells.count, copy.exec().stream);
    if (cells.selected)
      engine::copy_to_host(selected.data(), cells.selected, cells.count, copy.exec().stream);
    engine::copy_to_host(&step, crowded, 1, copy.exec().stream);
    engine::wait(copy.exec());
    for (std::size_t p = 0; p < slots; ++p) {
      const auto k = static_cast<std::size_t>(member[p]);
      result.porosity[cells.selected ? static_cast<std::size_t>(selected[k]) : k] =
          double(porosity[p]);
    }
    result.drag_step = step.largest_step;
  });
  force.grow_buffers(copy.exec());
  result.largest_step = force.largest_step();
  copy.copy_back(state);
  return result;
}

void device_contacts(const sim::ContactParams& params, const sim::Domain& domain,
                     const std::vector<std::uint8_t>& members, State<Host>& state) {
  DeviceCopy copy(state);
  sim::DeviceContactForce<double> force(copy.exec(), params, {}, domain, state, members);
  DeviceClock device(copy.exec(), 0);
  const sim::DeviceRecord start;
  force.grow_buffers(copy.exec());  // initial allocation
  do {                              // until all contacts fit; before that, nothing is added
    engine::copy_to_device(device.record.data(), &start, 1, copy.exec().stream);
    force.run(copy.exec(), copy.state(), device.at(0));
  } while (force.grow_buffers(copy.exec()));
  copy.copy_back(state);
}

}  // namespace mote::test
