#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/math/vec.h"
#include "engine/types.h"
#include "sim/soft/soft_mesh.h"

namespace mote::sim {

/// How a body is drawn apart from its species.
struct BodyLook {
  std::string color = {};  ///< "#rrggbb"; "": by the view
  double radius = 0;       ///< radius of its sphere [length]; 0: as others

  bool operator==(const BodyLook&) const = default;
};
/// Bodies that are drawn with looks of their own, at most; others look as their species.
inline constexpr std::size_t most_own_looks = 64;

/// Names of bodies and how they are drawn: one of each by id, or fewer if none follows.
struct BodyLabels {
  std::vector<std::string> names = {};
  std::vector<BodyLook> looks = {};
};

/// Bodies as a scene generates them: double precision, scene units, before a State exists.
/// Invariant: `mass`, `position` and `velocity` have the same length; `names`, `species`, `radius`,
/// `fixed`, `spin` and `looks` have it too or are empty.
struct Bodies {
  std::vector<double> mass;  ///< >= 0; a massless body feels gravity but exerts none
  std::vector<engine::Vec3d> position;
  std::vector<engine::Vec3d> velocity;
  std::vector<std::string> names;          ///< "" for unnamed bodies
  std::vector<std::uint8_t> species = {};  ///< species number in the scene, from 1; 0: none
  std::vector<double> radius = {};         ///< radii of grains; 0 where not given
  std::vector<std::uint8_t> fixed = {};    ///< 1 for bodies that keep their velocity
  std::vector<engine::Vec3d> spin = {};    ///< angular velocity of grains [1 / time]
  SoftMesh soft = {};                      ///< constraints; indices refer to the arrays above
  std::vector<BodyLook> looks = {};        ///< the default for bodies drawn as others

  engine::Index count() const { return static_cast<engine::Index>(mass.size()); }
};

/// Inputs of a generator besides its own parameters.
struct MakeContext {
  std::uint64_t seed = 1;    ///< the scene's seed
  std::uint32_t stream = 0;  ///< the generator's; different streams are independent samples
  double gravitational = 1;  ///< G in the scene's units
  double softening = 0;      ///< softening of gravity [length]; enters circular velocities
  int threads = 1;           ///< the result is the same bit for bit for every number
  /// Moves the centre of mass to rest at the origin, from which a random sample deviates. No effect
  /// on massless bodies.
  bool centre = true;
};

/// Appends `more` to `bodies`; without a copy if there are none yet and `more` is given away.
void append(Bodies& bodies, const Bodies& more);
void append(Bodies& bodies, Bodies&& more);

/// All functions below give the same bits for any number of threads.

/// Moves the centre of mass to rest at the origin. Without mass, does nothing.
void center(Bodies& bodies, int threads = 1);

/// Adds a vector to all positions, or to all velocities.
void translate(Bodies& bodies, engine::Vec3d by, int threads = 1);
void boost(Bodies& bodies, engine::Vec3d by, int threads = 1);

/// Rotates positions and velocities about the axis through the origin by `degrees`, right-handed.
/// `axis` must not be zero.
void rotate(Bodies& bodies, engine::Vec3d axis, double degrees, int threads = 1);

/// Multiplies positions and radii by `length`, velocities by `velocity`, masses by `mass`.
void scale(Bodies& bodies, double length, double velocity, double mass);

/// Adds a rigid rotation about the axis through the origin: omega x r to the velocity of each body,
/// with `rate` in radians per unit of time, right-handed. `axis` must not be zero.
void spin(Bodies& bodies, engine::Vec3d axis, double rate);

}  // namespace mote::sim
