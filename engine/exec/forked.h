#pragma once

namespace mote::engine {

/// How many forks lie between the process that loaded mote and this one: 0 in a process that was
/// started. A child made by fork has one thread only: pools of threads, CUDA and OpenGL of its
/// parent are not there any more, though all memory says so. Who keeps such things remembers the
/// generation in which they were made.
int fork_generation();

}  // namespace mote::engine
