#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/math/vec.h"
#include "engine/params.h"

namespace mote::sim {

/// Where fluid comes from: a face that lets a layer of particles go whenever the last one has moved
/// by one spacing.
struct Emitter {
  engine::Vec3d position{0, 0, 0};  ///< [length]: the middle of the face
  engine::Vec3d direction{0, 0, 0};
  /// [length], > 0: of the disc, or half the side of the square; in two dimensions, half the
  /// segment.
  double radius = 0;
  std::string shape = "disc";
  double speed = 0;                 ///< [velocity], > 0
  double start = 0;                 ///< [time]
  std::optional<double> stop = {};  ///< [time]
  std::int64_t most = 1'000'000;    ///< bodies of the scene
  std::string species = {};
  std::uint8_t species_number = 0;  ///< as Bodies::species counts them
};

/// Where fluid that enters is taken out: a box between two corners, or a sphere.
struct Drain {
  std::optional<engine::Vec3d> low = {}, high = {};  ///< [length]
  engine::Vec3d position{0, 0, 0};                   ///< [length]
  std::optional<double> radius = {};                 ///< [length], > 0
  std::int64_t every = 10;                           ///< steps
};

const engine::ParamTable<Emitter>& emitter_table();
const engine::ParamTable<Drain>& drain_table();

/// A unit vector.
engine::Vec3d direction_of(const Emitter& emitter);
/// Places of a layer as it leaves the face: a square lattice about its middle.
std::vector<engine::Vec3d> layer_of(const Emitter& emitter, double spacing, int dimensions);
bool is_in(const Drain& drain, engine::Vec3d place);

}  // namespace mote::sim
