#include "sim/fluid/module/emission.h"

#include <algorithm>
#include <cmath>

#include "sim/fluid/module/fluid_stage.h"
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

bool is_due(const Drain& drain, std::uint64_t step) {
  return step % static_cast<std::uint64_t>(drain.every) == 0;
}

}  // namespace

double FluidEvents::time_between_layers(const Emitter& emitter) const {
  return fluid_.spacing / emitter.speed;
}

double FluidEvents::time_of_layer(const Emitter& emitter, std::uint64_t layer) const {
  return emitter.start + static_cast<double>(layer) * time_between_layers(emitter);
}

Index FluidEvents::most_added(Index count, std::optional<double> stop) const {
  const FluidTables& fluid = fluid_;
  Index more = 0, most = 0;
  for (const Emitter& e : fluid_.emitters) {
    const auto layer =
        static_cast<double>(layer_of(e, fluid.spacing, static_cast<int>(fluid.dimensions)).size());
    const double layers = e.stop ? std::ceil((*e.stop - e.start) / time_between_layers(e))
                          : stop ? std::ceil(*stop / time_between_layers(e))
                                 : static_cast<double>(e.most);
    const Index allowed = std::max<Index>(0, static_cast<Index>(e.most) - count);
    more += static_cast<Index>(std::min(static_cast<double>(allowed), layers * layer));
    most = std::max(most, allowed);
  }
  return std::min(more, most);  // an emitter's `most` limits all bodies, not only its own
}

std::uint64_t FluidEvents::step_of(const Clock& clock, const Emitter& emitter,
                                   std::uint64_t layer) const {
  const double time = time_of_layer(emitter, layer);
  // Layers from before the last change of dt have left. None leaves before the first step: the
  // scene defines the initial bodies.
  if (!(time - clock.base_time > 0)) return clock.base_step == 0 ? 1 : 0;
  return std::max(clock.base_step + 1, clock.step_at(time));
}

std::uint64_t FluidEvents::layer_after(const Clock& clock, const Emitter& emitter,
                                       std::uint64_t step) const {
  const double layers =
      std::floor((clock.time_of(step) - emitter.start) / time_between_layers(emitter)) - 1;
  auto layer = layers > 0 ? static_cast<std::uint64_t>(layers) : 0;
  while (step_of(clock, emitter, layer) <= step) ++layer;
  if (step_of(clock, emitter, layer) == never) return never;
  return emitter.stop && time_of_layer(emitter, layer) >= *emitter.stop ? never : layer;
}

std::uint64_t FluidEvents::next(const Clock& clock) const {
  std::uint64_t next = never;
  for (const Emitter& e : fluid_.emitters)
    if (const std::uint64_t layer = layer_after(clock, e, clock.step); layer != never)
      next = std::min(next, step_of(clock, e, layer));
  for (const Drain& d : fluid_.drains) {
    const auto every = static_cast<std::uint64_t>(d.every);
    next = std::min(next, (clock.step / every + 1) * every);
  }
  return next;
}

/// Adds the layers that leave at this step, each advanced by its time since leaving. Skips
/// particles that would overlap existing ones.
void FluidEvents::emit(const Clock& clock, const Emitter& emitter, const State<Host>& state,
                       BodyChange& change) const {
  const std::uint64_t step = clock.step;
  std::uint64_t layer = layer_after(clock, emitter, step - 1);
  if (layer == never || step_of(clock, emitter, layer) != step) return;
  const FluidTables& fluid = fluid_;
  const double spacing = fluid.spacing, nearest = 0.5 * spacing;
  const auto layer_positions = layer_of(emitter, spacing, static_cast<int>(fluid.dimensions));
  const Vec3d direction = direction_of(emitter);
  const Domain domain = domain_of(model_);
  for (; layer != never && step_of(clock, emitter, layer) == step; ++layer) {
    const double time = time_of_layer(emitter, layer);
    if (emitter.stop && time >= *emitter.stop) return;
    const Vec3d offset = (emitter.speed * (clock.time_of(step) - time)) * direction;
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
      if (!model_.species.empty()) made.species.push_back(emitter.species_number);
    }
    if (state.count() + change.added.count() + made.count() > static_cast<Index>(emitter.most))
      return;
    append(change.added, made);
  }
}

void FluidEvents::drain(std::uint64_t step, const State<Host>& state, BodyChange& change) const {
  const auto& drains = fluid_.drains;
  if (std::none_of(drains.begin(), drains.end(), [&](const Drain& d) { return is_due(d, step); }))
    return;
  const std::vector<std::uint8_t> kinds = fluid_kinds(fluid_, model_, state);
  const Domain domain = domain_of(model_);
  state.visit([&](const auto& s) {
    for (Index i = 0; i < s.count; ++i) {
      if (kinds[static_cast<std::size_t>(i)] != static_cast<std::uint8_t>(FluidKind::fluid))
        continue;
      const Vec3d at = wrapped_position(domain, s, i);
      if (std::any_of(drains.begin(), drains.end(),
                      [&](const Drain& d) { return is_due(d, step) && contains(d, at); }))
        change.removed.push_back(s.id[i]);
    }
  });
}

void FluidEvents::run(const Clock& clock, const State<Host>& state, BodyChange& change) const {
  for (const Emitter& e : fluid_.emitters) emit(clock, e, state, change);
  drain(clock.step, state, change);
}

}  // namespace mote::sim
