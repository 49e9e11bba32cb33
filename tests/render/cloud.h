#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <vector>

#include "render/frame.h"

namespace mote::render {

inline constexpr float nan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float infinity = std::numeric_limits<float>::infinity();

/// Points with a scalar and a weight each.
struct Cloud {
  std::vector<float> positions, scalars, weights, radii = {};

  std::size_t count() const { return scalars.size(); }
  void add(float x, float y, float z, float scalar) {
    positions.insert(positions.end(), {x, y, z});
    scalars.push_back(scalar);
  }
  Frame frame() const {
    Frame made;
    made.positions = positions;
    made.scalars = scalars;
    made.weights = weights;
    made.radii = radii;
    return made;
  }
};

/// Red, green, blue and density, summed over a picture.
struct Sum {
  double red = 0, green = 0, blue = 0, density = 0;
};

inline Sum sum_of(const std::vector<float>& light) {
  Sum sum;
  for (std::size_t i = 0; i < light.size(); i += 4) {
    sum.red += light[i];
    sum.green += light[i + 1];
    sum.blue += light[i + 2];
    sum.density += light[i + 3];
  }
  return sum;
}

/// Scalars run from 0 to 1. `light_of` draws one point of a scalar with the map "inferno", whose
/// red is monotone.
template <class LightOf>
void expect_end_colours_outside_the_range(const LightOf& light_of) {
  const auto red = [&](float scalar) {
    const Sum sum = sum_of(light_of(scalar));
    return sum.red / sum.density;
  };
  EXPECT_NEAR(red(50), red(1), 1e-5);
  EXPECT_NEAR(red(-50), red(0), 1e-5);
  EXPECT_NEAR(red(nan), red(0), 1e-5);
  EXPECT_GT(red(1), red(0) + 0.5);
}

}  // namespace mote::render
