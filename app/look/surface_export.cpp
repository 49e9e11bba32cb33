#include "app/look/surface_export.h"

#include <fmt/format.h>

#include <utility>

#include "api/present.h"
#include "app/look/solid_history.h"
#include "app/look/stored_scene.h"
#include "engine/check.h"
#include "render/mesh_file.h"
#include "render/particle_surface.h"

namespace mote::app {
namespace fs = std::filesystem;

namespace {

/// The run that a snapshot belongs to: RUN/snapshots/FILE.
fs::path run_of(const fs::path& source) {
  return is_folder(source) ? source : fs::absolute(source).parent_path().parent_path();
}

/// The scene as pictures show it, but everything that has a surface is drawn with it.
sim::SceneDescription scene_with_surfaces(const StoredRun& run,
                                          const sim::SnapshotMetadata& metadata) {
  sim::SceneDescription scene = stored_scene(run, metadata);
  scene.view.bodies = "spheres";
  scene.view.color = "radius";
  scene.view.show.clear();
  scene.view.radius = scene.view.point_size = 0;
  return scene;
}

/// The fluid among points: walls and solids have negative radii, and what is not drawn has 0.
std::vector<float> fluid_of(const render::Frame& frame) {
  std::vector<float> fluid;
  for (std::size_t i = 0; i < frame.positions.size() / 3; ++i)
    if (frame.radii.empty() || frame.radii[i] > 0)
      fluid.insert(fluid.end(), &frame.positions[3 * i], &frame.positions[3 * i] + 3);
  return fluid;
}

/// Distance of the particles of a scene's fluid, at rest.
double spacing_of(const sim::SceneDescription& scene) {
  for (const sim::Physics& p : scene.physics)
    if (p.is_liquid()) return 2 * p.drawn_radius(0);
  return 0;
}

render::IndexedMesh skins_of(const render::Frame& frame) {
  std::vector<glm::dvec3> points;
  for (std::size_t i = 0; i < frame.positions.size(); i += 3)
    points.emplace_back(frame.positions[i], frame.positions[i + 1], frame.positions[i + 2]);
  return render::indexed("skins", render::with_normals(points, frame.mesh->triangles));
}

}  // namespace

const std::vector<std::string>& surface_formats() {
  static const std::vector<std::string> all{"obj", "ply"};
  return all;
}

struct SurfaceExport::Parts {
  Parts(const StoredRun& run, const sim::SnapshotMetadata& metadata, std::string wanted)
      : scene(scene_with_surfaces(run, metadata)),
        model(connected_model(run)),
        solids(run, scene),
        format(std::move(wanted)) {}

  sim::SceneDescription scene;
  std::shared_ptr<const sim::Model> model;
  SolidHistory solids;
  std::string format;
};

SurfaceExport::SurfaceExport(const fs::path& source, const sim::SnapshotMetadata& metadata,
                             std::string format)
    : parts_(std::make_unique<Parts>(stored_run(run_of(source)), metadata, std::move(format))) {
  sim::BodyLinks links;
  if (parts_->model)
    for (const sim::Physics& p : parts_->model->physics) p.add_links(links);
  if (!sim::has_liquid(parts_->scene) && parts_->scene.obstacles.empty() && links.triangles.empty())
    throw engine::InputError(
        source.string(), "its scene has no surfaces: neither a fluid, soft bodies nor obstacles",
        "export the bodies, as with --format vtk");
}

SurfaceExport::~SurfaceExport() = default;

void SurfaceExport::write(const fs::path& target, const sim::LoadedSnapshot& snapshot,
                          const std::function<void(double)>& on_progress) const {
  api::Presenter presenter(parts_->scene);
  if (parts_->model) presenter.connect(parts_->model);
  const render::Frame& frame = presenter.present(snapshot.state, snapshot.metadata.time, {}, {},
                                                 parts_->solids.at(snapshot.metadata.time));
  std::vector<render::IndexedMesh> surfaces;
  if (sim::has_liquid(parts_->scene)) {
    const double spacing = spacing_of(parts_->scene);
    surfaces.push_back(render::particle_surface(fluid_of(frame), spacing, on_progress));
  }
  if (frame.mesh && !frame.mesh->triangles.empty()) surfaces.push_back(skins_of(frame));
  for (std::size_t k = 0; k < frame.surfaces.size(); ++k)
    surfaces.push_back(render::indexed(fmt::format("obstacle_{}", k + 1), *frame.surfaces[k].mesh,
                                       frame.surfaces[k].placement));
  std::erase_if(surfaces, [](const auto& s) { return s.triangles.empty(); });
  if (parts_->format == "obj")
    render::write_obj(target, surfaces);
  else
    render::write_ply(target, surfaces);
}

}  // namespace mote::app
