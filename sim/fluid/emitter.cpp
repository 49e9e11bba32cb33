#include "sim/fluid/emitter.h"

#include <algorithm>
#include <cmath>

namespace mote::sim {

using engine::Vec3d;

const engine::ParamTable<Emitter>& emitter_table() {
  using engine::param;
  static const engine::ParamTable<Emitter> table{
      "emitter",
      "A face that fluid comes out of, in the list `emitters`. A layer of particles leaves it "
      "whenever the "
      "last one has moved by one spacing.",
      {param(
           &Emitter::position,
           {.name = "position", .help = "middle of the face", .unit = "length", .required = true}),
       param(&Emitter::direction, {.name = "direction",
                                   .help = "in which the fluid comes out, of any length",
                                   .required = true}),
       param(
           &Emitter::radius,
           {.name = "radius",
            .help = "of the disc, half the side of the square; in two dimensions, half the segment",
            .unit = "length",
            .minimum = 0,
            .minimum_excluded = true,
            .required = true}),
       param(&Emitter::shape, {.name = "shape",
                               .help = "of the face, in three dimensions",
                               .choices = {"disc", "square"}}),
       param(&Emitter::speed, {.name = "speed",
                               .help = "with which the fluid comes out",
                               .unit = "velocity",
                               .minimum = 0,
                               .minimum_excluded = true,
                               .required = true}),
       param(&Emitter::start,
             {.name = "start", .help = "time of the first layer", .unit = "time", .minimum = 0}),
       param(&Emitter::stop,
             {.name = "stop", .help = "time behind the last layer", .unit = "time", .minimum = 0}),
       param(&Emitter::most,
             {.name = "most",
              .help = "bodies in the scene; a layer that would make more is left out",
              .minimum = 1,
              .maximum = 4294967295.0}),
       param(&Emitter::species, {.name = "species", .help = "of the particles"})}};
  return table;
}

const engine::ParamTable<Drain>& drain_table() {
  using engine::param;
  static const engine::ParamTable<Drain> table{
      "drain",
      "A place where fluid is taken out, in the list `drains`: a box, or a sphere. Walls stay.",
      {param(&Drain::low, {.name = "low",
                           .help = "corner of the box with the least coordinates",
                           .unit = "length"}),
       param(&Drain::high, {.name = "high", .help = "the opposite corner", .unit = "length"}),
       param(&Drain::position,
             {.name = "position", .help = "centre of the sphere", .unit = "length"}),
       param(&Drain::radius, {.name = "radius",
                              .help = "of the sphere, instead of a box",
                              .unit = "length",
                              .minimum = 0,
                              .minimum_excluded = true}),
       param(&Drain::every, {.name = "every",
                             .help = "steps from one look at what is there to the next",
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
    // One side level, unless the face itself is.
    across = std::abs(n.z) < 0.999 ? cross(Vec3d{0, 0, 1}, n) : cross(Vec3d{0, 1, 0}, n);
    up = cross(n, across);
    up = (1 / length(up)) * up;
  }
  across = (1 / length(across)) * across;
  const auto wide = std::max(1, static_cast<int>(std::lround(2 * emitter.radius / spacing)));
  const auto offset = [&](int i) { return (i + 0.5 - 0.5 * wide) * spacing; };
  std::vector<Vec3d> places;
  for (int j = 0; j < (dimensions == 3 ? wide : 1); ++j)
    for (int i = 0; i < wide; ++i) {
      const double a = offset(i), b = dimensions == 3 ? offset(j) : 0;
      if (dimensions == 3 && emitter.shape == "disc" &&
          a * a + b * b > emitter.radius * emitter.radius)
        continue;
      places.push_back(emitter.position + a * across + b * up);
    }
  return places;
}

bool is_in(const Drain& drain, Vec3d place) {
  if (drain.radius) {
    const Vec3d d = place - drain.position;
    return dot(d, d) <= *drain.radius * *drain.radius;
  }
  const Vec3d low = *drain.low, high = *drain.high;
  return place.x >= low.x && place.x <= high.x && place.y >= low.y && place.y <= high.y &&
         place.z >= low.z && place.z <= high.z;
}

}  // namespace mote::sim
