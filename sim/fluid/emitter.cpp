#include "sim/fluid/emitter.h"

#include <algorithm>
#include <cmath>

namespace mote::sim {

using engine::Vec3d;

const engine::ParamTable<Emitter>& emitter_table() {
  using engine::param;
  static const engine::ParamTable<Emitter> table{
      "emitter",
      "A face that emits fluid, in the list `emitters`: a new layer of particles each time the "
      "last one has moved by one spacing.",
      {param(
           &Emitter::position,
           {.name = "position", .help = "centre of the face", .unit = "length", .required = true}),
       param(&Emitter::direction, {.name = "direction",
                                   .help = "direction of the jet; any non-zero length",
                                   .required = true}),
       param(&Emitter::radius, {.name = "radius",
                                .help = "radius of the disc, or half the side of the square; in "
                                        "two dimensions, half the length of the segment",
                                .unit = "length",
                                .minimum = 0,
                                .minimum_excluded = true,
                                .required = true}),
       param(&Emitter::shape, {.name = "shape",
                               .help = "shape of the face, in three dimensions",
                               .choices = {"disc", "square"}}),
       param(&Emitter::speed, {.name = "speed",
                               .help = "speed of the emitted fluid",
                               .unit = "velocity",
                               .minimum = 0,
                               .minimum_excluded = true,
                               .required = true}),
       param(&Emitter::start,
             {.name = "start", .help = "time of the first layer", .unit = "time", .minimum = 0}),
       param(&Emitter::stop, {.name = "stop",
                              .help = "time after which no more layers are emitted",
                              .unit = "time",
                              .minimum = 0}),
       param(&Emitter::most,
             {.name = "most",
              .help =
                  "largest number of bodies in the scene; a layer that would exceed it is skipped",
              .minimum = 1,
              .maximum = 4294967295.0}),
       param(&Emitter::species, {.name = "species", .help = "species of the particles"})}};
  return table;
}

const engine::ParamTable<Drain>& drain_table() {
  using engine::param;
  static const engine::ParamTable<Drain> table{
      "drain",
      "A box or a sphere that removes the fluid inside it, in the list `drains`. Walls are not "
      "removed.",
      {param(&Drain::low, {.name = "low",
                           .help = "corner of the box with the smallest coordinates",
                           .unit = "length"}),
       param(&Drain::high, {.name = "high", .help = "the opposite corner", .unit = "length"}),
       param(&Drain::position,
             {.name = "position", .help = "centre of the sphere", .unit = "length"}),
       param(&Drain::radius, {.name = "radius",
                              .help = "radius of the sphere; give a box or a sphere",
                              .unit = "length",
                              .minimum = 0,
                              .minimum_excluded = true}),
       param(&Drain::every, {.name = "every",
                             .help = "steps between two checks for fluid to remove",
                             .minimum = 1})}};
  return table;
}

Vec3d direction_of(const Emitter& emitter) {
  return (1 / length(emitter.direction)) * emitter.direction;
}

std::vector<Vec3d> layer_of(const Emitter& emitter, double spacing, int dimensions) {
  const Vec3d n = direction_of(emitter);
  Vec3d across{-n.y, n.x, 0}, up{0, 0, 0};
  if (dimensions == 3) {
    // One side is horizontal, unless the face itself is.
    across = std::abs(n.z) < 0.999 ? cross(Vec3d{0, 0, 1}, n) : cross(Vec3d{0, 1, 0}, n);
    up = cross(n, across);
    up = (1 / length(up)) * up;
  }
  across = (1 / length(across)) * across;
  const auto count = std::max(1, static_cast<int>(std::lround(2 * emitter.radius / spacing)));
  const auto offset = [&](int i) { return (i + 0.5 - 0.5 * count) * spacing; };
  std::vector<Vec3d> positions;
  for (int j = 0; j < (dimensions == 3 ? count : 1); ++j)
    for (int i = 0; i < count; ++i) {
      const double a = offset(i), b = dimensions == 3 ? offset(j) : 0;
      if (dimensions == 3 && emitter.shape == "disc" &&
          a * a + b * b > emitter.radius * emitter.radius)
        continue;
      positions.push_back(emitter.position + a * across + b * up);
    }
  return positions;
}

bool contains(const Drain& drain, Vec3d position) {
  if (drain.radius) {
    const Vec3d d = position - drain.position;
    return dot(d, d) <= *drain.radius * *drain.radius;
  }
  const Vec3d low = *drain.low, high = *drain.high;
  return position.x >= low.x && position.x <= high.x && position.y >= low.y &&
         position.y <= high.y && position.z >= low.z && position.z <= high.z;
}

}  // namespace mote::sim
