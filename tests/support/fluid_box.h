#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/math/random.h"
#include "sim/fluid/fluid.h"

namespace mote::test {

/// A fluid with its columns, stepped by kick, drift and kick.
template <class Real>
struct FluidBox {
  sim::Fluid fluid;
  sim::Domain domain;
  engine::Vec3d gravity{0, 0, 0};
  engine::Cpu exec{1, engine::best_simd_level()};
  std::vector<std::uint8_t> kind;
  std::vector<Real> mass, x, y, z, vx, vy, vz, density, ax, ay, az, rate, ux, uy, uz, pressure;
  double time = 0;
  sim::FluidReport report;

  void add(engine::Vec3d at, engine::Vec3d v = {0, 0, 0}, sim::FluidKind what = sim::FluidKind::fluid) {
    const double volume =
        fluid.dimensions == 2 ? fluid.spacing * fluid.spacing : fluid.spacing * fluid.spacing * fluid.spacing;
    kind.push_back(static_cast<std::uint8_t>(what));
    const auto put = [](std::vector<Real>& column, double value) {
      column.push_back(static_cast<Real>(value));
    };
    put(mass, fluid.density * volume);
    put(x, at.x), put(y, at.y), put(z, at.z);
    put(vx, v.x), put(vy, v.y), put(vz, v.z);
    put(density, fluid.density);
    for (std::vector<Real>* column : {&ax, &ay, &az, &rate, &ux, &uy, &uz, &pressure}) column->push_back(0);
  }

  std::size_t size() const { return kind.size(); }
  bool is_fluid(std::size_t i) const { return kind[i] == 0; }

  sim::FluidView<Real> view() {
    return {static_cast<engine::Index>(size()),
            kind.data(),
            mass.data(),
            x.data(),
            y.data(),
            z.data(),
            vx.data(),
            vy.data(),
            vz.data(),
            density.data(),
            ax.data(),
            ay.data(),
            az.data(),
            rate.data(),
            ux.data(),
            uy.data(),
            uz.data(),
            pressure.data()};
  }

  void evaluate(double ahead) {
    if (!force_) force_.emplace(fluid, domain, gravity);
    for (std::size_t i = 0; i < size(); ++i) {
      const bool moves = is_fluid(i);
      ax[i] = static_cast<Real>(moves ? gravity.x : 0);
      ay[i] = static_cast<Real>(moves ? gravity.y : 0);
      az[i] = static_cast<Real>(moves ? gravity.z : 0);
    }
    report = force_->run(exec, view(), ahead);
  }

  void step(double dt) {
    if (report.largest_step == 0) evaluate(0);
    kick(0.5 * dt);
    const auto h = static_cast<Real>(dt);
    for (std::size_t i = 0; i < size(); ++i) {
      x[i] += h * (vx[i] + ux[i]);
      y[i] += h * (vy[i] + uy[i]);
      z[i] += h * (vz[i] + uz[i]);
    }
    evaluate(dt);
    kick(0.5 * dt);
    time += dt;
  }

  /// In equal steps, none longer than so much of what is stable at first.
  void run_until(double end, double share = 1) {
    if (report.largest_step == 0) evaluate(0);
    const auto steps = static_cast<int>((end - time) / (share * report.largest_step)) + 1;
    const double dt = (end - time) / steps;
    for (int k = 0; k < steps; ++k) step(dt);
  }

  double kinetic_energy() const {
    double sum = 0;
    for (std::size_t i = 0; i < size(); ++i)
      if (is_fluid(i))
        sum +=
            0.5 * double(mass[i]) * (double(vx[i]) * vx[i] + double(vy[i]) * vy[i] + double(vz[i]) * vz[i]);
    return sum;
  }
  double internal_energy() { return force_->internal_energy(view()); }

 private:
  void kick(double dt) {
    const auto h = static_cast<Real>(dt);
    for (std::size_t i = 0; i < size(); ++i) {
      vx[i] += h * ax[i];
      vy[i] += h * ay[i];
      vz[i] += h * az[i];
      density[i] += h * rate[i];
    }
  }

  std::optional<sim::FluidForce> force_;
};

/// A periodic box of `n` particles along each axis, out of place and of order, with random velocities and densities.
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

/// One of nine is a wall.
template <class Real>
FluidBox<Real> box_with_walls(int dimensions, int n, int threads) {
  FluidBox<Real> box = stirred_box<Real>(dimensions, n, all_fluid_terms);
  for (std::size_t i = 0; i < box.size(); i += 9) box.kind[i] = 1;
  box.exec.threads = threads;
  return box;
}

}  // namespace mote::test
