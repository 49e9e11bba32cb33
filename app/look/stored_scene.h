#pragma once

#include <memory>

#include "app/look/stored_run.h"
#include "sim/io/loaded_snapshot.h"
#include "sim/scene/description.h"

namespace mote::app {

/// The parts of the scene of a run that affect drawing: units, view, camera, obstacles, sizes and
/// kinds of bodies. Without the bodies themselves, which may come from files that no longer exist.
/// The view may be coloured by what snapshots do not hold. `view`: settings of view.KEY, but for
/// view.color. Throws InputError for invalid ones.
sim::SceneDescription stored_scene(const StoredRun& run, const sim::SnapshotMetadata& metadata,
                                   const sim::Settings& view = {});

/// The physics of a run with the bodies that its scene makes, for what connects them; null if these
/// are not connected, or cannot be made any more.
std::shared_ptr<const sim::Model> connected_model(const StoredRun& run);

/// Names and looks of the bodies that the scene of a run makes; without those added later.
sim::BodyLabels labels_of(const StoredRun& run);

}  // namespace mote::app
