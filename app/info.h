#pragma once

#include <filesystem>

#include "engine/json_fwd.h"

namespace mote::app {

/// What a run's folder holds and how it ended, or what a snapshot or a checkpoint holds. Of a run
/// that is under way or was ended from outside there is what its files tell until now. Throws
/// InputError when the path holds neither.
engine::Json info_of(const std::filesystem::path& path);

/// The same for people.
void print_info(const engine::Json& info);

}  // namespace mote::app
