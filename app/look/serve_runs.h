#pragma once

#include <filesystem>

#include "render/serve/address.h"

namespace mote::app {

/// Shows the runs and sweeps in a folder to browsers until the program is asked to end. Throws
/// InputError if this is no folder, the address cannot be used, or this build has no server.
void serve_runs(const std::filesystem::path& folder, const render::serve::ServerOptions& options);

}  // namespace mote::app
