#include "sim/scene/description.h"

#include "engine/read_process.h"
#include "sim/model/modules.h"

namespace mote::sim {

BodyTraits traits_of(const Model& model) {
  BodyTraits traits;
  for (const Species& s : model.species) traits.species.push_back(s.name);
  for (const Physics& p : model.physics) p.add_traits(traits);
  return traits;
}

double sphere_radius(const Model& model, const View& view) {
  if (view.radius > 0) return view.radius;
  if (view.point_size > 0) return 0;
  for (const Physics& p : model.physics)
    if (view.bodies == "fluid" && p.info().is_continuum) return p.drawn_radius(0);
  // First bodies that touch: their size is physical.
  for (const bool touching : {true, false})
    for (const Physics& p : model.physics)
      if (p.info().is_matter && p.info().touches == touching) return p.drawn_radius(0);
  return 0;
}

std::string problem_of_columns(const SceneDescription& scene) {
  const auto has_potentials = [](const ModuleInfo& m) { return m.has_potentials; };
  if (!scene.snapshots.names("potential")) return "";
  for (const Physics& p : scene.physics)
    if (has_potentials(p.info())) return "";
  return "potential is that of " + joined_subjects(has_potentials) +
         ", which the scene does not have";
}

MakeContext make_context(const Model& model, int threads) {
  MakeContext context;
  context.seed = static_cast<std::uint64_t>(model.head.seed);
  context.gravitational = 0;
  context.threads = threads;
  for (const Physics& p : model.physics) p.set_context(model, context);
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
