#include "sim/initial/virial.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "engine/algo/reduce.h"

namespace mote::sim {
namespace {

using engine::Index;
using engine::Vec3d;

constexpr Index rows_per_task = 64;  // rows of the pair matrix

double sum_of_pairs(const Bodies& b, const MakeContext& context) {
  const double softening2 = context.softening * context.softening;
  std::vector<double> parts(
      static_cast<std::size_t>((b.count() + rows_per_task - 1) / rows_per_task), 0.0);
  engine::parallel_tasks(context.threads, static_cast<Index>(parts.size()), [&](Index task) {
    double sum = 0;
    const Index end = std::min(b.count(), (task + 1) * rows_per_task);
    for (Index row = task * rows_per_task; row < end; ++row) {
      const auto i = static_cast<std::size_t>(row);
      double inner = 0;
      for (std::size_t j = 0; j < i; ++j) {
        const Vec3d d = b.position[i] - b.position[j];
        inner += b.mass[j] / std::sqrt(dot(d, d) + softening2);
      }
      sum += b.mass[i] * inner;
    }
    parts[static_cast<std::size_t>(task)] = sum;
  });
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

double sum_of_spheres(const Bodies& b) {
  Bodies centred = b;
  center(centred);
  struct Shell {
    double radius, mass;
  };
  std::vector<Shell> shells;
  for (std::size_t i = 0; i < b.mass.size(); ++i)
    shells.push_back({length(centred.position[i]), b.mass[i]});
  // Ties in radius are ordered by mass: the sum is then the same bit for bit.
  std::sort(shells.begin(), shells.end(), [](const Shell& p, const Shell& q) {
    return p.radius < q.radius || (p.radius == q.radius && p.mass < q.mass);
  });
  double inside = 0, sum = 0;
  for (const Shell& s : shells) {
    if (s.radius > 0) sum += s.mass * inside / s.radius;
    inside += s.mass;
  }
  return sum;
}

}  // namespace

double potential_energy(const Bodies& bodies, const MakeContext& context) {
  const double sum =
      bodies.count() <= max_direct_bodies ? sum_of_pairs(bodies, context) : sum_of_spheres(bodies);
  return -context.gravitational * sum;
}

void set_virial_ratio(Bodies& bodies, double ratio, const MakeContext& context) {
  double mass = 0, kinetic = 0;
  Vec3d momentum{0, 0, 0};
  for (std::size_t i = 0; i < bodies.mass.size(); ++i) {
    mass += bodies.mass[i];
    momentum += bodies.mass[i] * bodies.velocity[i];
  }
  const Vec3d drift = mass > 0 ? (1 / mass) * momentum : Vec3d{0, 0, 0};
  for (std::size_t i = 0; i < bodies.mass.size(); ++i) {
    const Vec3d v = bodies.velocity[i] - drift;
    kinetic += 0.5 * bodies.mass[i] * dot(v, v);
  }
  const double potential = kinetic > 0 ? potential_energy(bodies, context) : 0;
  const double factor = kinetic > 0 ? std::sqrt(-ratio * potential / (2 * kinetic)) : 0;
  for (Vec3d& v : bodies.velocity) v = factor * v;
}

}  // namespace mote::sim
