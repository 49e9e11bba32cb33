#pragma once

#include <filesystem>
#include <string>

namespace mote::app {

/// Writes a ZIP archive for a bug report: what `mote doctor` says, and of a run its log, its
/// run.json and its scene. Prints what is in it. Without `run`, of the newest run folder in the
/// current folder, if there is one. Throws InputError if the file exists, or if `run` is no run
/// folder.
void write_bundle(const std::filesystem::path& file, std::filesystem::path run,
                  const std::string& doctor);

}  // namespace mote::app
