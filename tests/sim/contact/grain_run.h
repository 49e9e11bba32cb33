#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "engine/math/random.h"
#include "sim/contact/contact.h"
#include "tests/support/columns.h"

namespace mote::test {

/// Columns of grains.
template <class Real>
struct Grains : BodyColumns<Real> {
  using BodyColumns<Real>::mass, BodyColumns<Real>::velocity;
  std::vector<std::uint32_t> id;
  std::vector<std::uint8_t> member;  ///< empty: all are grains
  std::vector<Real> radius, wx, wy, wz, bx, by, bz;

  std::size_t count() const { return id.size(); }
  void add(engine::Vec3d at, double r, double m, engine::Vec3d v = {0, 0, 0},
           engine::Vec3d w = {0, 0, 0}) {
    id.push_back(static_cast<std::uint32_t>(id.size()));
    this->add_body(m, at, v);
    this->put(radius, r), this->put(wx, w.x), this->put(wy, w.y), this->put(wz, w.z);
    for (auto* column : {&bx, &by, &bz}) column->push_back(0);
  }
  sim::GrainView<Real> view() {
    return {static_cast<engine::Index>(count()),
            id.data(),
            mass.data(),
            radius.data(),
            this->x.data(),
            this->y.data(),
            this->z.data(),
            this->vx.data(),
            this->vy.data(),
            this->vz.data(),
            wx.data(),
            wy.data(),
            wz.data(),
            this->ax.data(),
            this->ay.data(),
            this->az.data(),
            bx.data(),
            by.data(),
            bz.data(),
            member.empty() ? nullptr : member.data()};
  }
  engine::Vec3d spin(std::size_t i) const { return {double(wx[i]), double(wy[i]), double(wz[i])}; }
  double inertia(std::size_t i) const {
    return sim::moment_of_inertia(double(mass[i]), double(radius[i]));
  }
  double kinetic_energy() const {
    double sum = 0;
    for (std::size_t i = 0; i < count(); ++i)
      sum += 0.5 *
             (double(mass[i]) * dot(velocity(i), velocity(i)) + inertia(i) * dot(spin(i), spin(i)));
    return sum;
  }
};

/// Kick, drift, kick. Contacts use the velocities of the half step and are stored once a step.
template <class Real>
struct GrainRun {
  explicit GrainRun(const sim::ContactParams& params) : force(params) {}

  Grains<Real> grains;
  sim::ContactForce<Real> force;
  sim::Obstacles obstacles;
  sim::Domain domain;
  engine::Vec3d gravity{0, 0, 0};
  bool turns = true;  ///< grains may turn
  double time = 0;
  int threads = 1;
  sim::ContactReport report;

  const sim::ContactParams& params() const { return force.materials().standard(); }

  /// Uses friction and restitution of the grains.
  void put(const std::vector<sim::ObstacleDescription>& described, double margin = 1) {
    obstacles = sim::Obstacles(described, {}, {params().friction, params().restitution}, margin, 1);
  }

  void evaluate(double h) {
    Grains<Real>& g = grains;
    for (auto* column : {&g.bx, &g.by, &g.bz}) std::fill(column->begin(), column->end(), Real(0));
    for (std::size_t i = 0; i < g.count(); ++i) g.accelerate(i, gravity);
    report = force.run({.threads = threads}, g.view(), domain, {obstacles}, time, h);
  }
  void kick(double h) {
    Grains<Real>& g = grains;
    const Real s = static_cast<Real>(h);
    for (std::size_t i = 0; i < g.count(); ++i) {
      g.kick(i, s);
      if (turns) g.wx[i] += s * g.bx[i], g.wy[i] += s * g.by[i], g.wz[i] += s * g.bz[i];
    }
  }
  void step(double h) {
    Grains<Real>& g = grains;
    kick(h / 2);
    const Real s = static_cast<Real>(h);
    for (std::size_t i = 0; i < g.count(); ++i)
      g.x[i] += s * g.vx[i], g.y[i] += s * g.vy[i], g.z[i] += s * g.vz[i];
    time += h;
    evaluate(h);
    kick(h / 2);
  }
  /// Initial forces, then steps over this time.
  void run_for(double duration, double h) {
    evaluate(0);
    for (long n = std::lround(duration / h); n > 0; --n) step(h);
  }
};

}  // namespace mote::test
