#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/scene/description.h"
#include "sim/scene/reader.h"
#include "sim/state.h"

namespace mote::sim {

/// Kinds of matter: the tables of a scene that define forces among their bodies. With one, it
/// applies to all bodies; with several, each species names its own.
enum class Matter : std::uint8_t { molecules, fluid, grains, soft };

/// "grains"
std::string name_of(Matter matter);

/// The kinds that a scene has.
std::vector<Matter> kinds_present(const SceneDescription& scene);
inline bool is_mixed(const SceneDescription& scene) {
  return kinds_present(scene).size() > 1;
}

/// The kind of a species, 0 for bodies without one. The scene must have some kind of matter; in a
/// mixed scene the species must name its own.
Matter matter_of(const SceneDescription& scene, std::uint8_t species);

/// By body index, 1 for bodies of this kind, else 0; empty if all are.
std::vector<std::uint8_t> members_of(const SceneDescription& scene,
                                     const State<engine::Host>& state, Matter matter);

/// PairForces::acts_on of a scene with lennard_jones: molecules, and species of other matter with
/// an epsilon, sigma or charge of their own.
std::vector<bool> kinds_in_pairs(const Table& scene, const std::vector<Species>& species);

/// By body index, 1 for bodies that pair forces act on, else 0; empty if they act on all.
std::vector<std::uint8_t> members_of_pairs(const SceneDescription& scene,
                                           const State<engine::Host>& state);

/// Reports species of a matter that the scene does not have, species without one in a mixed scene,
/// and molecules or pair forces on particles in a fluid.
void check_matter(Reader& reader, const Table& table, const SceneDescription& scene);

/// Throws InputError if, in a mixed scene, a body from index `first` on has no species.
void check_members(const State<engine::Host>& state, engine::Index first,
                   const SceneDescription& scene, const std::string& location);

}  // namespace mote::sim
