#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/exec/policy.h"
#include "engine/math/vec.h"
#include "engine/params.h"
#include "sim/body_links.h"
#include "sim/contact_network.h"
#include "sim/force.h"
#include "sim/measure/pack.h"
#include "sim/model/body_events.h"
#include "sim/module.h"

namespace mote::sim {

struct BodyTraits;
struct MakeContext;
struct Model;
struct SceneReading;

/// Whether a GPU can evaluate a module. `problem`: why not, or "". `note`: a line for the plan
/// about how it will, or "".
struct DeviceSupport {
  std::string problem, remedy, note;
};

/// When bodies get the initial values of their fields: at the start, or when they are added.
enum class FillTime { start, added };

/// A parameter of a module, by its path in the expanded scene: "gravity.softening",
/// "fields.2.linear".
struct PhysicsParam {
  std::string path;
  std::string table;  ///< name of its table: "gravity", "drag"
  const engine::ParamInfo* info;
  engine::ParamType type;
  engine::ParamValue value, standard;
  bool in_potential = true;  ///< whether a change of it changes the potential energy
};

/// Finds contacts of bodies on the host.
class ContactFinder {
 public:
  virtual ~ContactFinder() = default;
  /// `force_state`: serialized by the forces.
  virtual ContactNetwork contacts(const engine::Cpu& exec, const State<engine::Host>& state,
                                  double time, std::string_view force_state) = 0;
};

/// How many bodies are evaluated, where, and in which precision.
struct Workload {
  engine::Index bodies;
  engine::Backend backend;
  engine::Precision precision;
};

/// How a module evaluates a workload.
struct Evaluation {
  /// Estimated cost of a step, in interactions of direct summation.
  double interactions = 0;
  std::string method = "";  ///< "expansions of order 6", where a scene chooses; or ""
  std::string choice = "";  ///< a line for the plan about it, where there was a choice; or ""
  bool expands = false;     ///< by expansions: forces jump by their errors (expanded_forces)
};

/// A module of physics in a scene, with its parameters. All functions but the first two have a
/// default, for a module of forces that conserve energy and need no memory.
class Physics {
 public:
  virtual ~Physics() = default;
  virtual const ModuleInfo& info() const = 0;
  virtual std::unique_ptr<Physics> clone() const = 0;

  // Parameters.
  virtual std::vector<PhysicsParam> params() const { return {}; }
  /// Sets a live one of params(); the value has its type and is in its range. False: none has this
  /// path.
  virtual bool set(std::string_view /*path*/, const engine::ParamValue&) { return false; }

  /// False if its parameters make it do nothing. Only modules that are added while a scene runs
  /// (PhysicsModule::make) may say so.
  virtual bool acts() const { return true; }
  /// True if it gives energy to the bodies that is neither theirs nor an error: the reference of
  /// energy errors moves by it.
  virtual bool works_from_outside() const { return false; }

  // Reading a scene.
  /// Reports what contradicts the rest of the scene, beyond ModuleInfo::excludes and needs.
  virtual void check(const SceneReading&) const {}
  /// Features that rules of modules may refer to beside the subject: "velocity-dependent fields".
  virtual std::vector<std::string> features() const { return {}; }
  /// Optional keys of bodies that the module allows.
  virtual void add_traits(BodyTraits&) const {}
  /// True if bodies of this species (from 1) are of this matter although it does not say so.
  virtual bool claims(std::size_t /*species*/) const { return false; }

  // Making bodies.
  virtual void set_context(const Model&, MakeContext&) const {}
  /// Moves what bodies bring besides their fields out of the initial bodies.
  virtual void take(Bodies& /*made*/) {}
  /// True if a resumed run must make the initial bodies again, for take().
  virtual bool takes_bodies() const { return false; }
  /// Lines about a start that cannot be meant. `given`: the bodies as generated.
  virtual std::vector<std::string> start_warnings(const engine::Cpu&, const Model&,
                                                  const Bodies& /*given*/,
                                                  const State<engine::Host>&) const {
    return {};
  }
  /// Throws InputError if the start is invalid. What Force::check_start checks on the CPU is
  /// checked here only for a GPU.
  virtual void check_start(const engine::Cpu&, const Model&, const State<engine::Host>&,
                           engine::Backend) const {}

  // Fields of bodies.
  virtual void add_fields(const Model&, StateLayout&) const {}
  virtual void fill(State<engine::Host>&, engine::Index /*first*/, const Model&, FillTime) const {}

  // Forces and steps. Model and module outlive the forces.
  virtual void add_forces(const engine::Cpu&, const Model&, const State<engine::Host>&,
                          Forces<engine::Cpu>&) const {}
  virtual void add_forces(const engine::Cuda&, const Model&, const State<engine::Host>&,
                          Forces<engine::Cuda>&) const {}
  /// The step of the scheme, with stages that the module adds.
  virtual Step step(const Step& scheme) const { return scheme; }
  virtual std::optional<double> gravitational() const { return {}; }  ///< G, if overridden
  virtual engine::Vec3d uniform_acceleration() const { return {0, 0, 0}; }
  /// True if the domain has an effect on it.
  virtual bool uses_domain() const { return info().uses_domain; }
  virtual bool conserves_momentum() const { return info().conserves_momentum; }
  virtual bool defines_temperature(const Model&) const { return false; }
  virtual std::vector<EnergyEffect> energy_effects(const Model&) const { return {}; }
  /// True if bodies that keep their velocity whatever acts on them move: they work on others.
  virtual bool drives(const Model&, const State<engine::Host>&) const { return false; }
  /// True if the energy includes that of constraints, which depends on the last step.
  virtual bool energy_depends_on_step() const { return false; }
  /// A remedy besides a smaller dt that reduces errors of the energy: "a larger softening", or "".
  virtual std::string accuracy_advice() const { return ""; }
  /// Why a step has become too long, and what to do, if its forces limit steps; or "".
  virtual std::string cause_of_long_step() const { return ""; }
  /// Likely cause of bodies that are not finite, and its remedy, other than a step too long; or "".
  virtual std::string cause_of_not_finite() const { return ""; }
  /// Throws InputError if steps of this length are unstable whatever the bodies do. Asked at the
  /// start, and before live parameters change.
  virtual void check_step(const Model&, double /*dt*/) const {}
  /// True if it multiplies all velocities by a factor, which keeps the direction of the angular
  /// momentum but not its length.
  virtual bool scales_velocities() const { return false; }
  /// True if it can move bodies that are at rest and feel no pair force.
  virtual bool moves_resting_bodies() const { return true; }
  /// Ids of two bodies each that have no contact, because constraints hold them together.
  virtual std::vector<std::pair<std::uint32_t, std::uint32_t>> joined_pairs() const { return {}; }
  /// The most such partners of a body.
  virtual engine::Index most_joined() const { return 0; }
  /// Null if no bodies appear or vanish by themselves during a run. `model` outlives it.
  virtual std::unique_ptr<BodyEvents> body_events(const Model&) const { return nullptr; }
  virtual DeviceSupport device_support(const std::string& /*compute_capability*/) const {
    return {};
  }

  /// The limits of ModuleInfo::steppings on this GPU. Only in a build with CUDA.
  virtual WholeStepLimits whole_step_limits(const engine::Cuda&, engine::Precision) const {
    return {};
  }

  // Costs.
  /// A function of parameters and workload, never of the machine, so that a scene has one method.
  /// Throws InputError if it cannot evaluate them. The default: about 64 neighbours of each body,
  /// which on a CPU cost 16 interactions of direct summation each.
  virtual Evaluation evaluation(const Workload& work) const {
    const auto n = static_cast<double>(work.bodies);
    return {n * std::min(n, 64.0) * (work.backend == engine::Backend::cuda ? 1 : 16)};
  }
  virtual std::uint64_t host_bytes(const Model&, engine::Index, engine::Precision) const {
    return 0;
  }
  virtual std::uint64_t device_bytes(const Model&, engine::Index, engine::Precision) const {
    return 0;
  }
  virtual std::uint64_t state_bytes(engine::Index, engine::Precision) const { return 0; }
  /// Predicted time of one evaluation on the CPU [s]; 0 where only a measurement tells.
  virtual double seconds_of_forces(const engine::Cpu&, engine::Precision, engine::Index) const {
    return 0;
  }

  // Pictures.
  /// Radius of spheres [length] that stand for its bodies; 0 for points. `species` from 1; 0: none.
  virtual double drawn_radius(std::size_t /*species*/) const { return 0; }
  /// Radii by species, if some of them are not drawn like others.
  virtual std::optional<SpeciesRadii> species_radii(const Model&) const { return {}; }
  /// True if it is drawn as the surface of a liquid.
  virtual bool is_liquid() const { return false; }
  /// Adds what connects the bodies that it has taken.
  virtual void add_links(BodyLinks&) const {}

  // Output.
  /// Null without contacts.
  virtual std::unique_ptr<ContactFinder> contacts(const engine::Cpu&, const Model&,
                                                  const State<engine::Host>&) const {
    return nullptr;
  }
};

/// A module whose parameters are an `Owner`; PhysicsList finds them by this type.
template <class Owner>
class PhysicsOf : public Physics {
 public:
  PhysicsOf() = default;
  explicit PhysicsOf(Owner owner) : parameters(std::move(owner)) {}
  Owner parameters;
};

/// A Physics that is able to copy itself as `Derived`.
template <class Derived, class Owner>
class PhysicsBase : public PhysicsOf<Owner> {
 public:
  using PhysicsOf<Owner>::PhysicsOf;
  std::unique_ptr<Physics> clone() const override {
    return std::make_unique<Derived>(static_cast<const Derived&>(*this));
  }
};

/// Appends the parameters of a table whose path is `path`.
template <class Owner>
void append_params(std::vector<PhysicsParam>& all, const std::string& path,
                   const engine::ParamTable<Owner>& table, const Owner& owner) {
  const Owner standard{};
  for (const engine::Param<Owner>& p : table.params)
    all.push_back(
        {path + "." + p.info.name, table.name, &p.info, p.type, p.get(owner), p.get(standard)});
}

/// The parameters of a list of such tables: "emitters.1", "emitters.2", ...
template <class Owner>
void append_params(std::vector<PhysicsParam>& all, const std::string& path,
                   const engine::ParamTable<Owner>& table, const std::vector<Owner>& list) {
  for (std::size_t i = 0; i < list.size(); ++i)
    append_params(all, path + "." + std::to_string(i + 1), table, list[i]);
}

/// Sets the parameter of this path, if the table has it.
template <class Owner>
bool set_param(std::string_view path, const std::string& prefix,
               const engine::ParamTable<Owner>& table, Owner& owner,
               const engine::ParamValue& value) {
  for (const engine::Param<Owner>& p : table.params)
    if (path == prefix + "." + p.info.name) return p.set(owner, value), true;
  return false;
}

/// The physics of a scene, in the order of modules(): a value, copied deeply.
class PhysicsList {
 public:
  PhysicsList() = default;
  PhysicsList(const PhysicsList& other) {
    for (const auto& p : other.all_) all_.push_back(p->clone());
  }
  PhysicsList(PhysicsList&&) noexcept = default;
  PhysicsList& operator=(PhysicsList other) noexcept {
    all_ = std::move(other.all_);
    return *this;
  }

  void add(std::unique_ptr<Physics> physics) { all_.push_back(std::move(physics)); }
  template <class Derived>
  void add(Derived physics) requires std::is_base_of_v<Physics, Derived> {
    all_.push_back(std::make_unique<Derived>(std::move(physics)));
  }
  bool empty() const { return all_.empty(); }
  std::size_t size() const { return all_.size(); }
  void remove(std::string_view subject) {
    std::erase_if(all_, [&](const auto& p) { return p->info().subject == subject; });
  }
  /// Orders by `rank(info)`.
  void sort(const std::function<std::size_t(const ModuleInfo&)>& rank);

  /// The parameters of this type, or null.
  template <class Owner>
  const Owner* find() const {
    return const_cast<PhysicsList*>(this)->find<Owner>();
  }
  template <class Owner>
  Owner* find() {
    for (const auto& p : all_)
      if (auto* const of = dynamic_cast<PhysicsOf<Owner>*>(p.get())) return &of->parameters;
    return nullptr;
  }
  /// The physics of this class, or null.
  template <class Derived>
  const Derived* as() const {
    for (const auto& p : all_)
      if (const auto* const found = dynamic_cast<const Derived*>(p.get())) return found;
    return nullptr;
  }
  /// That of a subject, or null.
  const Physics* named(std::string_view subject) const;

  template <class Pointer, class Result>
  struct Iterator {
    using iterator_category = std::forward_iterator_tag;
    using value_type = Physics;
    using difference_type = std::ptrdiff_t;
    using pointer = Result*;
    using reference = Result&;
    Pointer at = nullptr;
    Result& operator*() const { return **at; }
    Iterator& operator++() {
      ++at;
      return *this;
    }
    Iterator operator++(int) { return {at++}; }
    bool operator==(const Iterator&) const = default;
  };
  auto begin() const {
    return Iterator<const std::unique_ptr<Physics>*, const Physics>{all_.data()};
  }
  auto end() const {
    return Iterator<const std::unique_ptr<Physics>*, const Physics>{all_.data() + all_.size()};
  }
  auto begin() { return Iterator<std::unique_ptr<Physics>*, Physics>{all_.data()}; }
  auto end() { return Iterator<std::unique_ptr<Physics>*, Physics>{all_.data() + all_.size()}; }

 private:
  std::vector<std::unique_ptr<Physics>> all_;
};

}  // namespace mote::sim
