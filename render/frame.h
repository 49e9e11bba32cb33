#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "engine/types.h"
#include "render/polyline.h"

namespace mote::render {

/// What a picture is made from. Knows no physics: points, a number to colour each by, and words for
/// labels. Spans are views; whoever makes a Frame keeps the arrays alive while it is drawn.
struct Frame {
  std::span<const float> positions;  ///< x, y, z of each point, interleaved: 3 n
  std::span<const float> scalars;    ///< n, the number that is mapped to a colour
  std::span<const float> weights;    ///< n, relative brightness of each point; empty: all 1
  std::span<const float> radii;  ///< n, world lengths, of spheres, negative for walls of a fluid or
                                 ///< solids in it, 0: not drawn; empty: all alike
  std::vector<Polyline> lines;   ///< beside the points: what is in their way
  float scalar_low = 0;          ///< maps to the first colour
  float scalar_high = 1;         ///< maps to the last colour
  std::string scalar_name;       ///< "speed [km/s]"
  float center[3] = {0, 0, 0};   ///< of the bodies that a camera should frame
  float radius = 1;              ///< of a sphere about `center` that holds nearly all of them; > 0
  double time = 0;               ///< simulation time
  std::string time_label;        ///< "t = 1.25 kpc/(km/s)"

  engine::Index count() const { return static_cast<engine::Index>(positions.size() / 3); }
};

}  // namespace mote::render
