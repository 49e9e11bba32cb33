#include "sim/initial/bodies.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "engine/algo/reduce.h"
#include "engine/check.h"

namespace mote::sim {
namespace {

using engine::Index;
using engine::Vec3d;

struct Moments {
  double mass;
  Vec3d position;
  Vec3d velocity;

  Moments& operator+=(const Moments& other) {
    mass += other.mass;
    position += other.position;
    velocity += other.velocity;
    return *this;
  }
};

Moments moments_of(const Bodies& bodies, int threads) {
  return engine::ordered_sum(threads, bodies.count(), Moments{}, [&](Index begin, Index end) {
    Moments sum{};
    for (Index i = begin; i < end; ++i) {
      const auto k = static_cast<std::size_t>(i);
      sum += {bodies.mass[k], bodies.mass[k] * bodies.position[k],
              bodies.mass[k] * bodies.velocity[k]};
    }
    return sum;
  });
}

/// Calls `change(v)` for all vectors.
template <class Change>
void for_each(std::vector<Vec3d>& vectors, int threads, Change&& change) {
  engine::parallel_chunks(threads, static_cast<Index>(vectors.size()), [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) change(vectors[static_cast<std::size_t>(i)]);
  });
}

void shift(std::vector<Vec3d>& vectors, Vec3d by, int threads) {
  for_each(vectors, threads, [by](Vec3d& v) { v += by; });
}

/// Rodrigues' rotation formula about the unit vector `axis` (1840, J. Math. Pures Appl. 5, 380).
Vec3d rotated(Vec3d v, Vec3d axis, double cosine, double sine) {
  return cosine * v + sine * cross(axis, v) + ((1 - cosine) * dot(axis, v)) * axis;
}

}  // namespace

void append(Bodies& bodies, const Bodies& more) {
  const std::size_t before = bodies.mass.size();
  const std::size_t added = more.mass.size();
  const bool named = !bodies.names.empty() || !more.names.empty();
  // By index after a single resize, so that `bodies` may be appended to itself.
  const auto extend = [&](auto& to, const auto& from) {
    to.resize(before + added);
    for (std::size_t i = 0; i < added && i < from.size(); ++i) to[before + i] = from[i];
  };
  extend(bodies.mass, more.mass);
  extend(bodies.position, more.position);
  extend(bodies.velocity, more.velocity);
  if (named) extend(bodies.names, more.names);
  if (!bodies.species.empty() || !more.species.empty()) extend(bodies.species, more.species);
  if (!bodies.radius.empty() || !more.radius.empty()) extend(bodies.radius, more.radius);
  if (!bodies.fixed.empty() || !more.fixed.empty()) extend(bodies.fixed, more.fixed);
  if (!bodies.spin.empty() || !more.spin.empty()) extend(bodies.spin, more.spin);
  if (!bodies.looks.empty() || !more.looks.empty()) extend(bodies.looks, more.looks);
  bodies.soft.append(more.soft, static_cast<std::uint32_t>(before));
}

void append(Bodies& bodies, Bodies&& more) {
  if (bodies.count() == 0)
    bodies = std::move(more);
  else
    append(bodies, std::as_const(more));
}

void center(Bodies& bodies, int threads) {
  const Moments m = moments_of(bodies, threads);
  if (!(m.mass > 0)) return;
  translate(bodies, (-1 / m.mass) * m.position, threads);
  boost(bodies, (-1 / m.mass) * m.velocity, threads);
}

void translate(Bodies& bodies, Vec3d by, int threads) {
  shift(bodies.position, by, threads);
}

void boost(Bodies& bodies, Vec3d by, int threads) {
  shift(bodies.velocity, by, threads);
}

void scale(Bodies& bodies, double length, double velocity, double mass) {
  for (Vec3d& r : bodies.position) r = length * r;
  for (Vec3d& v : bodies.velocity) v = velocity * v;
  for (double& m : bodies.mass) m *= mass;
  for (double& radius : bodies.radius) radius *= length;
  for (Vec3d& w : bodies.spin) w = (velocity / length) * w;
  for (BodyLook& look : bodies.looks) look.radius *= length;
  bodies.soft.scale(length);
}

void spin(Bodies& bodies, Vec3d axis, double rate) {
  const double length = std::sqrt(dot(axis, axis));
  MOTE_EXPECT(length > 0);
  const Vec3d angular_velocity = (rate / length) * axis;
  for (std::size_t i = 0; i < bodies.position.size(); ++i)
    bodies.velocity[i] += cross(angular_velocity, bodies.position[i]);
}

void rotate(Bodies& bodies, Vec3d axis, double degrees, int threads) {
  const double length = std::sqrt(dot(axis, axis));
  MOTE_EXPECT(length > 0);
  const Vec3d unit = (1 / length) * axis;
  const double angle = degrees * (std::numbers::pi / 180);
  const double cosine = std::cos(angle), sine = std::sin(angle);
  const auto turn = [&](Vec3d& v) { v = rotated(v, unit, cosine, sine); };
  for_each(bodies.position, threads, turn);
  for_each(bodies.velocity, threads, turn);
  for_each(bodies.spin, threads, turn);
}

}  // namespace mote::sim
