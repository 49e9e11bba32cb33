#include "sim/run/device_simulation.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/measure/histogram_device.h"
#include "sim/run/device_columns.h"
#include "sim/run/opening.h"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Host;
using engine::Index;

struct KeptOnDevice final : KeptState {
  KeptOnDevice(Index bodies, engine::Precision precision, const StateShape& shape)
      : state(bodies, precision, shape) {}
  State<Device> state;
  std::string memory;  ///< of the forces
};

}  // namespace

DeviceSimulation::DeviceSimulation(const SceneDescription& scene, const Plan& plan, Start start)
    : Simulation(scene, plan, start.state.count(), std::move(start.names),
                 std::move(start.soft_mesh)),
      stages_(step_of(scene)),
      stepping_(plan.stepping),
      stream_(plan.device),
      exec_(stream_.policy()),
      mirror_(std::move(start.state)),
      state_(mirror_.count(), mirror_.precision(), mirror_.shape()),
      forces_(make_forces<Cuda>(exec_, physics(), mirror_)),
      kicking_(kicking_force(forces_)),
      constraining_(constraining_force(forces_)),
      measure_(std::make_unique<DeviceMeasure>(mirror_.count())),
      record_(1),
      record_host_(1),
      clock_(1) {
  if (kicking_) stages_ = with_separate_kicks(stages_);
  moves_ = moves_of(stages_, scene.integrator.dt);
  make_thermostat();
  start_stepping();
  outdated_ = false;
  refuse_not_finite(first_not_finite(), precision(), scene.file.string());
  if (!scene.goes_on) refuse_long_step(scene, dt(), largest_step());
  prepare();
}

std::uint64_t DeviceSimulation::hash() {
  engine::make_current(exec_);
  return measure_->state_hash(exec_, state_, time(), step());
}

const State<Host>& DeviceSimulation::state() {
  if (!mirrored_) {
    engine::make_current(exec_);
    copy_columns(mirror_, state_, exec_.stream, Direction::to_host);
    engine::wait(exec_);
    mirrored_ = true;
  }
  return mirror_;
}

Simulation::OnDevice DeviceSimulation::on_device() {
  engine::make_current(exec_);
  engine::wait(exec_);
  return {&state_, exec_.stream};
}

Measurement DeviceSimulation::measure() {
  engine::make_current(exec_);
  if (rows_) return with_time(rows_->measure(exec_, state_));
  double potential = 0;
  for (const auto& force : forces_) potential += force->potential_energy(exec_, state_, at_rest());
  double virial = 0;
  for (const auto& force : forces_) virial += force->virial();
  Measurement measured =
      with_pressure(measure_->measure(exec_, state_, potential, period()), virial);
  if (thermostat_) measured.energy += thermostat_->energy(exec_, state_);
  return with_time(measured);
}

Histogram DeviceSimulation::histogram(const HistogramRequest& request) {
  engine::make_current(exec_);
  return sim::histogram(exec_, state_, request);
}

std::unique_ptr<KeptState> DeviceSimulation::keep() {
  engine::make_current(exec_);
  auto kept = std::make_unique<KeptOnDevice>(count(), precision(), shape());
  copy_columns(kept->state, state_, exec_.stream, Direction::on_device);
  kept->memory = force_memory();
  note(*kept);
  return kept;
}

void DeviceSimulation::restore(const KeptState& kept) {
  engine::make_current(exec_);
  const State<Device>& from = dynamic_cast<const KeptOnDevice&>(kept).state;
  if (of_others(kept)) {
    State<Host> state(kept.count, precision(), shape());
    copy_columns(state, from, exec_.stream, Direction::to_host);
    engine::wait(exec_);
    take_ids(kept.ids, kept.count);
    lay_out(std::move(state));
  }
  copy_columns(state_, from, exec_.stream, Direction::on_device);
  for (const auto& force : forces_) force->replaced(exec_, state_);
  set_force_memory(dynamic_cast<const KeptOnDevice&>(kept).memory);
  mirrored_ = false;
  put_back(kept.clockwork, kept.live);
}

std::string DeviceSimulation::force_memory() {
  engine::make_current(exec_);
  std::string all;
  for (const auto& force : forces_) all += force->memory();
  return all;
}

void DeviceSimulation::pack(const PackTarget& target) {
  engine::make_current(exec_);
  sim::pack(exec_, state_, target);
}

BodyNumbers DeviceSimulation::body(Index column) {
  engine::make_current(exec_);
  State<Host> one(1, precision());
  copy_body(one, state_, column, exec_);
  return body_numbers(one, 0);
}

void DeviceSimulation::set_force_memory(std::string_view bytes) {
  engine::make_current(exec_);
  for (const auto& force : forces_) force->set_memory(bytes);
  look_once();
}

void DeviceSimulation::apply_live() {
  engine::make_current(exec_);
  engine::wait(exec_);
  for (const auto& force : forces_) force->change(live());
  moves_ = moves_of(stages_, dt());
  prepare();
}

void DeviceSimulation::evaluate_forces() {
  engine::make_current(exec_);
  StepReport ignored;
  evaluate(ignored);
  record_anew();
  mirrored_ = false;
}

std::int64_t DeviceSimulation::first_not_finite() {
  engine::make_current(exec_);
  return measure_->first_not_finite(exec_, state_);
}

void DeviceSimulation::lay_out(State<Host> state) {
  engine::make_current(exec_);
  engine::wait(exec_);
  const std::string memory = force_memory();
  one_step_.reset(), many_steps_.reset();
  cooperative_.reset();
  pair_steps_.reset();
  rows_.reset();
  kicking_ = constraining_ = nullptr;
  forces_.clear();
  measure_.reset();
  state_ = State<Device>(0, precision());
  mirror_ = std::move(state);
  state_ = State<Device>(mirror_.count(), precision(), shape());
  forces_ = make_forces<Cuda>(exec_, physics(), mirror_);
  for (const auto& force : forces_) force->set_memory(memory);  // of those that stay
  kicking_ = kicking_force(forces_);
  constraining_ = constraining_force(forces_);
  measure_ = std::make_unique<DeviceMeasure>(mirror_.count());
  for (const auto& force : forces_) force->change(live());
  make_thermostat();
  stepping_ = stepping_for(plan(), physics(), mirror_.count());
  slice_ = 1, step_seconds_ = std::numeric_limits<double>::infinity();
  start_stepping();
  prepare();
}

void DeviceSimulation::copy_numbers(const State<Host>& state) {
  engine::make_current(exec_);
  copy_columns(state_, state, exec_.stream, Direction::to_device);
  for (const auto& force : forces_) force->replaced(exec_, state_);
  look_once();
  mirrored_ = false;
}

void DeviceSimulation::start_stepping() {
  measures_rows_ = measures_rows(physics(), mirror_.count());
  copy_columns(state_, mirror_, exec_.stream, Direction::to_device);
  mirrored_ = false;
  reset_record();
  StepReport once;
  evaluate(once);
  if (settles()) {
    // Only now is known how many neighbours there are.
    settle();
    once = {};
    evaluate(once);
  }
  const auto evaluations =
      std::count_if(moves_.begin(), moves_.end(), [](const Moves& m) { return m.clears; });
  interactions_of_step_ = once.interactions * static_cast<std::uint64_t>(evaluations);
}

void DeviceSimulation::make_thermostat() {
  thermostat_.reset();
  if (physics().thermostat)
    thermostat_ = std::make_unique<DeviceThermostat>(
        *physics().thermostat, static_cast<std::uint64_t>(physics().head.seed), keeps_momentum(),
        mirror_.count());
}

bool DeviceSimulation::settle() {
  bool again = false;
  for (const auto& force : forces_) again = force->settle(exec_) || again;
  return again;
}

std::unique_ptr<Simulation> open_device_simulation(const SceneDescription& scene,
                                                   const Plan& plan) {
  return std::make_unique<DeviceSimulation>(scene, plan, make_start(scene, plan));
}

}  // namespace mote::sim
