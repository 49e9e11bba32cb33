#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/math/random.h"
#include "sim/fluid/fluid.h"
#include "tests/support/columns.h"

namespace mote::test {

/// A fluid with its columns, integrated by kick-drift-kick.
template <class Real>
struct FluidBox : FluidColumns<Real> {
  using FluidColumns<Real>::size, FluidColumns<Real>::is_fluid;
  sim::Fluid fluid;
  sim::Domain domain;
  engine::Vec3d gravity{0, 0, 0};
  engine::Cpu exec{1, engine::best_simd_level()};
  std::vector<Real> pressure;
  double time = 0;
  sim::FluidReport report;

  void add(engine::Vec3d at, engine::Vec3d v = {0, 0, 0},
           sim::FluidKind what = sim::FluidKind::fluid) {
    const double volume = fluid.dimensions == 2 ? fluid.spacing * fluid.spacing
                                                : fluid.spacing * fluid.spacing * fluid.spacing;
    this->add_particle(what, fluid.density, fluid.density * volume, at, v);
    pressure.push_back(0);
  }

  sim::FluidView<Real> view() {
    sim::FluidView<Real> all = FluidColumns<Real>::view();
    all.pressure = pressure.data();
    return all;
  }

  void evaluate(double ahead) {
    if (!force_) force_.emplace(fluid, domain, gravity);
    for (std::size_t i = 0; i < size(); ++i)
      this->accelerate(i, is_fluid(i) ? gravity : engine::Vec3d{0, 0, 0});
    report = force_->run(exec, view(), ahead);
  }

  void step(double dt) {
    if (report.largest_step == 0) evaluate(0);
    kick(0.5 * dt);
    this->drift(static_cast<Real>(dt));
    evaluate(dt);
    kick(0.5 * dt);
    time += dt;
  }

  /// Number of equal steps to a time, none longer than a fraction of the initial stable step.
  int steps_until(double end, double fraction) {
    if (report.largest_step == 0) evaluate(0);
    return static_cast<int>((end - time) / (fraction * report.largest_step)) + 1;
  }
  void run_until(double end, double fraction = 1) {
    const int steps = steps_until(end, fraction);
    const double dt = (end - time) / steps;
    for (int k = 0; k < steps; ++k) step(dt);
  }

  double kinetic_energy() const {
    double sum = 0;
    for (std::size_t i = 0; i < size(); ++i)
      if (is_fluid(i))
        sum += 0.5 * double(this->mass[i]) * dot(this->velocity(i), this->velocity(i));
    return sum;
  }
  double internal_energy() { return force_->internal_energy(view()); }

 private:
  void kick(double dt) {
    for (std::size_t i = 0; i < size(); ++i) FluidColumns<Real>::kick(i, static_cast<Real>(dt));
  }

  std::optional<sim::FluidForce> force_;
};

/// A periodic box of `n` particles along each axis, on a perturbed lattice, with random velocities,
/// densities and masses.
template <class Real>
FluidBox<Real> stirred_box(int dimensions, int n, const sim::Fluid& like = {}) {
  FluidBox<Real> box;
  box.fluid = like;
  box.fluid.dimensions = dimensions;
  box.fluid.spacing = 1.0 / n;
  box.fluid.largest_speed = 1;
  box.domain.length = {1, 1, dimensions == 3 ? 1.0 : 0.0};
  for (int axis = 0; axis < dimensions; ++axis) box.domain.periodic[axis] = true;
  engine::Random random(3, 0, 0);
  const double dx = box.fluid.spacing;
  for (int k = 0; k < (dimensions == 3 ? n : 1); ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const auto near = [&](int m) { return (m + 0.5 + random.uniform(-0.3, 0.3)) * dx; };
        const auto any = [&] { return random.uniform(-1, 1); };
        box.add({near(i), near(j), dimensions == 3 ? near(k) : 0.0},
                {any(), any(), dimensions == 3 ? any() : 0.0});
        box.density.back() = static_cast<Real>(1 + 0.01 * any());
        box.mass.back() = static_cast<Real>(box.mass.back() * (1 + 0.2 * any()));
      }
  return box;
}

inline const sim::Fluid all_fluid_terms{
    .smoothing = 1.5, .viscosity = 0.01, .artificial_viscosity = 0.1, .xsph = 0.3};

/// The same box with all terms; every ninth particle is a wall.
template <class Real>
FluidBox<Real> box_with_walls(int dimensions, int n, int threads) {
  FluidBox<Real> box = stirred_box<Real>(dimensions, n, all_fluid_terms);
  for (std::size_t i = 0; i < box.size(); i += 9) box.kind[i] = 1;
  box.exec.threads = threads;
  return box;
}

}  // namespace mote::test
