#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/math/random.h"
#include "sim/fluid/fluid.h"
#include "sim/mixture/mixture.h"
#include "sim/space/neighbours.h"
#include "sim/state.h"
#include "tests/support/columns.h"
#include "tests/support/on_device.h"

namespace mote::test {

/// A fluid with grains that do not touch each other, stepped by kick, drift and kick.
template <class Real>
struct Suspension : FluidColumns<Real> {
  using Columns = FluidColumns<Real>;
  using Columns::ax, Columns::ay, Columns::az, Columns::size, Columns::is_fluid;
  using Columns::kind, Columns::mass, Columns::density, Columns::rate, Columns::ux, Columns::uy,
      Columns::uz;
  using Columns::x, Columns::y, Columns::z, Columns::vx, Columns::vy, Columns::vz;

  sim::Fluid fluid;
  sim::Domain domain;
  engine::Vec3d gravity{0, 0, 0}, of_grains{0, 0, 0}, of_fluid{0, 0, 0};  ///< accelerations: of
                                                                          ///< all, and besides
  bool held = false;                                                      ///< grains are
  int threads = 1;
  engine::Backend backend = engine::Backend::cpu;  ///< that evaluates
  int lanes = 0;                                   ///< threads a body, on a GPU
  std::vector<std::uint8_t> grain;
  std::vector<Real> radius, own[3], porosity;
  double largest_step = 0;

  bool is_grain(std::size_t i) const { return grain[i] != 0; }

  void add(engine::Vec3d at, sim::FluidKind what, double m, double r = 0,
           engine::Vec3d v = {0, 0, 0}) {
    this->add_particle(what, fluid.density, m, at, v);
    grain.push_back(what == sim::FluidKind::other ? 1 : 0);
    this->put(radius, r);
    for (auto* column : {&own[0], &own[1], &own[2], &porosity}) column->push_back(0);
  }
  void add_grain(engine::Vec3d at, double r, double of_density, engine::Vec3d v = {0, 0, 0}) {
    add(at, sim::FluidKind::other, of_density * 4 * 3.14159265358979 / 3 * r * r * r, r, v);
  }
  /// A lattice of so many particles from the origin up, each up to `jitter` spacings off its place.
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
            own[0].data(),
            own[1].data(),
            own[2].data(),
            ax.data(),
            ay.data(),
            az.data()};
  }
  /// Fluid where grains stand is so much less, as at the start of a scene.
  void leave_place_for_grains() {
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
      this->accelerate(i, is_grain(i)   ? gravity + of_grains
                          : is_fluid(i) ? gravity + of_fluid
                                        : engine::Vec3d{});
    }
    if (backend == engine::Backend::cuda) return evaluate_there(ahead);
    mixture_->porosities(exec, mixture(), porosity.data());
    sim::FluidView<Real> view = this->view();
    view.porosity = porosity.data();
    view.own_x = own[0].data(), view.own_y = own[1].data(), view.own_z = own[2].data();
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
  /// Mean velocity along z, by mass.
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
  /// Columns of a state and of this, one beside the other.
  template <class Use>
  void columns(const sim::StateView<Real>& s, Use&& use) {
    use(s.mass, mass), use(s.x, x), use(s.y, y), use(s.z, z), use(s.vx, vx), use(s.vy, vy),
        use(s.vz, vz);
    use(s.ax, ax), use(s.ay, ay), use(s.az, az);
    use(s.column(sim::Extra::radius), radius), use(s.column(sim::Extra::density), density);
    use(s.column(sim::Extra::density_rate), rate);
    use(s.column(sim::Extra::shift_x), ux), use(s.column(sim::Extra::shift_y), uy),
        use(s.column(sim::Extra::shift_z), uz);
  }
  void evaluate_there(double ahead) {
    sim::StateShape shape;
    shape.add(sim::Extra::density).add(sim::Extra::density_rate).add(sim::Extra::shift_x, 3);
    shape.add(sim::Extra::radius).add(sim::Extra::listed_x, 3);
    sim::State<engine::Host> state(
        static_cast<engine::Index>(size()),
        sizeof(Real) == 4 ? engine::Precision::single : engine::Precision::full, shape);
    sim::forget_listing(state);
    const auto visit = [&](auto&& use) {
      state.visit([&]<class StateReal>(const sim::StateView<StateReal>& s) {
        if constexpr (std::is_same_v<StateReal, Real>) columns(s, use);
      });
    };
    visit([](Real* to, const std::vector<Real>& from) { std::copy(from.begin(), from.end(), to); });
    const MixtureReport said =
        device_mixture(fluid, domain, gravity, kind, grain, state, ahead, lanes);
    visit(
        [](const Real* from, std::vector<Real>& to) { std::copy_n(from, to.size(), to.begin()); });
    for (std::size_t i = 0; i < size(); ++i) porosity[i] = static_cast<Real>(said.porosity[i]);
    largest_step = said.largest_step, drag_step = said.drag_step;
  }
  void kick(double dt) {
    for (std::size_t i = 0; i < size(); ++i)
      if (!held || !is_grain(i)) Columns::kick(i, static_cast<Real>(dt));
  }
  std::optional<sim::FluidForce> force_;
  std::optional<sim::MixtureForce<Real>> mixture_;
};

}  // namespace mote::test
