#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/scene/description.h"
#include "sim/scene/reader.h"
#include "sim/state.h"

namespace mote::sim {

/// Kinds of matter: the sections of a scene with forces among bodies of their own. Where a scene
/// has one, all bodies are it. Where it has several, each species says which one its bodies are.
enum class Matter : std::uint8_t { lennard_jones, fluid, grains, soft };

/// "grains"
std::string name_of(Matter matter);

/// Those that a scene has.
std::vector<Matter> matters_of(const SceneDescription& scene);
inline bool is_mixed(const SceneDescription& scene) {
  return matters_of(scene).size() > 1;
}

/// What bodies of a species are, 0 for bodies of none; of a scene with some kind of matter. In a
/// mixed scene of a species that says.
Matter matter_of(const SceneDescription& scene, std::uint8_t species);

/// By column, 1 where a body is of this kind and 0 where it is not; empty where all are.
std::vector<std::uint8_t> members_of(const SceneDescription& scene,
                                     const State<engine::Host>& state, Matter matter);

/// PairForces::acts_on of a scene with lennard_jones: molecules, and species of other matter that
/// say what they are to these forces.
std::vector<bool> kinds_in_pairs(const Table& scene, const std::vector<Species>& species);

/// By column, 1 where forces of near pairs act on a body; empty where on all.
std::vector<std::uint8_t> members_of_pairs(const SceneDescription& scene,
                                           const State<engine::Host>& state);

/// Refuses species of a matter that the scene does not have, in a mixed scene those that do not say
/// theirs, and molecules or bodies that forces of near pairs act on in a fluid.
void check_matter(Reader& reader, const Table& table, const SceneDescription& scene);

/// Throws InputError when a body from column `first` on has no species that says what it is, in a
/// mixed scene.
void check_members(const State<engine::Host>& state, engine::Index first,
                   const SceneDescription& scene, const std::string& place);

}  // namespace mote::sim
