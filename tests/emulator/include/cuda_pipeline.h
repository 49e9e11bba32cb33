#pragma once

#include <emulated/execution.h>

#include <cstddef>

/// Copies that a thread starts and later waits for. They are done at the wait and no earlier, and
/// what they overwrite is lost at the start: a missing wait shows, and so does a start while others
/// still read.

inline void __pipeline_memcpy_async(void* to, const void* from, std::size_t bytes,
                                    std::size_t zeros = 0) {
  emulator::copy_later(to, from, bytes, zeros);
}
inline void __pipeline_commit() {
  emulator::close_copies();
}
/// Waits for all groups but the `open_groups` that were committed last.
inline void __pipeline_wait_prior(std::size_t open_groups) {
  emulator::wait_for_copies(open_groups);
}
