#pragma once

#include <cstddef>

/// What a test can ask of the emulated device's OpenGL half. The emulated GPU that draws is device
/// 0, whatever OpenGL really runs on; with the variable MOTE_EMULATOR_NO_INTEROP set (and not to 0)
/// no device draws.
namespace emulator {

std::size_t registered_buffers();
std::size_t mapped_buffers();
/// Calls of cudaGraphicsMapResources that went well, since the program started.
std::size_t map_calls();

/// The next `count` registrations go well, all after them fail; negative: none fails.
void fail_registrations_after(int count);

}  // namespace emulator
