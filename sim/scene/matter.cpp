#include "sim/scene/matter.h"

#include <algorithm>
#include <array>

namespace mote::sim {
namespace {

using engine::Host;
using engine::Index;

constexpr std::array<const char*, 4> matter_names{"lennard_jones", "fluid", "grains", "soft"};

/// What a species says; walls are a fluid's.
std::optional<Matter> said_by(const Species& species) {
  if (species.wall) return Matter::fluid;
  const auto found =
      std::find(matter_names.begin(), matter_names.end(), species.matter.value_or(""));
  if (found == matter_names.end()) return std::nullopt;
  return static_cast<Matter>(found - matter_names.begin());
}

/// By column, 1 where a body's species `is` what is asked for; empty in a scene of one kind.
template <class Is>
std::vector<std::uint8_t> members_where(const SceneDescription& scene, const State<Host>& state,
                                        Is&& is) {
  if (!is_mixed(scene)) return {};
  std::vector<std::uint8_t> of_species;
  for (std::size_t k = 0; k <= scene.species.size(); ++k)
    of_species.push_back(is(static_cast<std::uint8_t>(k)) ? 1 : 0);
  std::vector<std::uint8_t> members(static_cast<std::size_t>(state.count()));
  for (std::size_t i = 0; i < members.size(); ++i) members[i] = of_species[state.species()[i]];
  return members;
}

/// "fluid and grains"
std::string names_of_matters(const std::vector<Matter>& matters) {
  std::string text;
  for (const Matter m : matters) text += (text.empty() ? "" : " and ") + name_of(m);
  return text;
}

}  // namespace

std::string name_of(Matter matter) {
  return matter_names[static_cast<std::size_t>(matter)];
}

std::vector<Matter> matters_of(const SceneDescription& scene) {
  std::vector<Matter> all;
  if (scene.pairs) all.push_back(Matter::lennard_jones);
  if (scene.fluid) all.push_back(Matter::fluid);
  if (scene.grains) all.push_back(Matter::grains);
  if (scene.soft) all.push_back(Matter::soft);
  return all;
}

Matter matter_of(const SceneDescription& scene, std::uint8_t species) {
  const std::vector<Matter> all = matters_of(scene);
  MOTE_EXPECT(!all.empty());
  if (all.size() == 1 || species == 0) return all.front();
  return said_by(scene.species[species - 1u]).value_or(all.front());
}

std::vector<std::uint8_t> members_of(const SceneDescription& scene, const State<Host>& state,
                                     Matter matter) {
  return members_where(scene, state, [&](std::uint8_t k) { return matter_of(scene, k) == matter; });
}

std::vector<bool> kinds_in_pairs(const Table& scene, const std::vector<Species>& species) {
  const auto others = std::count_if(
      matter_names.begin(), matter_names.end(),
      [&](const char* name) { return name != name_of(Matter::lennard_jones) && scene.find(name); });
  if (others == 0) return {};
  std::vector<bool> kinds{false};
  for (const Species& s : species)
    kinds.push_back(said_by(s) == Matter::lennard_jones || s.speaks());
  return kinds;
}

std::vector<std::uint8_t> members_of_pairs(const SceneDescription& scene,
                                           const State<Host>& state) {
  return members_where(scene, state, [&](std::uint8_t k) { return scene.pairs->knows(k); });
}

void check_matter(Reader& reader, const Table& table, const SceneDescription& scene) {
  const std::vector<Matter> all = matters_of(scene);
  const Member* const list = table.find("species");
  for (const Species& species : scene.species) {
    const std::string path = joined_path("species", species.name);
    const Value& at = list->value.table()->find(species.name)->value;
    const std::optional<Matter> said = said_by(species);
    if (species.wall && species.matter && *species.matter != name_of(Matter::fluid))
      reader.problem(at.line, joined_path(path, "matter"),
                     "is that of a wall, and walls are a fluid's", "leave one of them out");
    else if (said && !species.wall && std::find(all.begin(), all.end(), *said) == all.end())
      reader.problem(at.line, joined_path(path, "matter"),
                     "is " + name_of(*said) + ", which the scene does not have",
                     "add " + name_of(*said) + " = { ... }, or leave it out");
    else if (!said && all.size() > 1)
      reader.problem(at.line, path,
                     "does not say what its bodies are: the scene has " + names_of_matters(all),
                     "add matter = \"" + name_of(all.back()) + "\" or another of them");
    else if (scene.fluid && said == Matter::lennard_jones)
      reader.problem(at.line, joined_path(path, "matter"),
                     "is lennard_jones, and nothing is known of molecules in a fluid: its "
                     "particles stand for many",
                     "grains in it may say epsilon, sigma and charge");
    else if (said == Matter::fluid && species.speaks() && scene.pairs)
      reader.problem(at.line, path, "is fluid, which lennard_jones and coulomb do not act on",
                     "leave epsilon, sigma and charge out");
  }
  if (scene.pairs && all.size() > 1 && !scene.species.empty() &&
      std::find(scene.pairs->acts_on.begin(), scene.pairs->acts_on.end(), true) ==
          scene.pairs->acts_on.end())
    reader.problem(table.find(name_of(Matter::lennard_jones))->value.line,
                   name_of(Matter::lennard_jones),
                   "acts on nobody: no species says matter = \"lennard_jones\", or epsilon, sigma "
                   "or charge of its own",
                   "leave it out, or let one say so");
  if (all.size() > 1 && scene.species.empty())
    reader.problem(
        table.find(name_of(all.back()))->value.line, name_of(all.back()),
        "is not the only matter, and no species says which bodies are which: the scene has " +
            names_of_matters(all),
        "as in species = { a = { matter = \"" + name_of(all.front()) + "\" }, b = { matter = \"" +
            name_of(all.back()) + "\" } }");
}

void check_members(const State<Host>& state, Index first, const SceneDescription& scene,
                   const std::string& place) {
  if (!is_mixed(scene)) return;
  for (Index i = first; i < state.count(); ++i)
    if (state.species()[i] == 0)
      throw engine::InputError(place,
                               "body " + std::to_string(state.id()[i]) +
                                   " has no species that says what it is: the scene has " +
                                   names_of_matters(matters_of(scene)),
                               "give it one, as in species = \"sand\"");
}

}  // namespace mote::sim
