#include "app/view/viewer.h"

#include "app/interrupt.h"
#include "app/view/frame_loop.h"

namespace mote::app {

int run_view(const ViewOptions& options) {
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
