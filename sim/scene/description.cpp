#include "sim/scene/description.h"

#include "engine/read_process.h"

namespace mote::sim {

BodyTraits traits_of(const SceneDescription& scene) {
  BodyTraits traits;
  for (const Species& s : scene.species) traits.species.push_back(s.name);
  traits.grains = scene.grains.has_value();
  traits.soft = scene.soft.has_value();
  traits.mass_from_density = traits.grains && scene.grains->density.has_value();
  return traits;
}

engine::Index SceneDescription::body_count() const {
  engine::Index count = 0;
  for (const BodySource& s : bodies) count += s.count;
  return count;
}

Domain domain_of(const SceneDescription& scene) {
  return scene.domain ? domain_of(*scene.domain) : Domain{};
}

double gravitational_of(const SceneDescription& scene) {
  return scene.gravity ? scene.gravity->constant.value_or(scene.units.gravitational)
                       : scene.units.gravitational;
}

MakeContext make_context(const SceneDescription& scene, int threads) {
  MakeContext context;
  context.seed = static_cast<std::uint64_t>(scene.head.seed);
  context.gravitational =
      scene.gravity ? scene.gravity->constant.value_or(scene.units.gravitational) : 0;
  context.softening = scene.gravity ? scene.gravity->softening : 0;
  context.threads = threads;
  return context;
}

Bodies make_bodies(const std::vector<BodySource>& sources, const MakeContext& context) {
  const engine::ReadSession one_reader;
  Bodies all;
  for (const BodySource& source : sources) append(all, source.make(context));
  return all;
}

Bodies make_bodies(const SceneDescription& scene, int threads) {
  return make_bodies(scene.bodies, make_context(scene, threads));
}

}  // namespace mote::sim
