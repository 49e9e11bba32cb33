#pragma once

#include <cstddef>

/// Controls of the emulated CUDA-OpenGL interoperability for tests. The device that renders is
/// device 0, whatever OpenGL really runs on; with MOTE_EMULATOR_NO_INTEROP set (and not to 0) no
/// device does.
namespace emulator {

std::size_t registered_buffers();
std::size_t mapped_buffers();
/// Successful calls of cudaGraphicsMapResources so far.
std::size_t map_calls();

/// The next `count` registrations succeed, all later ones fail; negative: none fails.
void fail_registrations_after(int count);

}  // namespace emulator
