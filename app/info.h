#pragma once

#include <filesystem>

#include "engine/json_fwd.h"

namespace mote::app {

/// Summarises a run folder (contents, how the run ended), a snapshot or a checkpoint. For a run
/// that is in progress or was killed, reports what its files show so far. Throws InputError if the
/// path is none of these.
engine::Json info_of(const std::filesystem::path& path);

/// Prints the summary as text.
void print_info(const engine::Json& info);

}  // namespace mote::app
