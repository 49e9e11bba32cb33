#pragma once

#include <filesystem>

#include "app/headless.h"
#include "app/record.h"
#include "engine/json_fwd.h"

namespace mote::app {

/// What a run without a window adds to a checkpoint (Checkpoint::run), as JSON and back: what it
/// was asked for and what it has found out so far. Reading throws Json::exception for what is none.
/// Files in the folder of the run are named from there, so that it may be moved; those elsewhere
/// are overwritten for a run that is trusted alone, else InputError is thrown.
engine::Json request_json(const HeadlessRequest& request, const std::filesystem::path& folder);
void read_request(const engine::Json& json, const std::filesystem::path& folder,
                  HeadlessRequest& request);

/// First and last measurement, seconds, and from which steps it went on before.
engine::Json progress_json(const RunRecord& record);
void read_progress(const engine::Json& json, RunRecord& record);

}  // namespace mote::app
