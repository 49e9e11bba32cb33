#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/math/vec.h"
#include "engine/types.h"
#include "sim/soft/soft_mesh.h"

namespace mote::sim {

/// Bodies as a scene makes them: in double, in the scene's units, before any State exists.
/// Invariant: the three arrays have the same length; `names`, `species` and `radius` are empty or
/// have it too.
struct Bodies {
  std::vector<double> mass;  ///< >= 0; a massless body feels gravity and does not pull
  std::vector<engine::Vec3d> position;
  std::vector<engine::Vec3d> velocity;
  std::vector<std::string> names;          ///< "" for the unnamed
  std::vector<std::uint8_t> species = {};  ///< numbers of the scene's species, from 1; 0 for none
  std::vector<double> radius = {};         ///< of grains; 0 for those that do not say
  SoftMesh soft = {};  ///< what holds them together, numbered as they stand here

  engine::Index count() const { return static_cast<engine::Index>(mass.size()); }
};

/// What a generator needs beside its own parameters.
struct MakeContext {
  std::uint64_t seed = 1;    ///< of the scene
  std::uint32_t stream = 0;  ///< of this generator: other streams are independent samples
  double gravitational = 1;  ///< G in the scene's units
  double softening = 0;      ///< of the scene's gravity, length; circular velocities take it into
                             ///< account
  int threads = 1;           ///< never changes a bit
  /// Whether the bodies are moved so that their centre of mass rests at the origin: a sample's is
  /// off by chance. Without mass nothing moves.
  bool centre = true;
};

/// Adds `more` behind `bodies`.
void append(Bodies& bodies, const Bodies& more);

/// Moves the centre of mass to rest at the origin. Without mass, does nothing.
void center(Bodies& bodies);

/// Adds a vector to all positions, or to all velocities.
void translate(Bodies& bodies, engine::Vec3d by);
void boost(Bodies& bodies, engine::Vec3d by);

/// Turns positions and velocities about the axis through the origin by `degrees`, right-handed.
/// `axis` is not zero.
void rotate(Bodies& bodies, engine::Vec3d axis, double degrees);

/// Multiplies positions and radii, velocities, and masses by factors.
void scale(Bodies& bodies, double length, double velocity, double mass);

/// Adds a rigid rotation about the axis through the origin: omega x r to the velocity of each body,
/// with `rate` radians per unit of time, right-handed. `axis` is not zero.
void spin(Bodies& bodies, engine::Vec3d axis, double rate);

}  // namespace mote::sim
