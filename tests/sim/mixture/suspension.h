#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/math/random.h"
#include "sim/fluid/fluid.h"
#include "sim/fluid/fluid_fields.h"
#include "sim/mixture/mixture.h"
#include "sim/space/ball_fields.h"
#include "sim/space/list_fields.h"
#include "sim/space/neighbours.h"
#include "sim/state.h"
#include "tests/support/columns.h"
#include "tests/support/on_device.h"

namespace mote::test {

/// A fluid and grains without contacts, integrated by kick-drift-kick.
template <class Real>
struct Suspension : FluidColumns<Real> {
  using Columns = FluidColumns<Real>;
  using Columns::ax, Columns::ay, Columns::az, Columns::size, Columns::is_fluid;
  using Columns::kind, Columns::mass, Columns::density, Columns::rate, Columns::ux, Columns::uy,
      Columns::uz;
  using Columns::x, Columns::y, Columns::z, Columns::vx, Columns::vy, Columns::vz;

  sim::Fluid fluid;
  sim::Domain domain;
  engine::Vec3d gravity{0, 0, 0};  ///< acceleration of all bodies
  /// Additional accelerations of grains and of the fluid.
  engine::Vec3d grain_acceleration{0, 0, 0}, fluid_acceleration{0, 0, 0};
  bool fixed_grains = false;
  int threads = 1;
  engine::Backend backend = engine::Backend::cpu;
  int lanes = 0;  ///< threads a body, on a GPU
  std::vector<std::uint8_t> grain;
  std::vector<Real> radius, fluid_a[3], porosity;
  double largest_step = 0;

  bool is_grain(std::size_t i) const { return grain[i] != 0; }

  void add(engine::Vec3d at, sim::FluidKind what, double m, double r = 0,
           engine::Vec3d v = {0, 0, 0}) {
    this->add_particle(what, fluid.density, m, at, v);
    grain.push_back(what == sim::FluidKind::other ? 1 : 0);
    this->put(radius, r);
    for (auto* column : {&fluid_a[0], &fluid_a[1], &fluid_a[2], &porosity}) column->push_back(0);
  }
  void add_grain(engine::Vec3d at, double r, double of_density, engine::Vec3d v = {0, 0, 0}) {
    add(at, sim::FluidKind::other, of_density * 4 * 3.14159265358979 / 3 * r * r * r, r, v);
  }
  /// Adds a lattice from the corner `from`; positions are off by up to `jitter` spacings.
  void fill(int nx, int ny, int nz, sim::FluidKind what, engine::Vec3d from, double jitter = 0) {
    const double dx = fluid.spacing;
    engine::Random random(5, 1, size());
    const auto off = [&] { return jitter * random.uniform(-1, 1); };
    for (int k = 0; k < nz; ++k)
      for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i)
          add({from.x + dx * (i + 0.5 + off()), from.y + dx * (j + 0.5 + off()),
               from.z + dx * (k + 0.5 + off())},
              what, fluid.density * dx * dx * dx);
  }
  sim::MixtureView<Real> mixture() {
    return {static_cast<engine::Index>(size()),
            kind.data(),
            grain.data(),
            mass.data(),
            radius.data(),
            x.data(),
            y.data(),
            z.data(),
            vx.data(),
            vy.data(),
            vz.data(),
            density.data(),
            fluid_a[0].data(),
            fluid_a[1].data(),
            fluid_a[2].data(),
            ax.data(),
            ay.data(),
            az.data()};
  }
  /// Reduces the fluid by the volume of grains, as at the start of a scene.
  void displace_fluid() {
    sim::MixtureForce<Real>(fluid, domain)
        .porosities({threads, engine::SimdLevel::scalar}, mixture(), porosity.data());
    for (std::size_t i = 0; i < size(); ++i)
      if (is_fluid(i)) mass[i] *= porosity[i], density[i] *= porosity[i];
  }
  void evaluate(double ahead) {
    const engine::Cpu exec{threads, engine::best_simd_level()};
    if (backend == engine::Backend::cpu && !force_)
      force_.emplace(fluid, domain, gravity), mixture_.emplace(fluid, domain);
    for (std::size_t i = 0; i < size(); ++i) {
      this->accelerate(i, is_grain(i)   ? gravity + grain_acceleration
                          : is_fluid(i) ? gravity + fluid_acceleration
                                        : engine::Vec3d{});
    }
    if (backend == engine::Backend::cuda) return evaluate_on_gpu(ahead);
    mixture_->porosities(exec, mixture(), porosity.data());
    sim::FluidView<Real> view = this->view();
    view.porosity = porosity.data();
    view.fluid_ax = fluid_a[0].data(), view.fluid_ay = fluid_a[1].data(),
    view.fluid_az = fluid_a[2].data();
    largest_step = std::min(force_->run(exec, view, ahead).largest_step, 1e300);
    drag_step = mixture_->run(exec, mixture(), porosity.data());
    largest_step = std::min(largest_step, drag_step);
  }
  double drag_step = 0;
  void step(double dt) {
    if (largest_step == 0) evaluate(0);
    kick(0.5 * dt);
    this->drift(static_cast<Real>(dt));
    evaluate(dt);
    kick(0.5 * dt);
  }
  /// Mean velocity along z, weighted by mass.
  double mean_vz(bool grains) const {
    double sum = 0, all = 0;
    for (std::size_t i = 0; i < size(); ++i)
      if (grains ? is_grain(i) : is_fluid(i))
        sum += double(mass[i]) * double(vz[i]), all += double(mass[i]);
    return sum / all;
  }
  double mass_of(bool grains) const {
    double all = 0;
    for (std::size_t i = 0; i < size(); ++i)
      if (grains ? is_grain(i) : is_fluid(i)) all += double(mass[i]);
    return all;
  }

 private:
  /// Calls use(column of the state, column of this) for all columns.
  template <class Use>
  void columns(const sim::StateView<Real>& s, Use&& use) {
    use(s.mass, mass), use(s.x, x), use(s.y, y), use(s.z, z), use(s.vx, vx), use(s.vy, vy),
        use(s.vz, vz);
    use(s.ax, ax), use(s.ay, ay), use(s.az, az);
    use(s[sim::fields::radius], radius), use(s[sim::fields::density], density);
    use(s[sim::fields::density_rate], rate);
    use(s[sim::fields::transport_velocity[0]], ux), use(s[sim::fields::transport_velocity[1]], uy),
        use(s[sim::fields::transport_velocity[2]], uz);
  }
  void evaluate_on_gpu(double ahead) {
    sim::StateLayout layout;
    layout.add(sim::fields::density)
        .add(sim::fields::density_rate)
        .add(sim::fields::transport_velocity);
    layout.add(sim::fields::radius).add(sim::fields::list_origin);
    sim::State<engine::Host> state(
        static_cast<engine::Index>(size()),
        sizeof(Real) == 4 ? engine::Precision::single : engine::Precision::double_, layout);
    sim::reset_list_origins(state);
    const auto visit = [&](auto&& use) {
      state.visit([&]<class StateReal>(const sim::StateView<StateReal>& s) {
        if constexpr (std::is_same_v<StateReal, Real>) columns(s, use);
      });
    };
    visit([](Real* to, const std::vector<Real>& from) { std::copy(from.begin(), from.end(), to); });
    const MixtureReport report =
        device_mixture(fluid, domain, gravity, kind, grain, state, ahead, lanes);
    visit(
        [](const Real* from, std::vector<Real>& to) { std::copy_n(from, to.size(), to.begin()); });
    for (std::size_t i = 0; i < size(); ++i) porosity[i] = static_cast<Real>(report.porosity[i]);
    largest_step = report.largest_step, drag_step = report.drag_step;
  }
  void kick(double dt) {
    for (std::size_t i = 0; i < size(); ++i)
      if (!fixed_grains || !is_grain(i)) Columns::kick(i, static_cast<Real>(dt));
  }
  std::optional<sim::FluidForce> force_;
  std::optional<sim::MixtureForce<Real>> mixture_;
};

}  // namespace mote::test
