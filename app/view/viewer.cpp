#include "app/view/viewer.h"

#include <malloc.h>

#include "app/interrupt.h"
#include "app/view/frame_loop.h"

namespace mote::app {

int run_view(const ViewOptions& options) {
#ifdef M_ARENA_MAX
  // Every scene has threads of its own, and glibc gives each a heap that it hardly gives back. Few
  // threads of a window ever ask for memory at the same time.
  mallopt(M_ARENA_MAX, 2);
#endif
  {
    FrameLoop loop(options);
    loop.run();
  }
  return InterruptGuard::asked() ? 130 : 0;
}

std::string no_window_reason() {
  return render::no_display_reason();
}

}  // namespace mote::app
