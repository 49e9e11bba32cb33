#pragma once

#include <vector>

#include "render/pass/lens.h"
#include "render/pass/lines.h"
#include "render/view_style.h"

namespace mote::render {

/// Size of drawn bodies: spheres in the world, or stars in the picture; the other is 0.
struct BodySize {
  double sphere_radius = 0;  ///< world length
  double star_radius = 0;    ///< pixels
};

/// Lines that are not bodies: those of the extras, bounding box, axes and the ring around the
/// marked body.
std::vector<Line> guides_of(const ViewStyle& style, const Extras& extras, const Lens& lens,
                            const BodySize& bodies, int height);

}  // namespace mote::render
