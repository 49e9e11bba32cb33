#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/model/model.h"
#include "sim/model/reading.h"
#include "sim/state.h"

namespace mote::sim {

// Kinds of matter are modules whose forces act among their own bodies. With one, it applies to all
// bodies; with several, each species names its own.

/// The kinds that a scene has.
std::vector<const Physics*> kinds_present(const Model& model);
inline bool is_mixed(const Model& model) {
  return kinds_present(model).size() > 1;
}

/// The kind of a species (from 1; 0: bodies without species); null if the scene has no matter. In a
/// mixed scene the species must name its own.
const Physics* matter_of(const Model& model, std::size_t species);

/// By body index, 1 for bodies of this kind, else 0; empty if all are.
std::vector<std::uint8_t> members_of(const Model& model, const State<engine::Host>& state,
                                     const Physics& matter);

/// By body index, 1 if is(species of the body), else 0; empty in a scene of one kind.
template <class Is>
std::vector<std::uint8_t> members_where(const Model& model, const State<engine::Host>& state,
                                        const Is& is) {
  if (!is_mixed(model)) return {};
  std::vector<std::uint8_t> of_species;
  for (std::size_t k = 0; k <= model.species.size(); ++k) of_species.push_back(is(k) ? 1 : 0);
  std::vector<std::uint8_t> members(static_cast<std::size_t>(state.count()));
  for (std::size_t i = 0; i < members.size(); ++i) members[i] = of_species[state.species()[i]];
  return members;
}

/// True if a body moves of which is(index) is true.
template <class Is>
bool any_moving(const State<engine::Host>& state, const Is& is) {
  return state.visit([&](const auto& s) {
    for (engine::Index i = 0; i < s.count; ++i)
      if ((s.vx[i] != 0 || s.vy[i] != 0 || s.vz[i] != 0) && is(i)) return true;
    return false;
  });
}

/// Reports species of a matter that the scene does not have, and species without one in a mixed
/// scene.
void check_matter(const SceneReading& from);

/// Throws InputError if, in a mixed scene, a body from index `first` on has no species.
void check_members(const State<engine::Host>& state, engine::Index first, const Model& model,
                   const std::string& location);

}  // namespace mote::sim
