#include "sim/model/matter.h"

#include <algorithm>

#include "engine/text.h"

namespace mote::sim {
namespace {

/// The matter that a species (from 1) names or belongs to; null if none.
const Physics* declared_kind(const Model& model, std::size_t species) {
  for (const Physics& p : model.physics)
    if (p.claims(species)) return &p;
  const std::optional<std::string>& name = model.species[species - 1].matter;
  return name ? model.physics.named(*name) : nullptr;
}

/// "fluid and grains"
std::string names_of_kinds(const std::vector<const Physics*>& kinds) {
  std::vector<std::string> names;
  for (const Physics* p : kinds) names.push_back(p->info().subject);
  return engine::joined(names, " and ");
}

}  // namespace

std::vector<const Physics*> kinds_present(const Model& model) {
  std::vector<const Physics*> all;
  for (const Physics& p : model.physics)
    if (p.info().is_matter) all.push_back(&p);
  return all;
}

const Physics* matter_of(const Model& model, std::size_t species) {
  const std::vector<const Physics*> all = kinds_present(model);
  if (all.empty()) return nullptr;
  if (all.size() == 1 || species == 0) return all.front();
  const Physics* const declared = declared_kind(model, species);
  return declared ? declared : all.front();
}

std::vector<std::uint8_t> members_of(const Model& model, const State<engine::Host>& state,
                                     const Physics& matter) {
  return members_where(model, state, [&](std::size_t k) { return matter_of(model, k) == &matter; });
}

void check_matter(const SceneReading& from) {
  const Model& model = from.model;
  const std::vector<const Physics*> all = kinds_present(model);
  for (std::size_t k = 1; k <= model.species.size(); ++k) {
    const auto [line, path] = from.at_species(k);
    const std::optional<std::string>& named = model.species[k - 1].matter;
    if (named && !model.physics.named(*named))
      from.reader.problem(line, joined_path(path, "matter"),
                          "is " + *named + ", which the scene does not have",
                          "add " + *named + " = { ... }, or leave it out");
    else if (all.size() > 1 && !declared_kind(model, k))
      from.reader.problem(
          line, path, "has no matter, but the scene has " + names_of_kinds(all),
          "add matter = \"" + all.back()->info().subject + "\" or another of these");
  }
  if (all.size() > 1 && model.species.empty()) {
    const std::string &first = all.front()->info().subject, &last = all.back()->info().subject;
    from.reader.problem(from.line_of(last), last,
                        "needs species that set `matter`: the scene has " + names_of_kinds(all),
                        "as in species = { a = { matter = \"" + first + "\" }, b = { matter = \"" +
                            last + "\" } }");
  }
}

void check_members(const State<engine::Host>& state, engine::Index first, const Model& model,
                   const std::string& location) {
  if (!is_mixed(model)) return;
  for (engine::Index i = first; i < state.count(); ++i)
    if (state.species()[i] == 0)
      throw engine::InputError(location,
                               "body " + std::to_string(state.id()[i]) +
                                   " has no species, but the scene has " +
                                   names_of_kinds(kinds_present(model)),
                               "give it one, as in species = \"sand\"");
}

}  // namespace mote::sim
