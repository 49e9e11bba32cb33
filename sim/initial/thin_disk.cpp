#include "sim/initial/thin_disk.h"

#include <cmath>
#include <numbers>
#include <vector>

namespace mote::sim {
namespace {

/// A node of the tanh-sinh rule on (0, 1) (Takahasi & Mori 1974, Publ. RIMS 9, 721). The nodes
/// cluster at both ends, which copes with integrable singularities and narrow features there.
struct Node {
  double from_start;  ///< distance from 0; never rounds to 0, unlike 1 - to_end
  double to_end;
  double weight;
};

std::vector<Node> tanh_sinh() {
  constexpr double step = 1.0 / 16,
                   last = 3.5;  // truncation: exp(-pi/2 sinh 3.5) = 5e-12 at an inverse root
  std::vector<Node> nodes;
  for (double t = -last; t <= last; t += step) {
    const double s = std::numbers::pi * std::sinh(t);
    const double from_start = 1 / (1 + std::exp(-s)), to_end = 1 / (1 + std::exp(s));
    nodes.push_back(
        {from_start, to_end, step * std::numbers::pi * std::cosh(t) * from_start * to_end});
  }
  return nodes;
}

struct Gravity {
  double axis;   ///< R times the acceleration towards the axis
  double plane;  ///< acceleration towards the plane
};

/// Contribution at (R, h) of the homoeoid flattened to the disk of radius a. The first component is
/// 4 a^2 K0(a) R^2 / (sqrt(u) (R^2 + s^2)), s = h A^2 / u (`scaled_height`), where u = A^2 - a^2 is
/// the squared minor axis of the spheroid through (R, h) confocal with that disk: R^2 / A^2 + h^2 /
/// u = 1. The second is s / R^2 times the first. `beyond` = R^2 - a^2 is passed in because the
/// caller has it without cancellation.
Gravity homoeoid(double a, double beyond, double radius, double height) {
  const double b = beyond + height * height;
  const double root = std::sqrt(b * b + 4 * a * a * height * height);
  const double u = b > 0 ? 0.5 * (b + root) : 2 * a * a * height * height / (root - b);
  if (!(u > 0)) return {0, 0};
  const double scaled_height = height * (a * a + u) / u;
  const double common = 4 * a * a * std::cyl_bessel_k(0.0, a) /
                        (std::sqrt(u) * (radius * radius + scaled_height * scaled_height));
  return {common * radius * radius, common * scaled_height};
}

Gravity thin_disk(double radius, double height) {
  static const std::vector<Node> nodes = tanh_sinh();
  constexpr double tail = 40;  // K0 has fallen by e^-40
  Gravity sum{0, 0};
  const auto add = [&sum](double weight, Gravity gravity) {
    sum.axis += weight * gravity.axis;
    sum.plane += weight * gravity.plane;
  };
  for (const Node& node : nodes) {
    const double a = radius * node.to_end, gap = radius * node.from_start;
    if (a > 0) add(radius * node.weight, homoeoid(a, gap * (radius + a), radius, height));
  }
  if (height == 0) return sum;  // homoeoids larger than R exert no radial force in the plane
  for (const Node& node : nodes) {
    const double gap = tail * node.from_start, a = radius + gap;
    add(tail * node.weight, homoeoid(a, -gap * (radius + a), radius, height));
  }
  return sum;
}

}  // namespace

double thin_disk_velocity_squared(double radius, double height) {
  return thin_disk(radius, height).axis;
}

double thin_disk_vertical_gravity(double radius, double height) {
  return height == 0 ? 2 * std::numbers::pi * std::exp(-radius) : thin_disk(radius, height).plane;
}

}  // namespace mote::sim
