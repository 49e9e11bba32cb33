#include "sim/scene/molecular_reader.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/json.h"
#include "engine/rounded_text.h"
#include "engine/text.h"
#include "sim/io/xyz_read.h"
#include "sim/scene/matter.h"

namespace mote::sim {
namespace {

using engine::Json;

const std::string axes[3] = {"x", "y", "z"};

double component(const engine::Vec3d& v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

class MolecularReader {
 public:
  MolecularReader(Reader& reader, const Table& scene, SceneDescription& description,
                  SceneFolder& folder, Json& echo)
      : reader_(reader), scene_(scene), to_(description), folder_(folder), echo_(echo) {}

  void read() {
    if (const Value* value = find("domain")) {
      to_.domain.emplace();
      table(*value, domain_table(), *to_.domain);
      if (!to_.domain->file || read_box(*value)) check_sizes(*value);
    }
    if (const Value* value = find("lennard_jones")) {
      to_.pairs.emplace();
      table(*value, lennard_jones_table(), to_.pairs->lennard_jones);
      for (const Species& species : to_.species) to_.pairs->species.push_back(species);
      to_.pairs->acts_on = kinds_in_pairs(scene_, to_.species);
    }
    if (const Value* value = find("coulomb")) coulomb(*value);
    if (const Value* value = find("pairs")) pairs(*value);
    if (const Value* value = find("thermostat")) thermostat(*value);
    if (const Value* value = find("radial_distribution")) radial_distribution(*value);
    check_species();
    if (to_.pairs) check_cutoffs();
    if (const Value* value = find("fluid")) fluid(*value);
    if (to_.domain && !to_.pairs && !to_.fluid && !find("grains"))
      reader_.problem(find("domain")->line, "domain", "has no effect without a short-range force",
                      "add lennard_jones, fluid or grains, or leave it out");
    if (to_.domain && to_.gravity) check_gravity();
  }

 private:
  const Value* find(const std::string& name) const {
    const Member* member = scene_.find(name);
    return member ? &member->value : nullptr;
  }

  template <class Owner>
  void table(const Value& value, const engine::ParamTable<Owner>& described, Owner& out) {
    if (!value.table())
      return reader_.problem(value.line, described.name,
                             "expected a table, got " + describe(value));
    reader_.members(*value.table(), value.line, described.name, described, out,
                    &echo_[described.name]);
    std::size_t items = 0;
    for (const auto& p : described.params) items += p.info.positional ? 1 : 0;
    reader_.unknown(*value.table(), value.line, described.name, names_of(described), items);
  }

  /// Reads size and center from a file; false after a problem. The expanded scene has them and
  /// needs no file.
  bool read_box(const Value& value) {
    constexpr std::uintmax_t max_bytes = 1u << 30;
    const std::string key = "domain.file", file = *std::exchange(to_.domain->file, std::nullopt);
    echo_["domain"].erase("file");
    const std::size_t before = reader_.problem_count();
    const int line = value.table()->find("file")->value.line;
    for (const char* other : {"size", "center"})
      if (value.table()->find(other) || !value.table()->items.empty()) {
        reader_.problem(line, key, "gives size and center, which the scene sets too",
                        "remove one of them");
        return false;
      }
    const SceneFolder::Found found = folder_.find(file, max_bytes);
    if (!found.problem.empty()) {
      reader_.problem(line, key, found.problem, found.remedy);
      return false;
    }
    try {
      const XyzBox box = read_xyz_box(found.bytes, reader_.location(line, key));
      folder_.keep(file, found);
      to_.domain->size = box.size;
      to_.domain->center = box.center;
      echo_["domain"]["size"] = to_json(box.size);
      echo_["domain"]["center"] = to_json(box.center);
    } catch (const engine::InputError& e) {
      for (const engine::Diagnostic& d : e.diagnostics()) reader_.add(d);
    } catch (const engine::SystemError& e) {
      reader_.problem(line, key, e.what());
    }
    return reader_.problem_count() == before;
  }

  void check_sizes(const Value& value) {
    const Domain domain = domain_of(*to_.domain);
    for (int axis = 0; axis < 3; ++axis)
      if ((domain.periodic[axis] || domain.walled[axis]) && !(component(domain.length, axis) > 0))
        return reader_.problem(value.line, "domain.size",
                               "is not greater than 0 along " + axes[axis] + ", which is not open",
                               "size = { 10, 10, 10 }, or " + axes[axis] + " = \"open\"");
  }

  void thermostat(const Value& value) {
    to_.thermostat.emplace();
    table(value, thermostat_table(), *to_.thermostat);
    if (to_.integrator.name != "leapfrog")
      reader_.problem(value.line, "thermostat",
                      "needs the leapfrog integrator, not " + to_.integrator.name);
  }

  void fluid(const Value& value) {
    to_.fluid.emplace();
    table(value, fluid_table(), *to_.fluid);
    const auto wrong = [&](const std::string& problem, const std::string& remedy) {
      reader_.problem(value.line, "fluid", problem, remedy);
    };
    if (to_.integrator.name != "leapfrog")
      wrong("needs the leapfrog integrator, not " + to_.integrator.name, "use leapfrog");
    if (to_.thermostat) wrong("cannot be combined with a thermostat", "leave the thermostat out");
    if (has_velocity_flow(to_.fields))
      wrong("cannot be combined with velocity-dependent fields yet",
            "use the fluid's viscosity instead of drag");
    if (!to_.domain) return;
    const Domain domain = domain_of(*to_.domain);
    const double support_radius = 2 * smoothing_length(*to_.fluid);
    for (int axis = 0; axis < 3; ++axis) {
      if (domain.walled[axis])
        return reader_.problem(find("domain")->line, "domain." + axes[axis],
                               "walls act on molecules only",
                               "walls of a fluid are bodies of a species with wall = true");
      if (domain.periodic[axis] && component(domain.length, axis) < 2 * support_radius)
        return reader_.problem(value.line, "fluid.spacing",
                               "gives a support radius of " + engine::rounded_text(support_radius) +
                                   ", more than half of the periodic domain along " + axes[axis],
                               "use a smaller spacing or a larger domain");
    }
  }

  void radial_distribution(const Value& value) {
    RadialDistribution& wanted = to_.radial_distribution.emplace();
    const std::size_t before = reader_.problem_count();
    table(value, radial_distribution_table(), wanted);
    if (reader_.problem_count() > before) return;
    const Domain domain = to_.domain ? domain_of(*to_.domain) : Domain{};
    if (!domain.closed())
      return reader_.problem(
          value.line, "radial_distribution",
          "needs the mean density of a closed domain, which the scene does not have",
          "add domain = { size = { 10, 10, 10 } }");
    for (int axis = 0; axis < 3; ++axis)
      if (const double length = component(domain.length, axis);
          domain.periodic[axis] && length > 0 && 2 * wanted.range > length)
        return reader_.problem(value.line, "radial_distribution.range",
                               engine::number_text(wanted.range) +
                                   " is more than half of the periodic domain, " +
                                   engine::rounded_text(length) + " along " + axes[axis],
                               "beyond that, only some of the images of a body would be counted");
    if (wanted.species && (to_.species.empty() || to_.species.size() > most_radial_species))
      reader_.problem(
          value.line, "radial_distribution.species",
          "needs 1 to 8 species, but the scene has " + std::to_string(to_.species.size()),
          "leave it out");
  }

  void coulomb(const Value& value) {
    Coulomb coulomb;
    table(value, coulomb_table(), coulomb);
    if (!to_.pairs)
      return reader_.problem(
          value.line, "coulomb", "needs lennard_jones",
          "charges without a repulsive core collapse; lennard_jones = { epsilon = 0 } allows that");
    to_.pairs->coulomb = coulomb;
    const bool any = std::any_of(to_.species.begin(), to_.species.end(),
                                 [](const Species& species) { return species.charge != 0; });
    if (!any)
      reader_.problem(value.line, "coulomb", "no species has a charge",
                      "as in species = { sodium = { charge = 1 } }");
  }

  void pairs(const Value& list) {
    const bool is_list = list.table() && list.table()->members.empty();
    if (!is_list)
      return reader_.problem(list.line, "pairs", "expected a list, got " + describe(list),
                             "pairs = { { species = { \"a\", \"b\" }, epsilon = 0.5 } }");
    if (!to_.pairs)
      return reader_.problem(list.line, "pairs", "needs lennard_jones",
                             "add lennard_jones, or leave it out");
    Json& echo = echo_["pairs"] = Json::array();
    for (std::size_t i = 0; i < list.table()->items.size(); ++i)
      pair(list.table()->items[i], joined_path("pairs", std::to_string(i + 1)), echo);
  }

  void pair(const Value& value, const std::string& path, Json& echo) {
    if (!value.table())
      return reader_.problem(value.line, path, "expected a table, got " + describe(value),
                             "{ species = { \"a\", \"b\" }, epsilon = 0.5 }");
    const Table& table = *value.table();
    PairOverride pair;
    Json own = Json::object();
    reader_.members(table, value.line, path, pair_table(), pair, &own);
    std::vector<std::string> known = names_of(pair_table());
    known.emplace_back("species");
    reader_.unknown(table, value.line, path, known);
    const Member* names = table.find("species");
    const Table* two = names ? names->value.table() : nullptr;
    if (!two || two->items.size() != 2)
      return reader_.problem(value.line, joined_path(path, "species"),
                             "expected the names of two species", "species = { \"a\", \"b\" }");
    int* const numbers[2] = {&pair.a, &pair.b};
    for (std::size_t k = 0; k < 2; ++k) {
      const std::string* name = two->items[k].text();
      const auto found = std::find_if(to_.species.begin(), to_.species.end(),
                                      [&](const Species& s) { return name && s.name == *name; });
      if (found == to_.species.end())
        return reader_.problem(two->items[k].line, joined_path(path, "species"),
                               "no such species: " + describe(two->items[k]),
                               "define it in species = { ... }");
      *numbers[k] = static_cast<int>(found - to_.species.begin()) + 1;
      if (!to_.pairs->acts_on_kind(*numbers[k]))
        return reader_.problem(
            two->items[k].line, joined_path(path, "species"),
            "lennard_jones does not act on " + *name + ", which is another kind of matter",
            "set epsilon, sigma or charge of this species, or leave the pair out");
      own["species"].push_back(*name);
    }
    echo.push_back(std::move(own));
    to_.pairs->pairs.push_back(pair);
  }

  /// Reports keys of species that would have no effect.
  void check_species() {
    for (const Species& species : to_.species) {
      const std::string path = joined_path("species", species.name);
      const Value& at = find("species")->table()->find(species.name)->value;
      if ((species.epsilon || species.sigma) && !to_.pairs)
        reader_.problem(at.line, path,
                        "epsilon and sigma are for lennard_jones, which the scene does not have");
      if (species.wall && !find("fluid"))
        reader_.problem(at.line, joined_path(path, "wall"),
                        "is for fluid, which the scene does not have");
      if (species.charge != 0 && !find("coulomb"))
        reader_.problem(at.line, joined_path(path, "charge"),
                        "is for coulomb, which the scene does not have", "add coulomb = {}");
    }
  }

  /// Checks that no body interacts with two images of another.
  void check_cutoffs() {
    const LennardJones& lj = to_.pairs->lennard_jones;
    const Value& at = *find("lennard_jones");
    const PairTable table = table_of(*to_.pairs, to_.units.coulomb());
    if (lj.switch_from && lj.cutoff && *lj.switch_from >= *lj.cutoff)
      reader_.problem(at.line, "lennard_jones.switch_from", "is not below the cutoff",
                      "switching ends at the cutoff");
    if (lj.switch_from && lj.truncation != "switched")
      reader_.problem(at.line, "lennard_jones.switch_from", "is for truncation = \"switched\"");
    if (!to_.domain) return;
    const Domain domain = domain_of(*to_.domain);
    for (int axis = 0; axis < 3; ++axis) {
      const double length = component(domain.length, axis);
      if (!domain.periodic[axis] || !(length > 0) || 2 * (table.cutoff + table.skin) <= length)
        continue;
      const std::string cutoff = engine::rounded_text(table.cutoff),
                        skin = engine::rounded_text(table.skin);
      const auto [line, key] = longest_cutoff(table);
      return reader_.problem(
          line, key,
          "a cutoff of " + cutoff + " and a skin of " + skin +
              " exceed half of the periodic domain, " + engine::rounded_text(length) + " along " +
              axes[axis],
          2 * table.cutoff <= length
              ? "use a smaller skin; with 0 the neighbour list is rebuilt at every step"
              : "use a smaller cutoff or a larger domain");
    }
  }

  /// The line and the key of the longest cutoff.
  std::pair<int, std::string> longest_cutoff(const PairTable& table) const {
    const PairForces& forces = *to_.pairs;
    for (std::size_t i = 0; i < forces.pairs.size(); ++i)
      if (forces.pairs[i].cutoff == table.cutoff && forces.lennard_jones.cutoff != table.cutoff)
        return {find("pairs")->table()->items[i].line,
                "pairs." + std::to_string(i + 1) + ".cutoff"};
    double core = 0;
    for (const PairCoefficients<double>& c : table.all)
      core = std::max(core, std::sqrt(c.squared_cutoff));
    if (core < table.cutoff) return {find("coulomb")->line, "coulomb.cutoff"};
    return {find("lennard_jones")->line, "lennard_jones.cutoff"};
  }

  void check_gravity() {
    const Domain domain = domain_of(*to_.domain);
    if (domain.periodic[0] || domain.periodic[1] || domain.periodic[2])
      reader_.problem(find("gravity")->line, "gravity",
                      "is not periodic: it ignores images of bodies",
                      "use walls or open axes, or leave gravity out");
  }

  Reader& reader_;
  const Table& scene_;
  SceneDescription& to_;
  SceneFolder& folder_;
  Json& echo_;
};

}  // namespace

void read_molecular(Reader& reader, const Table& scene, SceneDescription& description,
                    SceneFolder& folder, Json& echo) {
  MolecularReader(reader, scene, description, folder, echo).read();
}

}  // namespace mote::sim
