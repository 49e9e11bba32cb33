#pragma once

namespace mote::engine {

/// True in a build with CUDA or its emulator. Only for files that CMake gives MOTE_WITH_CUDA.
constexpr bool with_cuda = MOTE_WITH_CUDA;

}  // namespace mote::engine
