#pragma once

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/types.h"
#include "render/body_looks.h"
#include "render/body_mesh.h"
#include "render/polyline.h"
#include "render/surface_mesh.h"

namespace mote::render {

/// The name of a body.
struct NameTag {
  glm::vec3 position;  ///< relative to the frame's origin
  std::string name;
  float radius = 0;  ///< radius of its sphere, if it has one of its own [length]
};

/// The data of a picture, free of physics: points, a scalar to colour each by, and labels. Spans
/// are views; the maker of a Frame keeps the arrays alive while it is drawn.
struct Frame {
  std::span<const float> positions;  ///< x, y, z of each point, interleaved: 3 n
  std::span<const float> scalars;    ///< n, mapped to colours
  std::span<const float> weights;    ///< n, relative brightness; empty: all 1
  /// n, radii of spheres, world lengths; negative for walls of a fluid or solids in it, 0: not
  /// drawn; empty: all equal
  std::span<const float> radii;
  std::vector<Polyline> lines;           ///< drawn with the points, such as obstacles
  std::vector<PlacedSurface> surfaces;   ///< the same
  std::shared_ptr<const BodyMesh> mesh;  ///< connects the points, drawn with spheres; may be null
  PointKinds kinds;                      ///< kinds of the points; null: all 0
  std::vector<OwnLook> own_looks;        ///< looks of the kinds after those of the PictureOptions
  std::vector<NameTag> names;            ///< shown where pictures explain themselves
  float scalar_low = 0;                  ///< maps to the first colour
  float scalar_high = 1;                 ///< maps to the last colour
  std::string scalar_name;               ///< title of the legend: "speed [km/s]"
  double scalar_factor = 1;              ///< from scalars to the unit of the legend
  float center[3] = {0, 0, 0};           ///< centre of the bodies that a camera frames
  float radius = 1;        ///< radius of a sphere about `center` with nearly all of them; > 0
  double time = 0;         ///< simulation time
  std::string time_label;  ///< "t = 1.22 Gyr"

  engine::Index count() const { return static_cast<engine::Index>(positions.size() / 3); }
};

}  // namespace mote::render
