#include "app/compare/samples.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/math/random.h"
#include "sim/gravity/module/gravity_physics.h"
#include "sim/initial/plummer.h"

namespace mote::app {

sim::State<engine::Host> random_cube(engine::Index count, engine::Precision precision) {
  sim::State<engine::Host> state(count, precision);
  state.visit([&]<class Real>(sim::StateView<Real> s) {
    for (engine::Index i = 0; i < count; ++i) {
      engine::Random random(7, 0, static_cast<std::uint64_t>(i));
      state.id()[i] = static_cast<std::uint32_t>(i);
      for (Real* column : {s.x, s.y, s.z, s.vx, s.vy, s.vz})
        column[i] = static_cast<Real>(random.uniform(-1, 1));
      s.mass[i] = static_cast<Real>(random.uniform(0.5, 1.5) / static_cast<double>(count));
    }
  });
  return state;
}

sim::SceneDescription cluster_scene(const Cluster& cluster) {
  sim::SceneDescription scene;
  scene.file = "a Plummer sphere";  // location for error messages
  scene.units = *engine::unit_system_named("nbody");
  scene.physics.add(
      sim::GravityPhysics(sim::Gravity{.softening = cluster.softening,
                                       .solver = cluster.accuracy ? "multipole" : "auto",
                                       .accuracy = cluster.accuracy}));
  scene.integrator = {cluster.integrator, cluster.dt};
  scene.bodies.push_back(
      {cluster.count, [cluster](const sim::MakeContext& context) {
         sim::Bodies bodies = sim::make(sim::Plummer{.n = cluster.count}, context);
         if (cluster.massless_every > 0)
           for (engine::Index i = 0; i < cluster.count; i += cluster.massless_every)
             bodies.mass[static_cast<std::size_t>(i)] = 0;
         return bodies;
       }});
  return scene;
}

double largest_distance(const sim::State<engine::Host>& one,
                        const sim::State<engine::Host>& other) {
  double largest = 0;
  one.visit([&](const auto& a) {
    other.visit([&](const auto& b) {
      for (engine::Index i = 0; i < a.count; ++i)
        for (const auto& [p, q] : {std::pair{a.x, b.x}, {a.y, b.y}, {a.z, b.z}})
          largest =
              std::max(largest, std::fabs(static_cast<double>(p[i]) - static_cast<double>(q[i])));
    });
  });
  return largest;
}

}  // namespace mote::app
