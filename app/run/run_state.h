#pragma once

#include <filesystem>

#include "app/run/run_report.h"
#include "app/run/run_request.h"
#include "engine/json_fwd.h"

namespace mote::app {

/// Serializes what a headless run adds to a checkpoint (Checkpoint::run): its request and its
/// results so far. Reading throws Json::exception if the JSON does not fit. Paths inside the run
/// folder are stored relative to it, so that it can be moved. Paths outside are accepted only for
/// trusted runs; otherwise InputError is thrown.
engine::Json request_json(const HeadlessRequest& request, const std::filesystem::path& folder);
void read_request(const engine::Json& json, const std::filesystem::path& folder,
                  HeadlessRequest& request);

/// First and last measurement, timings, and steps at which the run was resumed.
engine::Json progress_json(const RunReport& report);
void read_progress(const engine::Json& json, RunReport& report);

}  // namespace mote::app
