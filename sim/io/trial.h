#pragma once

#include <functional>
#include <string>

namespace mote::sim {

/// Does something in a process of its own first, a copy of this one, where its end does no harm: libraries that read files
/// may not survive a damaged one. What it returns, throws or changes is lost. Returns "" when it came to its end, and otherwise
/// how the process ended, such as "segmentation fault"; also "" where no process can be had, or the user ends it. Only the calling
/// thread goes on in the copy, so `work` must not wait for another one, nor use a GPU.
std::string try_first(const std::function<void()>& work);

}  // namespace mote::sim
