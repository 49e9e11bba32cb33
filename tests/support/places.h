#pragma once

#include <string>

namespace mote::test {

/// The source tree.
const std::string& source_dir();
/// The program of this build, mote.
const std::string& program_path();
/// Whether this build has an emulated GPU.
bool build_is_emulated();

}  // namespace mote::test
