#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace mote::sim {

struct Trial {
  std::string said;  ///< what `work` returned; "" when it did not come to its end, or threw
  std::string end;   ///< how it ended instead, such as "segmentation fault"; "" when it came to its end
};

/// Does something in a process of its own first, a copy of this one, where its end does no harm: libraries that read files
/// may not survive a damaged one. What it changes is lost. `room`: bytes of memory that it may take beyond what is there;
/// who asks for more gets none. Where no process can be had, or somebody else ends it, both texts are empty. Only the
/// calling thread goes on in the copy: `work` must neither sleep nor wait for another one, nor use a GPU; where it does,
/// the copy is ended after some seconds.
Trial try_first(const std::function<std::string()>& work, std::uint64_t room);

}  // namespace mote::sim
