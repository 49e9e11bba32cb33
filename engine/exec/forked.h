#pragma once

namespace mote::engine {

/// Number of forks between the process that loaded mote and this one; 0 in a process that was
/// started. A child made by fork has a single thread: the thread pools, CUDA and OpenGL contexts of
/// its parent no longer exist, although their handles do. Owners of such things keep the generation
/// in which they were made.
int fork_generation();

}  // namespace mote::engine
