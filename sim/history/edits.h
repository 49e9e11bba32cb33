#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/json_fwd.h"
#include "engine/params.h"
#include "sim/clock.h"
#include "sim/run/body_ids.h"
#include "sim/run/live.h"
#include "sim/scene/description.h"

namespace mote::sim {

/// A change of a live parameter or of the bodies between steps, in force from step `step` on.
struct Edit {
  std::uint64_t step = 0;
  std::string path;  ///< "gravity.softening"
  engine::ParamValue value;
  std::shared_ptr<const BodyChange> bodies = nullptr;  ///< if set, path and value are unused
  /// Bodies that hooks or emitters change: they do so again when a run is repeated.
  bool by_scene = false;
};

/// [{"step": 120, "path": "gravity.softening", "value": 0.01}, {"step": 130, "removed": [17],
/// "added": {"mass": [1], "position": [[0, 0, 0]], "velocity": [[0, 1, 0]]}}, ...], as in run.json.
/// Numbers round-trip exactly. What the scene does by itself is omitted.
engine::Json edits_json(std::span<const Edit> edits);

/// Reads such a list and checks that a simulation that starts with `live` can apply it in order:
/// known paths, values in range, steps that never decrease. `location`: the file, for messages.
/// Throws InputError with all problems at once.
std::vector<Edit> read_edits(const engine::Json& list, const std::string& location,
                             LiveSettings live);

/// Throws InputError with every change of bodies that a run of this scene could not make: unknown
/// or removed bodies, values of which its bodies have no column. Does nothing for scenes that
/// change bodies by themselves, whose numbers are not known. `edits`: all that were read.
void check_body_changes(std::span<const Edit> edits, const SceneDescription& scene,
                        const std::string& location);

/// The first step at or after a simulation time, with the steps of this clock, whose length edits
/// may change.
std::uint64_t step_at(double time, Clock clock, std::span<const Edit> edits);

}  // namespace mote::sim
