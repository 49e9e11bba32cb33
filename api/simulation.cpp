#include <algorithm>
#include <thread>
#include <utility>

#include "api/bodies.h"
#include "api/mote.h"
#include "api/parts.h"
#include "engine/json.h"
#include "engine/quantity.h"
#include "engine/text.h"
#include "sim/output/checkpoint.h"
#include "sim/output/run_folder.h"
#include "sim/script/emission.h"
#include "sim/source/param_call.h"

namespace mote {
namespace {

using sim::StateView;

std::array<double, 3> array_of(engine::Vec3d v) {
  return {v.x, v.y, v.z};
}

/// A column of a state in host or device memory.
template <class Real>
Array column_of(const StateView<const Real>& s, Column column) {
  Array array{.data = s.id, .count = static_cast<std::size_t>(s.count), .kind = 'u', .bytes = 4};
  if (column == Column::id) return array;
  array.data =
      s.common()[static_cast<std::size_t>(column) - static_cast<std::size_t>(Column::mass)];
  array.kind = 'f';
  array.bytes = sizeof(Real);
  return array;
}

/// Copies one or three columns as doubles, interleaved by body.
std::vector<double> copy(sim::Simulation& simulation, std::initializer_list<Column> columns) {
  const auto& state = simulation.state();
  std::vector<double> out(columns.size() * static_cast<std::size_t>(state.count()));
  state.visit([&]<class Real>(StateView<const Real> s) {
    std::size_t first = 0;
    for (const Column column : columns) {
      const auto* from = static_cast<const Real*>(column_of(s, column).data);
      for (std::size_t i = 0; i < static_cast<std::size_t>(s.count); ++i)
        out[columns.size() * i + first] = static_cast<double>(from[i]);
      ++first;
    }
  });
  return out;
}

constexpr const char* species_field = "species";

/// "SpinX" of a dataset as "spin_x".
std::string small_letters(std::string_view name) {
  std::string small;
  for (const char c : name) {
    const bool capital = c >= 'A' && c <= 'Z';
    if (capital && !small.empty()) small += '_';
    small += capital ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return small;
}

/// The step after `most` steps.
std::uint64_t last_of(std::uint64_t now, std::uint64_t most) {
  return most > ~now ? ~std::uint64_t{0} : now + most;
}

}  // namespace

Simulation::Simulation(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Simulation::Simulation(Simulation&&) noexcept = default;

Simulation& Simulation::operator=(Simulation&& other) noexcept {
  if (this == &other) return *this;
  const Simulation past(std::move(*this));
  parts_ = std::move(other.parts_);
  return *this;
}

Simulation::~Simulation() {
  // After a fork, GPU resources belong to the parent: do not free them.
  if (parts_ && parts_->lost_by_fork()) static_cast<void>(parts_.release());
}

Simulation::Parts& Simulation::parts() const {
  if (!parts_)
    throw std::logic_error("this mote::Simulation was moved from: only assign to it or destroy it");
  if (parts_->lost_by_fork())
    throw SystemError("use a simulation that is on a GPU in a forked child process",
                      "CUDA does not survive a fork",
                      "start processes with spawn or exec, or use the cpu backend");
  const std::thread::id stepping = parts_->stepping;
  if (stepping != std::thread::id{} && stepping != std::this_thread::get_id())
    throw std::logic_error("another thread steps this mote::Simulation: wait for it");
  return *parts_;
}

std::uint64_t Simulation::step(std::uint64_t steps, const StopWish& stop) {
  const std::uint64_t last = last_of(step_count(), steps);
  return parts().advance([last] { return last; }, stop);
}

std::uint64_t Simulation::run_until(double time, const StopWish& stop, std::uint64_t most) {
  if (!(time < 1e300)) throw InputError("run", "the time to run until is not finite");
  const std::uint64_t last = last_of(step_count(), most);
  return parts().advance([&] { return std::min(last, parts().step_at(time)); }, stop);
}

std::uint64_t Simulation::run_until(const std::string& time, const StopWish& stop,
                                    std::uint64_t most) {
  return run_until(parts().time_of(time), stop, most);
}

std::uint64_t Simulation::run(const StopWish& stop, std::uint64_t most) {
  parts().expect_end();
  const std::uint64_t last = last_of(step_count(), most);
  return parts().advance([&] { return std::min(last, parts().last_step()); }, stop);
}

const std::string& Simulation::ended() const {
  return parts().ended;
}

const std::string& Simulation::warning() const {
  const sim::EnergyHealth& energy = parts().loop.energy();
  return energy.failure().empty() ? energy.warning() : energy.failure();
}

double Simulation::time() const {
  return parts().simulation->time();
}
double Simulation::time_of(const std::string& text) const {
  return parts().time_of(text);
}
double Simulation::dt() const {
  return parts().simulation->dt();
}
double Simulation::last_dt() const {
  return parts().simulation->clock().dt;
}
std::uint64_t Simulation::step_count() const {
  return parts().simulation->step();
}
std::uint64_t Simulation::interactions() const {
  return parts().simulation->interactions();
}
std::size_t Simulation::count() const {
  return static_cast<std::size_t>(parts().simulation->count());
}
std::string Simulation::backend() const {
  return std::string(engine::name_of(parts().plan.backend));
}
std::string Simulation::precision() const {
  return std::string(engine::name_of(parts().plan.precision));
}
std::string Simulation::title() const {
  return parts().scene.head.title;
}
std::string Simulation::units() const {
  return parts().scene.head.units;
}
std::string Simulation::scene_json() const {
  return engine::json_text(parts().scene.expanded, 1);
}
const std::vector<std::string>& Simulation::reasons() const {
  return parts().plan.reasons;
}

Measurement Simulation::measure() {
  const sim::Measurement m = parts().measure();
  return {.time = m.time,
          .step = m.step,
          .kinetic = m.kinetic,
          .potential = m.potential,
          .energy = m.energy,
          .energy_error = m.energy_error,
          .energy_drift = parts().loop.energy().drift(),
          .virial_ratio = m.virial_ratio,
          .mass = m.mass,
          .momentum = array_of(m.momentum),
          .angular_momentum = array_of(m.angular_momentum),
          .center_of_mass = array_of(m.center_of_mass),
          .lagrangian_radii = m.lagrangian_radii,
          .low = array_of(m.low),
          .high = array_of(m.high),
          .fastest = m.fastest,
          .temperature = m.temperature,
          .pressure = m.pressure,
          .constraint_energy = m.constraint_energy};
}

std::string Simulation::hash() {
  return sim::hash_text(parts().simulation->hash());
}

Array Simulation::array(Column column) {
  parts().exported = parts().exported || !bodies_may_change();
  return parts().simulation->state().visit([&](auto s) { return column_of(s, column); });
}

Array Simulation::device_array(Column column) {
  parts().exported = parts().exported || !bodies_may_change();
  const sim::Simulation::OnDevice on = parts().simulation->on_device();
  if (!on.state)
    throw InputError("device_array", "the bodies are not on a GPU",
                     "use array(), or the cuda backend");
  Array array = on.state->visit([&](auto s) { return column_of(s, column); });
  array.device = parts().plan.device;
  array.stream = on.stream;
  return array;
}

bool Simulation::bodies_may_change() const {
  return !parts().scene.hooks.empty() || sim::changes_bodies(parts().scene) ||
         parts().simulation->moves_bodies() || parts().changed;
}

void Simulation::expect_type(const Array& array, char kind, std::size_t bytes) {
  if (array.kind == kind && array.bytes == static_cast<int>(bytes)) return;
  throw InputError("view", "the column has another type",
                   array.kind == 'u'  ? "use view<std::uint32_t>"
                   : array.bytes == 4 ? "use view<float>: the precision is single"
                                      : "use view<double>: the precision is double or mixed");
}

std::vector<double> Simulation::masses() {
  return copy(*parts().simulation, {Column::mass});
}
std::vector<double> Simulation::positions() {
  return copy(*parts().simulation, {Column::x, Column::y, Column::z});
}
std::vector<double> Simulation::velocities() {
  return copy(*parts().simulation, {Column::vx, Column::vy, Column::vz});
}
std::vector<double> Simulation::accelerations() {
  return copy(*parts().simulation, {Column::ax, Column::ay, Column::az});
}

std::vector<std::string> Simulation::fields() const {
  const sim::StateLayout& layout = parts().simulation->layout();
  std::vector<std::string> names;
  if (layout.species) names.emplace_back(species_field);
  for (const sim::FieldInfo* field : layout.fields_of(sim::FieldUse::physical))
    names.push_back(small_letters(field->name));
  return names;
}

std::vector<double> Simulation::field(const std::string& name) {
  const auto& state = parts().simulation->state();
  if (name == species_field && state.with_species())
    return {state.species(), state.species() + state.count()};
  for (const sim::FieldInfo* field : state.layout().fields_of(sim::FieldUse::physical))
    if (small_letters(field->name) == name)
      return state.visit([&](auto s) {
        const auto* values = s[*field];
        return std::vector<double>(values, values + s.count);
      });
  const std::vector<std::string> names = fields();
  throw InputError("field", "the bodies of this scene have no '" + name + "'",
                   names.empty() ? "they have none but mass, position, velocity and acceleration"
                                 : "they have " + engine::joined(names, ", "));
}

std::string Simulation::name(std::uint32_t id) const {
  return parts().simulation->name(id);
}

void Simulation::set(const std::string& path, double value) {
  for (const std::string& found : sim::live_paths_of(parts().scene.params, path))
    parts().steps.edit(found, value);
}

void Simulation::set(const std::string& path, const std::string& value) {
  const sim::LiveSettings& live = parts().simulation->live();
  for (const std::string& found : sim::live_paths_of(parts().scene.params, path))
    parts().steps.edit(found, sim::live_value_of(live, found, value, parts().scene.units));
}

std::map<std::string, double> Simulation::live() const {
  std::map<std::string, double> values;
  const sim::LiveSettings& live = parts().simulation->live();
  for (const std::string& path : sim::live_paths(live))
    if (const auto value = sim::live_value(live, path); std::holds_alternative<double>(value))
      values[path] = std::get<double>(value);
  return values;
}

void Simulation::change(std::span<const double> mass, std::span<const double> position,
                        std::span<const double> velocity) {
  parts().begin_change();
  parts().simulation->change_values({mass, position, velocity});
}

std::uint32_t Simulation::add(const Bodies& bodies) {
  sim::Bodies added = api::checked_bodies(bodies, "add");
  const std::uint32_t first = parts().simulation->next_id();
  parts().begin_change();
  parts().steps.change_bodies({.removed = {}, .added = std::move(added)});
  return first;
}

std::uint32_t Simulation::add(const std::string& tables,
                              const std::optional<std::uint32_t>& around) {
  sim::Simulation& simulation = *parts().simulation;
  const std::uint32_t first = simulation.next_id();
  std::optional<sim::BodyState> center;
  if (around) {
    const auto index = simulation.index_of(*around);
    if (!index)
      throw InputError("around", "there is no body with the id " + std::to_string(*around));
    center = simulation.body(*index);
  }
  sim::Bodies bodies =
      api::bodies_of_tables(parts().scene, tables, center, first, parts().plan.cpu.threads);
  parts().begin_change();
  parts().steps.change_bodies({.removed = {}, .added = std::move(bodies)});
  return first;
}

void Simulation::remove(std::span<const std::uint32_t> ids) {
  std::vector<std::uint32_t> removed(ids.begin(), ids.end());
  std::sort(removed.begin(), removed.end());
  for (std::size_t k = 0; k < removed.size(); ++k) {
    const bool twice = k > 0 && removed[k] == removed[k - 1];
    if (!twice && parts().simulation->index_of(removed[k])) continue;
    const std::string id = std::to_string(removed[k]);
    throw InputError(
        "remove", twice ? "names the body " + id + " twice" : "there is no body with the id " + id,
        "use ids of the column `id`, each once");
  }
  parts().begin_change();
  parts().steps.change_bodies({.removed = std::move(removed), .added = {}});
}

void Simulation::checkpoint(const std::string& path) {
  parts().expect_healthy();
  sim::write_checkpoint(path, *parts().simulation, parts().scene, parts().plan,
                        parts().steps.edits_so_far(),
                        parts().scene.hooks.empty() ? engine::Json() : parts().loop.hooks().data());
}

Picture Simulation::render(int width, int height) {
  if (width < 16 || height < 16 || width > 16384 || height > 16384)
    throw InputError("render", "width and height must be 16 to 16384 pixels");
  auto& painter = parts().painter_of_this_process();
  if (!painter || painter->width != width || painter->height != height) {
    painter.reset();
    painter = api::make_painter(parts().scene, width, height);
  }
  return painter->draw(*parts().simulation);
}

}  // namespace mote
