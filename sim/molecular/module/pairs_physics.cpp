#include "sim/molecular/module/pairs_physics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/rounded_text.h"
#include "engine/text.h"
#include "sim/model/matter.h"
#include "sim/molecular/pair_force.h"
#include "sim/molecular/start_check.h"
#include "sim/motion/integrators.h"
#include "sim/scene/pair_sheet.h"
#include "sim/space/neighbours.h"
#include "sim/stability.h"

namespace mote::sim {
namespace {

using engine::Json;

/// Species keys that change its pair forces.
struct SpeciesCore {
  std::optional<double> epsilon, sigma;
};
struct SpeciesCharge {
  double charge = 0;
};

const engine::ParamTable<SpeciesCore>& species_core_table() {
  static const engine::ParamTable<SpeciesCore> table{
      "lennard_jones",
      "",
      {engine::param(&SpeciesCore::epsilon,
                     {.name = "epsilon",
                      .help = "well depth between like bodies, instead of that of lennard_jones",
                      .unit = "energy",
                      .minimum = 0}),
       engine::param(&SpeciesCore::sigma,
                     {.name = "sigma",
                      .help = "diameter between like bodies, instead of that of lennard_jones",
                      .unit = "length",
                      .minimum = 0,
                      .minimum_excluded = true})}};
  return table;
}

const engine::ParamTable<SpeciesCharge>& species_charge_table() {
  static const engine::ParamTable<SpeciesCharge> table{
      "coulomb",
      "",
      {engine::param(&SpeciesCharge::charge,
                     {.name = "charge", .help = "for coulomb, in elementary charges"})}};
  return table;
}

const ModuleInfo& pairs_info() {
  static const ModuleInfo info{
      .name = "pairs",
      .subject = "lennard_jones",
      .help = "Lennard-Jones and Coulomb forces with a cutoff",
      .cuda = true,
      .sheets = {engine::sheet_of(lennard_jones_table()), engine::sheet_of(coulomb_table()),
                 pair_sheet(engine::sheet_of(pair_table()))},
      .keys = {{"lennard_jones"},
               {"coulomb"},
               {"pairs", "parameters between two species", "mote.pair[]"}},
      .species = {engine::sheet_of(species_core_table()), engine::sheet_of(species_charge_table())},
      .is_matter = true,
      .conserves_momentum = true,
      .uses_domain = true,
      .steppings = {Stepping::cooperative}};
  return info;
}

/// Reads `coulomb` and `pairs`, which need lennard_jones.
class PairsReader {
 public:
  PairsReader(const SceneReading& from, PairsPhysics& to)
      : from_(from), physics_(to), to_(to.parameters) {}

  void read() {
    from_.table(*from_.find("lennard_jones"), lennard_jones_table(), to_.lennard_jones);
    to_.species.resize(from_.model.species.size());
    from_.species(species_core_table(), [&](std::size_t k, const SpeciesCore& s) {
      to_.species[k - 1].epsilon = s.epsilon, to_.species[k - 1].sigma = s.sigma;
    });
    from_.species(species_charge_table(), [&](std::size_t k, const SpeciesCharge& s) {
      to_.species[k - 1].charge = s.charge;
    });
    acts_on();
    if (const Value* value = from_.find("coulomb")) {
      Coulomb& coulomb = to_.coulomb.emplace();
      from_.table(*value, coulomb_table(), coulomb);
      if (!coulomb.expands() && coulomb.screening_length && coulomb.dielectric)
        from_.reader.problem(
            value->table()->find("dielectric")->value.line, "coulomb.dielectric",
            "has no effect with a screening_length",
            "leave it out; for a solvent, divide coulomb.constant by its permittivity");
      const auto without_effect = [&](bool given, const char* key, const char* why,
                                      const char* remedy) {
        if (given)
          from_.reader.problem(value->table()->find(key)->value.line, std::string("coulomb.") + key,
                               why, remedy);
      };
      if (coulomb.expands()) {
        constexpr const char* why =
            "has no effect with solver = \"multipole\", for all charges act";
        without_effect(coulomb.cutoff.has_value(), "cutoff", why, "leave it out");
        without_effect(coulomb.dielectric.has_value(), "dielectric", why,
                       "leave it out: surroundings conduct");
        without_effect(coulomb.screening_length.has_value(), "screening_length", why,
                       "leave it out, or use solver = \"cutoff\"");
      } else {
        without_effect(coulomb.accuracy.has_value(), "accuracy",
                       "has no effect with solver = \"cutoff\"",
                       "leave it out, or use solver = \"multipole\"");
      }
      if (std::none_of(to_.species.begin(), to_.species.end(),
                       [](const SpeciesForce& s) { return s.charge != 0; }))
        from_.reader.problem(value->line, "coulomb", "no species has a charge",
                             "as in species = { sodium = { charge = 1 } }");
    }
    pairs();
  }

 private:
  /// Chooses the species of a scene with other matter: those of this matter, and those with an
  /// epsilon, sigma or charge of their own.
  void acts_on() {
    const auto others = subjects_where(
        [](const ModuleInfo& m) { return m.is_matter && m.subject != pairs_info().subject; });
    if (std::none_of(others.begin(), others.end(),
                     [&](const std::string& subject) { return from_.find(subject); }))
      return;
    physics_.has_molecules = false;
    to_.acts_on = {false};
    for (std::size_t k = 0; k < to_.species.size(); ++k) {
      const bool molecules = from_.model.species[k].matter == pairs_info().subject;
      physics_.has_molecules = physics_.has_molecules || molecules;
      to_.acts_on.push_back(molecules || to_.species[k].overrides_pair_force());
    }
  }

  void pairs() {
    from_.species_pairs(
        "pairs", pair_table(), "{ species = { \"a\", \"b\" }, epsilon = 0.5 }",
        [&](int line, const std::string& path, const PairOverride& pair) {
          for (const int number : {pair.a, pair.b})
            if (!to_.acts_on_kind(number))
              return from_.reader.problem(
                  line, path,
                  "lennard_jones does not act on " +
                      from_.model.species[static_cast<std::size_t>(number) - 1].name +
                      ", which is another kind of matter",
                  "set epsilon, sigma or charge of this species, or leave the pair out");
          to_.pairs.push_back(pair);
        });
  }

  const SceneReading& from_;
  PairsPhysics& physics_;
  PairForces& to_;
};

std::unique_ptr<Physics> read_pairs(const SceneReading& from) {
  if (!from.find("lennard_jones")) {
    if (const Value* value = from.find("coulomb")) {
      from.reader.problem(
          value->line, "coulomb", "needs lennard_jones",
          "charges without a repulsive core collapse; lennard_jones = { epsilon = 0 } allows that");
      Coulomb unused;
      from.table(*value, coulomb_table(), unused);  // reports its problems
    }
    if (const Value* value = from.find("pairs"))
      from.reader.problem(value->line, "pairs", "needs lennard_jones",
                          "add lennard_jones, or leave it out");
    return nullptr;
  }
  auto pairs = std::make_unique<PairsPhysics>();
  PairsReader(from, *pairs).read();
  return pairs;
}

/// Updates the neighbour lists that short-range forces share, before these run.
class NeighbourUpdate {
 public:
  explicit NeighbourUpdate(std::shared_ptr<Neighbours> neighbours)
      : neighbours_(std::move(neighbours)) {}
  void run(const engine::Cpu& exec, State<engine::Host>& state, StepReport&) {
    neighbours_->update(exec, state);
  }
  void on_state_replaced(const engine::Cpu& exec, State<engine::Host>& state) {
    neighbours_->invalidate();
    neighbours_->update(exec, state);
  }

 private:
  std::shared_ptr<Neighbours> neighbours_;
};

/// The line and the key of the longest cutoff.
std::pair<int, std::string> longest_cutoff(const SceneReading& from, const PairForces& forces,
                                           const PairTable& table) {
  for (std::size_t i = 0; i < forces.pairs.size(); ++i)
    if (forces.pairs[i].cutoff == table.cutoff && forces.lennard_jones.cutoff != table.cutoff)
      return {from.find("pairs")->table()->items[i].line,
              "pairs." + std::to_string(i + 1) + ".cutoff"};
  double core = 0;
  for (const PairCoefficients<double>& c : table.all)
    core = std::max(core, std::sqrt(c.squared_cutoff));
  if (core < table.cutoff) return {from.line_of("coulomb"), "coulomb.cutoff"};
  return {from.line_of("lennard_jones"), "lennard_jones.cutoff"};
}

/// True if molecules at rest can be moved by their pair forces only.
bool only_pairs_move(const Model& model, const State<engine::Host>& state) {
  if (model.has_hooks) return false;
  for (const Physics& p : model.physics)
    if (p.info().subject != pairs_info().subject && p.moves_resting_bodies()) return false;
  return state.visit([](const auto& s) {
    for (engine::Index i = 0; i < s.count; ++i)
      if (s.vx[i] != 0 || s.vy[i] != 0 || s.vz[i] != 0) return false;
    return true;
  });
}

}  // namespace

PhysicsModule pairs_module() {
  return {&pairs_info, &read_pairs};
}

const ModuleInfo& PairsPhysics::info() const {
  return pairs_info();
}

std::vector<PhysicsParam> PairsPhysics::params() const {
  std::vector<PhysicsParam> all;
  append_params(all, "lennard_jones", lennard_jones_table(), parameters.lennard_jones);
  if (parameters.coulomb) append_params(all, "coulomb", coulomb_table(), *parameters.coulomb);
  return all;
}

std::vector<std::string> PairsPhysics::features() const {
  std::vector<std::string> all;
  if (parameters.coulomb) all.emplace_back("coulomb");
  if (expands()) all.push_back(expanded_forces);
  if (has_molecules) all.emplace_back("molecules");
  return all;
}

void PairsPhysics::check(const SceneReading& from) const {
  check_species(from);
  check_cutoffs(from);
  if (!expands()) return;
  if (const auto found = problem_of_images(domain_of(from.model))) {
    const bool own = found->key.empty();
    from.reader.problem(from.line_of(own ? "coulomb" : "domain"), own ? "coulomb" : found->key,
                        found->problem, found->remedy);
  }
}

ChargeExpansions PairsPhysics::expansions(const Model& model) const {
  Charges charges;
  charges.constant = parameters.coulomb->constant.value_or(model.units.coulomb());
  charges.of_species = {0};
  for (const SpeciesForce& species : parameters.species)
    charges.of_species.push_back(species.charge);
  return {accuracy(), charges, domain_of(model)};
}

Evaluation PairsPhysics::evaluation(const Workload& work) const {
  Evaluation found = Physics::evaluation(work);
  if (!expands()) return found;
  const MultipoleSettings settings =
      ChargeExpansions(accuracy(), {}, {}).settings(work.precision, "coulomb.accuracy");
  found.interactions += MultipoleSolver::interactions(work.bodies, settings);
  found.choice = "coulomb by multipole expansions: errors of 99 % of the forces below " +
                 engine::rounded_text(settings.accuracy) + " (order " +
                 std::to_string(settings.order) + ", leaves of " + std::to_string(settings.leaf) +
                 ")";
  return found;
}

/// Reports keys of species that would have no effect, and a table that no species uses.
void PairsPhysics::check_species(const SceneReading& from) const {
  for (std::size_t k = 0; k < parameters.species.size(); ++k) {
    const SpeciesForce& species = parameters.species[k];
    if (!species.overrides_pair_force()) continue;
    const Physics* const matter = matter_of(from.model, k + 1);
    if (!matter || !matter->info().is_continuum) continue;
    const auto [line, path] = from.at_species(k + 1);
    from.reader.problem(
        line, path,
        "is " + matter->info().subject + ", which lennard_jones and coulomb do not act on",
        "leave epsilon, sigma and charge out");
  }
  if (is_mixed(from.model) && !from.model.species.empty() &&
      std::find(parameters.acts_on.begin(), parameters.acts_on.end(), true) ==
          parameters.acts_on.end())
    from.reader.problem(
        from.line_of("lennard_jones"), "lennard_jones", "has no effect: no species uses it",
        "set `matter`, `epsilon`, `sigma` or `charge` on a species, or remove the table");
}

/// Checks that no body interacts with two images of another.
void PairsPhysics::check_cutoffs(const SceneReading& from) const {
  const LennardJones& lj = parameters.lennard_jones;
  const int at = from.line_of("lennard_jones");
  const PairTable table = this->table(from.model);
  if (lj.switch_from && lj.cutoff && *lj.switch_from >= *lj.cutoff)
    from.reader.problem(at, "lennard_jones.switch_from", "is not below the cutoff",
                        "switching ends at the cutoff");
  if (lj.switch_from && lj.truncation != "switched")
    from.reader.problem(at, "lennard_jones.switch_from", "is for truncation = \"switched\"");
  const Domain domain = domain_of(from.model);
  const double lengths[3] = {domain.length.x, domain.length.y, domain.length.z};
  for (int axis = 0; axis < 3; ++axis) {
    const double length = lengths[axis];
    if (!domain.periodic[axis] || !(length > 0) || 2 * (table.cutoff + table.skin) <= length)
      continue;
    const auto [line, key] = longest_cutoff(from, parameters, table);
    return from.reader.problem(
        line, key,
        "a cutoff of " + engine::rounded_text(table.cutoff) + " and a skin of " +
            engine::rounded_text(table.skin) + " exceed half of the periodic domain, " +
            engine::rounded_text(length) + " along " + "xyz"[axis],
        2 * table.cutoff <= length
            ? "use a smaller skin; with 0 the neighbour list is rebuilt at every step"
            : "use a smaller cutoff or a larger domain");
  }
}

PairTable PairsPhysics::table(const Model& model) const {
  return table_of(parameters, model.units.coulomb());
}

std::vector<std::uint8_t> PairsPhysics::members(const Model& model,
                                                const State<engine::Host>& state) const {
  return members_where(model, state, [&](std::size_t species) {
    return parameters.acts_on_kind(static_cast<int>(species));
  });
}

std::vector<std::string> PairsPhysics::start_warnings(const engine::Cpu& exec, const Model& model,
                                                      const Bodies&,
                                                      const State<engine::Host>& state) const {
  std::vector<std::string> all = screening_warnings(model);
  if (expands() || !only_pairs_move(model, state)) return all;
  const PairTable table = this->table(model);
  if (any_pair_interacts(exec, state, members(model, state), table, domain_of(model))) return all;
  all.push_back(
      std::string("no pair is within the cutoff, and all are at rest: nothing will move; ") +
      (parameters.coulomb ? "coulomb.cutoff (that of lennard_jones by default)"
                          : "lennard_jones.cutoff") +
      " is at most " + engine::rounded_text(table.cutoff));
  return all;
}

/// The force of screened charges jumps at the cutoff, which conserves less energy the nearer it is.
std::vector<std::string> PairsPhysics::screening_warnings(const Model& model) const {
  if (!parameters.coulomb || !parameters.coulomb->screening_length) return {};
  const double length = *parameters.coulomb->screening_length;
  double shortest = std::numeric_limits<double>::infinity();
  for (const PairCoefficients<double>& c : table(model).all)
    if (c.squared_electric > 0) shortest = std::min(shortest, std::sqrt(c.squared_electric));
  constexpr double enough = 4;
  if (!(shortest < enough * length)) return {};
  return {"coulomb.cutoff, " + engine::rounded_text(shortest) +
          ", is less than 4 screening lengths: "
          "the force of charges there is not yet small, and ends with a jump; a cutoff of " +
          engine::rounded_text(5 * length) + " or more conserves the energy better"};
}

void PairsPhysics::check_start(const engine::Cpu& exec, const Model& model,
                               const State<engine::Host>& state, engine::Backend) const {
  sim::check_start(exec, state, members(model, state), table(model), domain_of(model),
                   step_of_all(model), largest_phase(info_of(model.integrator).stages),
                   model.file.string());
  if (expands()) expansions(model).check(state, model.file.string() + ": coulomb");
}

void PairsPhysics::add_fields(const Model& model, StateLayout& layout) const {
  Neighbours::add_fields(domain_of(model), layout);
}

void PairsPhysics::add_forces(const engine::Cpu& exec, const Model& model,
                              const State<engine::Host>& initial,
                              Forces<engine::Cpu>& forces) const {
  const PairTable table = this->table(model);
  const Domain domain = domain_of(model);
  const auto neighbours = std::make_shared<Neighbours>(domain, list_cutoff(domain, table.cutoff),
                                                       table.skin, members(model, initial));
  add_force(forces, NeighbourUpdate(neighbours));
  add_force(forces, PairForce(table, neighbours, initial.count(), initial.precision()));
  if (expands()) expansions(model).add_forces(exec, initial, forces);
}

bool PairsPhysics::defines_temperature(const Model& model) const {
  return !is_mixed(model);
}

std::uint64_t PairsPhysics::host_bytes(const Model& model, engine::Index count,
                                       engine::Precision precision) const {
  std::uint64_t bytes =
      PairForce::scratch_bytes(count, precision) + Neighbours::bytes(count, precision);
  if (expands()) bytes += expansions(model).host_bytes(count, precision);
  return bytes;
}

double PairsPhysics::drawn_radius(std::size_t species) const {
  const double standard = parameters.lennard_jones.sigma;
  return 0.5 * (species == 0 ? standard : parameters.species[species - 1].sigma.value_or(standard));
}

}  // namespace mote::sim
