#pragma once

#include "app/look/stored_run.h"
#include "engine/json_fwd.h"

namespace mote::app {

/// A comparison lists at most this many differing keys.
inline constexpr std::size_t most_differing_keys = 300;

/// Returns what differs between two runs, by run.json and the last row of series.csv: `same_hash`
/// (null if a run has no hash), `keys` of scene, parameters and machine with their values `a` and
/// `b`, the number of further ones as `left_out`, and `last`, the last measurements with their
/// units.
engine::Json comparison_of(const StoredRun& a, const StoredRun& b);

}  // namespace mote::app
