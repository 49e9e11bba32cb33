#pragma once

#include <memory>
#include <optional>

#include "render/body_mesh.h"
#include "sim/body_links.h"
#include "sim/model/model.h"
#include "sim/run/body_ids.h"

namespace mote::sim {
class Simulation;
}

namespace mote::api {

/// Makes the mesh that connects the bodies of one scene, by their present indices, for drawing.
/// Keeps the last mesh as long as the bodies are the same.
class BodyMeshes {
 public:
  /// Null if nothing connects the bodies of the simulation.
  std::shared_ptr<const render::BodyMesh> of(const sim::Simulation& simulation);
  /// The mesh of `count` bodies with these ids, which the model has taken.
  std::shared_ptr<const render::BodyMesh> of(const sim::Model& model, const sim::BodyIds& ids,
                                             engine::Index count);

 private:
  std::optional<sim::BodyLinks> links_;  ///< the same for the whole run
  std::shared_ptr<const render::BodyMesh> last_;
  sim::BodyIds ids_;
  engine::Index count_ = -1;
};

}  // namespace mote::api
