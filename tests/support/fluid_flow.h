#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "sim/fluid/fluid_fields.h"
#include "sim/fluid/module/fluid_tables.h"
#include "sim/space/neighbours.h"
#include "tests/support/backend.h"
#include "tests/support/fluid_box.h"

namespace mote::test {

/// A FluidBox in double on a backend: on the CPU with its own steps, on a GPU as a simulation of a
/// scene with the same fluid. All particles have the same mass.
struct FluidFlow : FluidBox<double> {
  engine::Backend backend;
  explicit FluidFlow(engine::Backend on) : backend(on) {}

  void run_until(double end, double fraction = 1) {
    if (backend == engine::Backend::cpu) return FluidBox<double>::run_until(end, fraction);
    for (const double m : mass) ASSERT_EQ(m, mass[0]);
    ASSERT_FALSE(domain.walled[0] || domain.walled[1] || domain.walled[2]);
    const int steps = steps_until(end, fraction);
    run_on_gpu(steps, (end - time) / steps);
    time = end;
  }

 private:
  void run_on_gpu(int steps, double dt) {
    // Bodies of a scene are ordered by species.
    std::vector<std::size_t> order;
    for (const bool of_fluid : {true, false})
      for (std::size_t i = 0; i < size(); ++i)
        if (is_fluid(i) == of_fluid) order.push_back(i);
    const sim::SceneDescription scene = scene_in(dt);
    const auto sim = sim::open_simulation(
        scene,
        sim::make_plan(scene, {.backend = backend, .precision = engine::Precision::double_}));
    sim::State<engine::Host> state(sim->count(), engine::Precision::double_, sim::layout_of(scene));
    copy(sim->state(), state);
    exchange(state, order, [](double& mine, double& theirs) { theirs = mine; });
    sim::reset_list_origins(state);
    sim->resume(state, {}, sim->live());
    ASSERT_EQ(sim->advance(static_cast<std::uint64_t>(steps), {}).health, sim::Health::good);
    copy(sim->state(), state);
    exchange(state, order, [](double& mine, double& theirs) { mine = theirs; });
  }

  /// Bodies are placed apart; only their species and masses matter.
  sim::SceneDescription scene_in(double dt) const {
    std::size_t walls = 0;
    for (std::size_t i = 0; i < size(); ++i) walls += is_fluid(i) ? 0u : 1u;
    const auto lattice = [&](std::size_t count, const char* more) {
      return count == 0
                 ? std::string()
                 : fmt::format(
                       "lattice {{ counts = {{ {0}, 1, 1 }}, spacing = 1, mass = {1:.17g}{2} }}, ",
                       count, mass[0] * static_cast<double>(count), more);
    };
    sim::SceneDescription scene = scene_of(fmt::format(
        "return {{ fluid = {{ spacing = 0.1, largest_speed = 1 }}, species = {{ wall = {{ wall = "
        "true "
        "}} }}, integrator = {{ dt = {:.17g} }}, fields = {{ uniform {{ acceleration = {{ {:.17g}, "
        "{:.17g}, {:.17g} }} }} }}, bodies = {{ {}{} }} }}",
        dt, gravity.x, gravity.y, gravity.z, lattice(size() - walls, ""),
        lattice(walls, ", species = 'wall', position = { 0, 9, 0 }")));
    static_cast<sim::Fluid&>(*scene.physics.find<sim::FluidTables>()) = fluid;
    const auto along = [&](int axis) {
      return std::string(domain.periodic[axis] ? "periodic" : "open");
    };
    if (domain.periodic[0] || domain.periodic[1] || domain.periodic[2]) {
      sim::DomainTable& to = scene.domain.emplace();
      to.size = domain.length, to.center = domain.low + 0.5 * domain.length;
      to.x = along(0), to.y = along(1), to.z = along(2);
    }
    return scene;
  }

  static void copy(const sim::State<engine::Host>& from, sim::State<engine::Host>& to) {
    std::copy_n(from.id(), from.count(), to.id());
    std::copy_n(from.species(), from.count(), to.species());
    from.visit([&](const auto& f) {
      to.visit([&](const auto& t) {
        const auto same = [&](const auto* a, auto* b) {
          if (b) std::copy_n(a, f.count, b);
        };
        same(f.mass, t.mass), same(f.x, t.x), same(f.y, t.y), same(f.z, t.z);
        same(f.vx, t.vx), same(f.vy, t.vy), same(f.vz, t.vz);
        same(f.ax, t.ax), same(f.ay, t.ay), same(f.az, t.az);
        for (int k = 0; k < f.field_count; ++k)
          if (f.field_info[k]->use != sim::FieldUse::algorithm)
            same(f.field_column[k], t[*f.field_info[k]]);
      });
    });
  }

  template <class Use>
  void exchange(sim::State<engine::Host>& state, const std::vector<std::size_t>& order, Use&& use) {
    state.visit([&]<class Real>(const sim::StateView<Real>& s) {
      if constexpr (std::is_same_v<Real, double>) {
        // The state contains the rates, which the first half kick of the next step needs.
        double* const theirs[] = {s.x,
                                  s.y,
                                  s.z,
                                  s.vx,
                                  s.vy,
                                  s.vz,
                                  s[sim::fields::density],
                                  s.ax,
                                  s.ay,
                                  s.az,
                                  s[sim::fields::density_rate],
                                  s[sim::fields::transport_velocity[0]],
                                  s[sim::fields::transport_velocity[1]],
                                  s[sim::fields::transport_velocity[2]]};
        double* const mine[] = {x.data(),    y.data(),       z.data(),  vx.data(), vy.data(),
                                vz.data(),   density.data(), ax.data(), ay.data(), az.data(),
                                rate.data(), ux.data(),      uy.data(), uz.data()};
        for (std::size_t c = 0; c < std::size(mine); ++c)
          for (std::size_t k = 0; theirs[c] && k < order.size(); ++k)
            use(mine[c][order[k]], theirs[c][k]);
      }
    });
  }
};

}  // namespace mote::test
