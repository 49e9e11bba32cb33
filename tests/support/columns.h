#pragma once

#include <cstdint>
#include <vector>

#include "engine/math/vec.h"
#include "sim/fluid/fluid.h"

namespace mote::test {

/// Columns of all bodies.
template <class Real>
struct BodyColumns {
  std::vector<Real> mass, x, y, z, vx, vy, vz, ax, ay, az;

  static void put(std::vector<Real>& column, double value) {
    column.push_back(static_cast<Real>(value));
  }
  void add_body(double m, engine::Vec3d at, engine::Vec3d v) {
    put(mass, m), put(x, at.x), put(y, at.y), put(z, at.z), put(vx, v.x), put(vy, v.y),
        put(vz, v.z);
    for (auto* column : {&ax, &ay, &az}) column->push_back(0);
  }
  void accelerate(std::size_t i, engine::Vec3d a) {
    ax[i] = static_cast<Real>(a.x), ay[i] = static_cast<Real>(a.y), az[i] = static_cast<Real>(a.z);
  }
  void kick(std::size_t i, Real h) { vx[i] += h * ax[i], vy[i] += h * ay[i], vz[i] += h * az[i]; }
  engine::Vec3d at(std::size_t i) const { return {double(x[i]), double(y[i]), double(z[i])}; }
  engine::Vec3d velocity(std::size_t i) const {
    return {double(vx[i]), double(vy[i]), double(vz[i])};
  }
};

/// Columns of a fluid and its walls.
template <class Real>
struct FluidColumns : BodyColumns<Real> {
  std::vector<std::uint8_t> kind;
  std::vector<Real> density, rate, ux, uy, uz;

  std::size_t size() const { return kind.size(); }
  bool is_fluid(std::size_t i) const {
    return kind[i] == static_cast<std::uint8_t>(sim::FluidKind::fluid);
  }

  void add_particle(sim::FluidKind what, double of_density, double m, engine::Vec3d at,
                    engine::Vec3d v) {
    this->add_body(m, at, v);
    kind.push_back(static_cast<std::uint8_t>(what));
    this->put(density, of_density);
    for (auto* column : {&rate, &ux, &uy, &uz}) column->push_back(0);
  }
  void kick(std::size_t i, Real h) {
    BodyColumns<Real>::kick(i, h);
    density[i] += h * rate[i];
  }
  void drift(Real h) {
    for (std::size_t i = 0; i < size(); ++i) {
      this->x[i] += h * (this->vx[i] + ux[i]);
      this->y[i] += h * (this->vy[i] + uy[i]);
      this->z[i] += h * (this->vz[i] + uz[i]);
    }
  }
  /// Without pressures.
  sim::FluidView<Real> view() {
    return {static_cast<engine::Index>(size()),
            kind.data(),
            this->mass.data(),
            this->x.data(),
            this->y.data(),
            this->z.data(),
            this->vx.data(),
            this->vy.data(),
            this->vz.data(),
            density.data(),
            this->ax.data(),
            this->ay.data(),
            this->az.data(),
            rate.data(),
            ux.data(),
            uy.data(),
            uz.data(),
            nullptr};
  }
};

}  // namespace mote::test
