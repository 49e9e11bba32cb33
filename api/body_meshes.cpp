#include "api/body_meshes.h"

#include <array>
#include <optional>

#include "sim/model/physics.h"
#include "sim/run/simulation.h"

namespace mote::api {
namespace {

using engine::Index;

/// Indices of some bodies, or nothing if one of them no longer exists.
template <std::size_t count>
std::optional<std::array<std::uint32_t, count>> indices_of(
    const std::array<std::uint32_t, count>& bodies, const sim::BodyIds& ids, Index bodies_count) {
  std::array<std::uint32_t, count> found{};
  for (std::size_t k = 0; k < count; ++k) {
    const auto index = sim::index_of(ids, bodies_count, bodies[k]);
    if (!index) return std::nullopt;
    found[k] = static_cast<std::uint32_t>(*index);
  }
  return found;
}

std::shared_ptr<const render::BodyMesh> mesh_of(const sim::BodyLinks& links,
                                                const sim::BodyIds& ids, Index count,
                                                const sim::Domain& domain) {
  auto mesh = std::make_shared<render::BodyMesh>();
  for (const sim::BodyLinks::Rod& rod : links.rods)
    if (const auto at = indices_of<2>({rod.a, rod.b}, ids, count))
      mesh->rods.push_back({(*at)[0], (*at)[1], rod.size});
  for (const auto& triangle : links.triangles)
    if (const auto at = indices_of<3>(triangle, ids, count))
      mesh->triangles.emplace_back((*at)[0], (*at)[1], (*at)[2]);
  // Where a surface is torn, only the corners of what is left of it have no spheres.
  if (mesh->triangles.size() < links.triangles.size())
    for (const glm::uvec3& t : mesh->triangles)
      mesh->hidden.insert(mesh->hidden.end(), {t.x, t.y, t.z});
  else
    for (const std::uint32_t body : links.covered)
      if (const auto at = indices_of<1>({body}, ids, count)) mesh->hidden.push_back((*at)[0]);
  const double lengths[3] = {domain.length.x, domain.length.y, domain.length.z};
  for (int axis = 0; axis < 3; ++axis)
    if (domain.periodic[axis]) mesh->period[axis] = static_cast<float>(lengths[axis]);
  mesh->count = count;
  return mesh;
}

}  // namespace

std::shared_ptr<const render::BodyMesh> BodyMeshes::of(const sim::Simulation& simulation) {
  return of(simulation.model(), simulation.ids(), simulation.count());
}

std::shared_ptr<const render::BodyMesh> BodyMeshes::of(const sim::Model& model,
                                                       const sim::BodyIds& ids, Index count) {
  if (!links_) {
    links_.emplace();
    for (const sim::Physics& p : model.physics) p.add_links(*links_);
  }
  if (links_->empty()) return nullptr;
  const bool same = ids == ids_ || (ids && ids_ && *ids == *ids_);
  if (count == count_ && same) return last_;
  last_ = mesh_of(*links_, ids, count, sim::domain_of(model));
  ids_ = ids, count_ = count;
  return last_;
}

}  // namespace mote::api
