#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/run/simulation.h"
#include "sim/space/obstacles.h"

namespace mote::app {

/// The kinds of bodies that the mouse adds.
enum class Addition { body, planet, cluster, stream };

/// By its value: the word of scripts, and the name in the panel.
struct AdditionName {
  const char *word, *name;
};
inline constexpr AdditionName addition_names[]{{"body", "a body"},
                                               {"planet", "a planet on a circular orbit"},
                                               {"cluster", "a cluster"},
                                               {"stream", "a stream of grains"}};
/// The additions that make sense in a scene.
std::vector<Addition> additions_of(const sim::SceneDescription& scene);

/// Bodies to be added to a running simulation. They are like an existing body (mass, species,
/// radius), except for what is given.
struct AdditionRequest {
  Addition what = Addition::body;
  engine::Vec3d position{};  ///< position of the centre [length]
  engine::Vec3d velocity{};  ///< velocity of the centre; for a planet beside that of its orbit
  engine::Vec3d towards{0, 0, 1};     ///< the viewer: unit vector; orbits are counter-clockwise
  std::optional<std::uint32_t> like;  ///< a body; default: the last one. A planet's star; default:
                                      ///< the body of the largest mass
  std::int64_t count = 1;             ///< bodies of a cluster
  double radius = 0;  ///< scale of a cluster, radius of a stream; 0: two grains around one
                      ///< [length]
};

/// The change that adds them. Grains are added where neither another grain nor one of `obstacles`
/// is, so maybe none. Throws InputError if the request is impossible.
sim::BodyChange added_bodies(sim::Simulation& simulation, const sim::Obstacles& obstacles,
                             const AdditionRequest& request);

}  // namespace mote::app
