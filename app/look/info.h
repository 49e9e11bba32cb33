#pragma once

#include <filesystem>

#include "engine/json_fwd.h"

namespace mote::app {

/// Summarises a run folder (contents, how the run ended), a snapshot or a checkpoint. For a run
/// that is in progress or was killed, reports what its files show so far. Unless `all` is set, only
/// the snapshots that print_info shows are opened; ten thousand would take seconds. Throws
/// InputError if the path is none of these.
engine::Json info_of(const std::filesystem::path& path, bool all);

/// Whether print_info shows a state: the first and last ones if there are many.
bool is_shown(std::size_t index, std::size_t count);

/// Prints the summary as text.
void print_info(const engine::Json& info);

}  // namespace mote::app
