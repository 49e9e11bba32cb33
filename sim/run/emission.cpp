#include "sim/run/emission.h"

#include <algorithm>
#include <cmath>

#include "sim/run/body_ids.h"
#include "sim/run/fluid_stage.h"
#include "sim/run/registry.h"
#include "sim/run/schedule.h"
#include "sim/space/image_formula.h"

namespace mote::sim {
namespace {

using engine::Host;
using engine::Index;
using engine::Vec3d;

/// Position of a body, with `image(x, axis, length)` applied along periodic axes.
template <class View, class Image>
Vec3d image_of(const Domain& domain, const View& s, Index i, Image&& image) {
  double at[3] = {static_cast<double>(s.x[i]), static_cast<double>(s.y[i]),
                  static_cast<double>(s.z[i])};
  const double length[3] = {domain.length.x, domain.length.y, domain.length.z};
  for (int axis = 0; axis < 3; ++axis)
    if (domain.periodic[axis]) at[axis] = image(at[axis], axis, length[axis]);
  return {at[0], at[1], at[2]};
}

/// Position wrapped into the periodic domain.
template <class View>
Vec3d wrapped_position(const Domain& domain, const View& s, Index i) {
  const double low[3] = {domain.low.x, domain.low.y, domain.low.z};
  return image_of(domain, s, i, [&](double x, int axis, double length) {
    return wrapped(x, low[axis], length).position;
  });
}

/// The periodic image nearest to `origin`.
template <class View>
Vec3d nearest_image(const Domain& domain, const View& s, Index i, Vec3d origin) {
  const double to[3] = {origin.x, origin.y, origin.z};
  return image_of(domain, s, i, [&](double x, int axis, double length) {
    return image_nearest_to(x, to[axis], length);
  });
}

double time_between_layers(const SceneDescription& scene, const Emitter& emitter) {
  return scene.fluid->spacing / emitter.speed;
}

double time_of_layer(const SceneDescription& scene, const Emitter& emitter, std::uint64_t layer) {
  return emitter.start + static_cast<double>(layer) * time_between_layers(scene, emitter);
}

}  // namespace

Emission::Emission(const SceneDescription& scene, Simulation& simulation, HookHost& host)
    : scene_(scene), simulation_(simulation), host_(host) {
  Index more = 0, most = 0;
  for (const Emitter& e : scene.emitters) {
    const auto dimensions = static_cast<int>(scene.fluid->dimensions);
    const auto layer = static_cast<double>(layer_of(e, scene.fluid->spacing, dimensions).size());
    const double layers = e.stop ? std::ceil((*e.stop - e.start) / time_between_layers(scene, e))
                          : scene.stop.time
                              ? std::ceil(*scene.stop.time / time_between_layers(scene, e))
                              : static_cast<double>(e.most);
    const Index allowed = std::max<Index>(0, static_cast<Index>(e.most) - simulation.count());
    more += static_cast<Index>(std::min(static_cast<double>(allowed), layers * layer));
    most = std::max(most, allowed);
  }
  more = std::min(more, most);  // an emitter's `most` limits all bodies, not only its own
  if (more > 0) simulation.check_capacity(more);
}

std::uint64_t Emission::step_of(const Emitter& emitter, std::uint64_t layer) const {
  const Clockwork& clock = simulation_.clockwork();
  const double since_base = time_of_layer(scene_, emitter, layer) - clock.base_time;
  // Layers from before the last change of dt have left. None leaves before the first step: the
  // scene defines the initial bodies.
  if (!(since_base > 0)) return clock.base_step == 0 ? 1 : 0;
  return std::max(clock.base_step + 1, step_at(time_of_layer(scene_, emitter, layer),
                                               simulation_.dt(), clock.base_step, clock.base_time));
}

std::uint64_t Emission::layer_after(const Emitter& emitter, std::uint64_t step) const {
  const Clockwork& clock = simulation_.clockwork();
  const double time =
      clock.base_time +
      (static_cast<double>(step) - static_cast<double>(clock.base_step)) * simulation_.dt();
  const double layers =
      std::floor((time - emitter.start) / time_between_layers(scene_, emitter)) - 1;
  auto layer = layers > 0 ? static_cast<std::uint64_t>(layers) : 0;
  while (step_of(emitter, layer) <= step) ++layer;
  if (step_of(emitter, layer) == never) return never;
  return emitter.stop && time_of_layer(scene_, emitter, layer) >= *emitter.stop ? never : layer;
}

std::uint64_t Emission::next() const {
  const std::uint64_t step = simulation_.step();
  std::uint64_t next = never;
  for (const Emitter& e : scene_.emitters)
    if (const std::uint64_t layer = layer_after(e, step); layer != never)
      next = std::min(next, step_of(e, layer));
  for (const Drain& d : scene_.drains) {
    const auto every = static_cast<std::uint64_t>(d.every);
    next = std::min(next, (step / every + 1) * every);
  }
  return next;
}

/// Adds the layers that leave at this step, each advanced by its time since leaving. Skips
/// particles that would overlap existing ones.
void Emission::emit(const Emitter& emitter, const State<Host>& state, BodyChange& change) const {
  const std::uint64_t step = simulation_.step();
  std::uint64_t layer = layer_after(emitter, step - 1);
  if (layer == never || step_of(emitter, layer) != step) return;
  const Fluid& fluid = *scene_.fluid;
  const double spacing = fluid.spacing, nearest = 0.5 * spacing;
  const auto layer_positions = layer_of(emitter, spacing, static_cast<int>(fluid.dimensions));
  const Vec3d direction = direction_of(emitter);
  const Domain domain = domain_of(scene_);
  for (; layer != never && step_of(emitter, layer) == step; ++layer) {
    const double time = time_of_layer(scene_, emitter, layer);
    if (emitter.stop && time >= *emitter.stop) return;
    const Vec3d offset = (emitter.speed * (simulation_.time() - time)) * direction;
    const Vec3d centre = emitter.position + offset;
    const double range = 1.5 * emitter.radius + spacing;
    std::vector<Vec3d> neighbours = change.added.position;
    state.visit([&](const auto& s) {
      for (Index i = 0; i < s.count; ++i) {
        const Vec3d at = nearest_image(domain, s, i, centre), d = at - centre;
        if (dot(d, d) < range * range) neighbours.push_back(at);
      }
    });
    Bodies made;
    for (const Vec3d& position : layer_positions) {
      const Vec3d at = position + offset;
      if (std::any_of(neighbours.begin(), neighbours.end(), [&](Vec3d other) {
            const Vec3d d = other - at;
            return dot(d, d) < nearest * nearest;
          }))
        continue;
      made.mass.push_back(fluid.density * std::pow(spacing, static_cast<double>(fluid.dimensions)));
      made.position.push_back(at);
      made.velocity.push_back(emitter.speed * direction);
      if (!scene_.species.empty()) made.species.push_back(emitter.species_number);
    }
    if (state.count() + change.added.count() + made.count() > static_cast<Index>(emitter.most))
      return;
    append(change.added, made);
  }
}

void Emission::drain(std::uint64_t step, const State<Host>& state, BodyChange& change) const {
  const auto due = [&](const Drain& d) { return step % static_cast<std::uint64_t>(d.every) == 0; };
  if (std::none_of(scene_.drains.begin(), scene_.drains.end(), due)) return;
  const std::vector<std::uint8_t> kinds = fluid_kinds(scene_, state);
  const Domain domain = domain_of(scene_);
  state.visit([&](const auto& s) {
    for (Index i = 0; i < s.count; ++i) {
      if (kinds[static_cast<std::size_t>(i)] != static_cast<std::uint8_t>(FluidKind::fluid))
        continue;
      const Vec3d at = wrapped_position(domain, s, i);
      if (std::any_of(scene_.drains.begin(), scene_.drains.end(),
                      [&](const Drain& d) { return due(d) && contains(d, at); }))
        change.removed.push_back(simulation_.id(i));
    }
  });
}

void Emission::run_due() {
  if ((scene_.emitters.empty() && scene_.drains.empty()) || simulation_.step() == 0) return;
  const std::uint64_t step = simulation_.step();
  const auto leaves = [&](const Emitter& e) {
    const std::uint64_t layer = layer_after(e, step - 1);
    return layer != never && step_of(e, layer) == step;
  };
  const auto is_due = [&](const Drain& d) {
    return step % static_cast<std::uint64_t>(d.every) == 0;
  };
  if (std::none_of(scene_.emitters.begin(), scene_.emitters.end(), leaves) &&
      std::none_of(scene_.drains.begin(), scene_.drains.end(), is_due))
    return;
  const State<Host>& state = simulation_.state();
  BodyChange change;
  change.routine = true;
  for (const Emitter& e : scene_.emitters) emit(e, state, change);
  drain(step, state, change);
  // A simulation has at least one body: keep the last one.
  if (!change.removed.empty() &&
      state.count() + change.added.count() == static_cast<Index>(change.removed.size()))
    change.removed.pop_back();
  if (!change.empty()) host_.change_bodies(change);
}

}  // namespace mote::sim
