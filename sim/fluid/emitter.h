#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/math/vec.h"
#include "engine/params.h"

namespace mote::sim {

/// A face that emits a layer of particles each time the last one has moved by one spacing.
struct Emitter {
  engine::Vec3d position{0, 0, 0};  ///< [length], centre of the face
  engine::Vec3d direction{0, 0, 0};
  /// [length], > 0: of the disc, or half the side of the square; in 2D, half the length of the
  /// segment.
  double radius = 0;
  std::string shape = "disc";
  double speed = 0;                 ///< [velocity], > 0
  double start = 0;                 ///< [time]
  std::optional<double> stop = {};  ///< [time]
  std::int64_t most = 1'000'000;    ///< largest number of bodies in the scene
  std::string species = {};
  std::uint8_t species_number = 0;  ///< number of `species`, as in Bodies::species
};

/// Removes the fluid inside a box or a sphere.
struct Drain {
  std::optional<engine::Vec3d> low = {}, high = {};  ///< [length]
  engine::Vec3d position{0, 0, 0};                   ///< [length]
  std::optional<double> radius = {};                 ///< [length], > 0
  std::int64_t every = 10;                           ///< steps between two checks
};

const engine::ParamTable<Emitter>& emitter_table();
const engine::ParamTable<Drain>& drain_table();

/// A unit vector.
engine::Vec3d direction_of(const Emitter& emitter);
/// Positions of a layer as it leaves the face: a square lattice about its centre.
std::vector<engine::Vec3d> layer_of(const Emitter& emitter, double spacing, int dimensions);
bool contains(const Drain& drain, engine::Vec3d position);

}  // namespace mote::sim
