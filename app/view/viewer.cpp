#include "app/view/viewer.h"

#include <malloc.h>

#include "app/run/interrupt.h"
#include "app/view/frame_loop.h"

namespace mote::app {

int run_view(const ViewOptions& options) {
#ifdef M_ARENA_MAX
  // Every scene starts new threads, and glibc gives each a heap that is rarely freed. The threads
  // of a window rarely allocate at the same time.
  mallopt(M_ARENA_MAX, 2);
#endif
  if (options.serve && options.serve->embed) stop_with_standard_input();
  {
    FrameLoop loop(options);
    loop.run();
  }
  return InterruptGuard::requested() ? 130 : 0;
}

std::string no_window_reason() {
  return render::no_display_reason();
}

}  // namespace mote::app
