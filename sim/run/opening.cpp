#include "sim/run/opening.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace mote::sim {

using engine::Index;

Start make_start(const SceneDescription& scene, const Plan& plan) {
  Bodies bodies = make_bodies(scene, plan.cpu.threads);
  Start start{State<engine::Host>(scene.body_count(), plan.precision), {}};
  start.state.visit([&]<class Real>(StateView<Real> s) {
    for (Index i = 0; i < s.count; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const engine::Vec3d x = bodies.position[k], v = bodies.velocity[k];
      start.state.id()[i] = static_cast<std::uint32_t>(i);
      s.mass[i] = static_cast<Real>(bodies.mass[k]);
      s.x[i] = static_cast<Real>(x.x), s.y[i] = static_cast<Real>(x.y), s.z[i] = static_cast<Real>(x.z);
      s.vx[i] = static_cast<Real>(v.x), s.vy[i] = static_cast<Real>(v.y), s.vz[i] = static_cast<Real>(v.z);
      for (Real value : {s.mass[i], s.x[i], s.y[i], s.z[i], s.vx[i], s.vy[i], s.vz[i]})
        if (!std::isfinite(value))
          throw engine::InputError(
              scene.file.string(),
              "body " + std::to_string(i + 1) + " has a number that is too large for this precision",
              "use --precision double, or other units");
    }
  });
  start.names = std::move(bodies.names);
  return start;
}

void refuse_not_finite(std::int64_t id, const SceneDescription& scene, const Plan& plan) {
  if (id < 0) return;
  const bool full = plan.precision == engine::Precision::full;
  throw engine::InputError(scene.file.string(),
                           "body " + std::to_string(id) +
                               " feels a force at the start that is not finite in " +
                               std::string(engine::name_of(plan.precision)) + " precision",
                           std::string(full ? "use" : "use --precision double,") +
                               " other units, or a softening if two bodies nearly touch");
}

void copy_columns(State<engine::Host>& to, const State<engine::Host>& from, bool whole) {
  MOTE_EXPECT(to.count() == from.count() && to.precision() == from.precision());
  std::copy_n(from.id(), from.count(), to.id());
  to.visit([&]<class Real>(StateView<Real> t) {
    from.visit([&]<class FromReal>(StateView<FromReal> f) {
      if constexpr (std::is_same_v<const Real, FromReal>) {
        Real* const targets[] = {t.mass, t.x, t.y, t.z, t.vx, t.vy, t.vz, t.ax, t.ay, t.az};
        const Real* const sources[] = {f.mass, f.x, f.y, f.z, f.vx, f.vy, f.vz, f.ax, f.ay, f.az};
        for (std::size_t k = 0; k < (whole ? std::size(targets) : 7); ++k)
          std::copy_n(sources[k], t.count, targets[k]);
      }
    });
  });
}

BodyNumbers body_numbers(const State<engine::Host>& state, Index column) {
  MOTE_EXPECT(column >= 0 && column < state.count());
  return state.visit([&](auto s) {
    const auto vector = [&](auto* x, auto* y, auto* z) {
      return engine::Vec3d{static_cast<double>(x[column]), static_cast<double>(y[column]),
                           static_cast<double>(z[column])};
    };
    return BodyNumbers{s.id[column], static_cast<double>(s.mass[column]), vector(s.x, s.y, s.z),
                       vector(s.vx, s.vy, s.vz), vector(s.ax, s.ay, s.az)};
  });
}

}  // namespace mote::sim
