#include "sim/device/device_simulation.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/device/device_columns.h"
#include "sim/measure/histogram_device.h"
#include "sim/motion/integrators.h"
#include "sim/run/backends.h"
#include "sim/run/initial_state.h"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Host;
using engine::Index;

struct SavedOnDevice final : SavedState {
  SavedOnDevice(Index bodies, engine::Precision precision, const StateLayout& layout)
      : state(bodies, precision, layout) {}
  State<Device> state;
  BodyOrder<Cuda> order;
  std::string force_state;
};

}  // namespace

DeviceSimulation::DeviceSimulation(const SceneDescription& scene, const Plan& plan,
                                   InitialState start)
    : Simulation(start, plan),
      stepping_(plan.stepping),
      stream_(plan.device),
      exec_(stream_.policy()),
      mirror_(std::move(start.state)),
      state_(mirror_.count(), mirror_.precision(), mirror_.layout()),
      forces_(make_forces(exec_, model(), mirror_)),
      integrator_(info_of(model().integrator)
                      .make_on_device(model().integrator, traits_of(model(), forces_))),
      measure_(std::make_unique<DeviceMeasure>(mirror_.count())),
      record_(1),
      record_host_(1),
      clock_(1) {
  start_stepping();
  graphs_outdated_ = false;
  note_largest_step();
  refuse_not_finite(first_not_finite(), precision(), scene.file.string());
  if (!scene.restored) refuse_long_step(model(), dt(), largest_step());
  prepare();
}

std::uint64_t DeviceSimulation::hash() {
  engine::make_current(exec_);
  return measure_->state_hash(exec_, state_, time(), step());
}

const State<Host>& DeviceSimulation::state() {
  if (!mirrored_) {
    engine::make_current(exec_);
    order_.copy_by_id(exec_, mirror_, state_);
    mirrored_ = true;
  }
  return mirror_;
}

Simulation::OnDevice DeviceSimulation::on_device() {
  engine::make_current(exec_);
  if (!order_.by_id()) {
    if (!by_id_) by_id_.emplace(count(), precision(), layout());
    order_.copy_by_id(exec_, *by_id_, state_);
  }
  engine::wait(exec_);
  return {order_.by_id() ? &state_ : &*by_id_, exec_.stream};
}

std::vector<SolidState> DeviceSimulation::solids() {
  std::vector<SolidState> solids(solid_names(model().obstacles).size());
  if (solids.empty()) return solids;
  engine::make_current(exec_);
  engine::copy_bytes_to_host(solids.data(), solids_of(state_), solids.size() * sizeof(SolidState),
                             exec_.stream);
  engine::wait(exec_);
  return solids;
}

Measurement DeviceSimulation::measure() {
  engine::make_current(exec_);
  if (sampled_) return with_time(sampled_->measure(exec_, state_));
  const PotentialEnergy potential = potential_energy(forces_.all, exec_, state_, current_time());
  Measurement measured = with_pressure(measure_->measure(exec_, state_, potential.all, period()),
                                       virial(forces_.all), constraint_count(forces_.all));
  measured.constraint_energy = potential.constraints;
  if (forces_.heating) measured.energy += forces_.heating->bath_energy(exec_, state_);
  return with_time(with_solids(std::move(measured)));
}

std::optional<ForceErrors> DeviceSimulation::force_errors() {
  engine::make_current(exec_);
  return worst_errors(forces_.all, exec_, state_);
}

std::vector<double> DeviceSimulation::potentials() {
  engine::make_current(exec_);
  std::vector<double> by_slot;
  for (const auto& force : forces_.all)
    if (by_slot.empty()) by_slot = force->potentials(exec_, state_);
  if (order_.by_id() || by_slot.empty()) return by_slot;
  std::vector<double> by_index(by_slot.size());
  const std::vector<std::uint32_t> slots = slots_of(order_.serialize(exec_));
  for (std::size_t i = 0; i < slots.size(); ++i) by_index[i] = by_slot[slots[i]];
  return by_index;
}

std::optional<Impulse> DeviceSimulation::impulse_of_forces() {
  engine::make_current(exec_);
  return impulse_of(forces_.all, exec_);
}

void DeviceSimulation::set_impulse_of_forces(const Impulse& impulse) {
  engine::make_current(exec_);
  for (const auto& force : forces_.all) force->set_impulse(exec_, impulse);
}

Histogram DeviceSimulation::histogram(const HistogramRequest& request) {
  engine::make_current(exec_);
  if (is_computed(request.scalar.kind))
    return sim::histogram(engine::Cpu{engine::available_threads()}, computed(request.scalar),
                          request);
  return sim::histogram(exec_, state_, request);
}

std::unique_ptr<SavedState> DeviceSimulation::save() {
  engine::make_current(exec_);
  auto saved = std::make_unique<SavedOnDevice>(count(), precision(), layout());
  copy_columns(saved->state, state_, exec_.stream, Direction::on_device);
  saved->order.copy(exec_, order_);
  saved->force_state = force_state();
  save_common(*saved);
  return saved;
}

void DeviceSimulation::restore(const SavedState& saved) {
  engine::make_current(exec_);
  const auto& own = dynamic_cast<const SavedOnDevice&>(saved);
  const State<Device>& from = own.state;
  if (takes_other_modules(saved.live) || has_other_bodies(saved)) {
    State<Host> state(saved.count, precision(), layout());
    copy_columns(state, from, exec_.stream, Direction::to_host);
    engine::wait(exec_);
    set_ids(saved.ids, saved.count);
    rebuild(std::move(state));
  }
  copy_columns(state_, from, exec_.stream, Direction::on_device);
  order_.copy(exec_, own.order);
  for (const auto& force : forces_.all) force->on_state_replaced(exec_, state_);
  set_force_state(own.force_state);
  mirrored_ = false;
  restore_common(saved);
}

std::string DeviceSimulation::force_state() {
  engine::make_current(exec_);
  std::string all;
  for (const auto& force : forces_.all) all += force->serialize();
  return all;
}

void DeviceSimulation::pack(const engine::PointFrame& to, const PackRequest& request) {
  engine::make_current(exec_);
  sim::pack(exec_, state_, to, request, order_.slots(), computed(request.scalar));
}

BodyState DeviceSimulation::body(Index index) {
  engine::make_current(exec_);
  State<Host> one(1, precision());
  copy_body(one, state_, order_.slot(exec_, index), exec_);
  return body_state(one, 0);
}

void DeviceSimulation::set_force_state(std::string_view bytes) {
  engine::make_current(exec_);
  for (const auto& force : forces_.all) force->deserialize(bytes);
  rebuild_contacts();
}

HiddenState DeviceSimulation::hidden_state() {
  return {force_state(), integrator_->serialize(), order_.serialize(exec_)};
}

void DeviceSimulation::set_hidden_state(const HiddenState& hidden) {
  engine::make_current(exec_);
  if (moves_bodies()) order_.restore(exec_, state_, hidden.order);
  mirrored_ = false;
  set_force_state(hidden.forces);
  integrator_->deserialize(hidden.integrator);
}

void DeviceSimulation::apply_live() {
  engine::make_current(exec_);
  engine::wait(exec_);
  for (const auto& force : forces_.all) force->change();
  prepare();
}

void DeviceSimulation::evaluate_forces() {
  engine::make_current(exec_);
  StepReport ignored;
  evaluate(ignored);
  graphs_outdated_ = grow_buffers() || graphs_outdated_;
  refresh_graphs();
  mirrored_ = false;
}

std::int64_t DeviceSimulation::first_not_finite() {
  engine::make_current(exec_);
  return measure_->first_not_finite(exec_, state_);
}

void DeviceSimulation::rebuild(State<Host> state) {
  engine::make_current(exec_);
  engine::wait(exec_);
  const std::string bytes = force_state();
  one_step_.reset(), many_steps_.reset();
  whole_steps_.reset();
  sampled_.reset();
  forces_ = {};
  measure_.reset();
  if (takes_retention()) retained_.push_back(std::move(state_));
  state_ = State<Device>(0, precision());
  order_.reset();
  by_id_.reset();
  mirror_ = std::move(state);
  state_ = State<Device>(mirror_.count(), precision(), layout());
  forces_ = ForceSet<Cuda>(make_forces(exec_, model(), mirror_));
  for (const auto& force : forces_.all) force->deserialize(bytes);  // of the bodies that remain
  measure_ = std::make_unique<DeviceMeasure>(mirror_.count());
  stepping_ = stepping_for(plan(), model(), mirror_.count());
  slice_ = 1, step_seconds_ = std::numeric_limits<double>::infinity();
  start_stepping();
  prepare();
}

void DeviceSimulation::copy_fields(const State<Host>& state) {
  engine::make_current(exec_);
  copy_columns(state_, state, exec_.stream, Direction::to_device);
  order_.reset();
  for (const auto& force : forces_.all) force->on_state_replaced(exec_, state_);
  rebuild_contacts();
  mirrored_ = false;
}

void DeviceSimulation::start_stepping() {
  copy_columns(state_, mirror_, exec_.stream, Direction::to_device);
  mirrored_ = false;
  reset_record();
  StepReport once;
  evaluate(once);
  if (grows_buffers()) {
    // The first evaluation has counted the neighbours.
    grow_buffers();
    once = {};
    evaluate(once);
  }
  interactions_per_step_ =
      once.interactions * static_cast<std::uint64_t>(integrator_->evaluations());
}

bool DeviceSimulation::grows_buffers() const {
  return std::any_of(forces_.all.begin(), forces_.all.end(),
                     [](const auto& force) { return force->has_growing_buffers(); });
}

bool DeviceSimulation::grow_buffers() {
  bool grown = false;
  for (const auto& force : forces_.all) grown = force->grow_buffers(exec_) || grown;
  return grown;
}

std::unique_ptr<Simulation> open_device_simulation(const SceneDescription& scene,
                                                   const Plan& plan) {
  return std::make_unique<DeviceSimulation>(scene, plan, make_initial_state(scene, plan));
}

}  // namespace mote::sim
