#include "sim/measure/profile.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace mote::sim {
namespace {

struct Body {
  double radius, mass;
};

/// Ascending radii about the centre of mass.
std::vector<Body> sorted_bodies(const State<engine::Host>& state) {
  std::vector<Body> bodies;
  state.visit([&]<class Real>(StateView<const Real> s) {
    const auto position = [&](engine::Index i) {
      return engine::Vec3d{static_cast<double>(s.x[i]), static_cast<double>(s.y[i]),
                           static_cast<double>(s.z[i])};
    };
    const auto counts = [&](engine::Index i) {
      const engine::Vec3d x = position(i);
      return s.mass[i] > 0 && std::isfinite(x.x + x.y + x.z);
    };
    double mass = 0;
    engine::Vec3d center{};
    for (engine::Index i = 0; i < s.count; ++i)
      if (counts(i)) {
        mass += static_cast<double>(s.mass[i]);
        center += static_cast<double>(s.mass[i]) * position(i);
      }
    if (mass == 0) return;
    center = (1 / mass) * center;
    for (engine::Index i = 0; i < s.count; ++i)
      if (counts(i))
        bodies.push_back({length(position(i) - center), static_cast<double>(s.mass[i])});
  });
  std::sort(bodies.begin(), bodies.end(),
            [](const Body& a, const Body& b) { return a.radius < b.radius; });
  return bodies;
}

}  // namespace

double ProfileShell::volume() const {
  return 4 * std::numbers::pi / 3 * (high * high * high - low * low * low);
}

double ProfileShell::density() const {
  return mass / volume();
}

std::vector<ProfileShell> density_profile(const State<engine::Host>& state) {
  const std::vector<Body> bodies = sorted_bodies(state);
  const std::size_t n = bodies.size();
  if (static_cast<engine::Index>(n) < least_for_profile) return {};
  const double first = bodies[std::max<std::size_t>(8, n / 1000)].radius,
               last = bodies.back().radius;
  if (!(first > 0) || !(first < last)) return {};
  // The number of shells grows as the cube root of n, to balance noise and resolution.
  const int shells = std::clamp(static_cast<int>(1.5 * std::cbrt(static_cast<double>(n))), 5, 48);
  std::vector<ProfileShell> profile{{0, first, 0, 0}};
  for (int k = 0; k < shells; ++k)
    profile.push_back({profile.back().high,
                       k + 1 == shells ? last : first * std::pow(last / first, (k + 1.0) / shells),
                       0, 0});
  std::size_t shell = 0;
  for (const Body& body : bodies) {
    while (shell + 1 < profile.size() && body.radius >= profile[shell].high) ++shell;
    profile[shell].mass += body.mass;
    ++profile[shell].count;
  }
  return profile;
}

}  // namespace mote::sim
