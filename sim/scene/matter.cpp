#include "sim/scene/matter.h"

#include <algorithm>
#include <array>

namespace mote::sim {
namespace {

using engine::Host;
using engine::Index;

constexpr std::array<const char*, 4> matter_names{"lennard_jones", "fluid", "grains", "soft"};

/// The matter that a species names; walls are fluid.
std::optional<Matter> declared_kind(const Species& species) {
  if (species.wall) return Matter::fluid;
  const auto found =
      std::find(matter_names.begin(), matter_names.end(), species.matter.value_or(""));
  if (found == matter_names.end()) return std::nullopt;
  return static_cast<Matter>(found - matter_names.begin());
}

/// By body index, 1 if is(species of the body), else 0; empty in a scene of one kind.
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
std::string names_of_kinds(const std::vector<Matter>& matters) {
  std::string text;
  for (const Matter m : matters) text += (text.empty() ? "" : " and ") + name_of(m);
  return text;
}

}  // namespace

std::string name_of(Matter matter) {
  return matter_names[static_cast<std::size_t>(matter)];
}

std::vector<Matter> kinds_present(const SceneDescription& scene) {
  std::vector<Matter> all;
  if (scene.pairs) all.push_back(Matter::molecules);
  if (scene.fluid) all.push_back(Matter::fluid);
  if (scene.grains) all.push_back(Matter::grains);
  if (scene.soft) all.push_back(Matter::soft);
  return all;
}

Matter matter_of(const SceneDescription& scene, std::uint8_t species) {
  const std::vector<Matter> all = kinds_present(scene);
  MOTE_EXPECT(!all.empty());
  if (all.size() == 1 || species == 0) return all.front();
  return declared_kind(scene.species[species - 1u]).value_or(all.front());
}

std::vector<std::uint8_t> members_of(const SceneDescription& scene, const State<Host>& state,
                                     Matter matter) {
  return members_where(scene, state, [&](std::uint8_t k) { return matter_of(scene, k) == matter; });
}

std::vector<bool> kinds_in_pairs(const Table& scene, const std::vector<Species>& species) {
  const auto others = std::count_if(
      matter_names.begin(), matter_names.end(),
      [&](const char* name) { return name != name_of(Matter::molecules) && scene.find(name); });
  if (others == 0) return {};
  std::vector<bool> kinds{false};
  for (const Species& s : species)
    kinds.push_back(declared_kind(s) == Matter::molecules || s.overrides_pair_force());
  return kinds;
}

std::vector<std::uint8_t> members_of_pairs(const SceneDescription& scene,
                                           const State<Host>& state) {
  return members_where(scene, state, [&](std::uint8_t k) { return scene.pairs->acts_on_kind(k); });
}

void check_matter(Reader& reader, const Table& table, const SceneDescription& scene) {
  const std::vector<Matter> all = kinds_present(scene);
  const Member* const list = table.find("species");
  for (const Species& species : scene.species) {
    const std::string path = joined_path("species", species.name);
    const Value& at = list->value.table()->find(species.name)->value;
    const std::optional<Matter> declared = declared_kind(species);
    if (species.wall && species.matter && *species.matter != name_of(Matter::fluid))
      reader.problem(at.line, joined_path(path, "matter"),
                     "conflicts with wall = true: walls belong to the fluid", "remove one of them");
    else if (declared && !species.wall && std::find(all.begin(), all.end(), *declared) == all.end())
      reader.problem(at.line, joined_path(path, "matter"),
                     "is " + name_of(*declared) + ", which the scene does not have",
                     "add " + name_of(*declared) + " = { ... }, or leave it out");
    else if (!declared && all.size() > 1)
      reader.problem(at.line, path, "has no matter, but the scene has " + names_of_kinds(all),
                     "add matter = \"" + name_of(all.back()) + "\" or another of these");
    else if (scene.fluid && declared == Matter::molecules)
      reader.problem(at.line, joined_path(path, "matter"),
                     "is lennard_jones, but molecules cannot be combined with a fluid: each of its "
                     "particles stands for many",
                     "grains in a fluid may have epsilon, sigma and charge");
    else if (declared == Matter::fluid && species.overrides_pair_force() && scene.pairs)
      reader.problem(at.line, path, "is fluid, which lennard_jones and coulomb do not act on",
                     "leave epsilon, sigma and charge out");
  }
  if (scene.pairs && all.size() > 1 && !scene.species.empty() &&
      std::find(scene.pairs->acts_on.begin(), scene.pairs->acts_on.end(), true) ==
          scene.pairs->acts_on.end())
    reader.problem(
        table.find(name_of(Matter::molecules))->value.line, name_of(Matter::molecules),
        "has no effect: no species uses it",
        "set `matter`, `epsilon`, `sigma` or `charge` on a species, or remove the table");
  if (all.size() > 1 && scene.species.empty())
    reader.problem(table.find(name_of(all.back()))->value.line, name_of(all.back()),
                   "needs species that set `matter`: the scene has " + names_of_kinds(all),
                   "as in species = { a = { matter = \"" + name_of(all.front()) +
                       "\" }, b = { matter = \"" + name_of(all.back()) + "\" } }");
}

void check_members(const State<Host>& state, Index first, const SceneDescription& scene,
                   const std::string& location) {
  if (!is_mixed(scene)) return;
  for (Index i = first; i < state.count(); ++i)
    if (state.species()[i] == 0)
      throw engine::InputError(location,
                               "body " + std::to_string(state.id()[i]) +
                                   " has no species, but the scene has " +
                                   names_of_kinds(kinds_present(scene)),
                               "give it one, as in species = \"sand\"");
}

}  // namespace mote::sim
