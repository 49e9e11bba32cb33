#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/json_fwd.h"
#include "engine/params.h"
#include "sim/run/live.h"
#include "sim/run/roster.h"

namespace mote::sim {

/// A change of a live parameter between steps: it holds from step `step` on. In a history also one
/// of the bodies.
struct Edit {
  std::uint64_t step = 0;
  std::string path;  ///< "gravity.softening"
  engine::ParamValue value;
  std::shared_ptr<const BodyChange> bodies = nullptr;  ///< then there are neither path nor value
};

/// [{"step": 120, "path": "gravity.softening", "value": 0.01}, ...], as it stands in run.json.
/// Numbers keep every bit. Changes of bodies are left out.
engine::Json edits_json(std::span<const Edit> edits);

/// Reads such a list and checks that a simulation that starts with `live` can make every change, in
/// this order: known paths, values in their range, steps that never fall. `place`: the file, for
/// messages. All problems are found in one pass and thrown together as InputError.
std::vector<Edit> read_edits(const engine::Json& list, const std::string& place, LiveSettings live);

/// The first step at or after a simulation time, in a run that takes steps of `dt` from a step on,
/// at a time, and is edited on its way.
std::uint64_t step_at(double time, double dt, std::span<const Edit> edits,
                      std::uint64_t base_step = 0, double base_time = 0);

}  // namespace mote::sim
