#include "app/view/viewer.h"

#include "app/run/watcher.h"
#include "engine/check.h"

namespace mote::app {

int run_view(const ViewOptions&) {
  throw engine::InputError("view", "this build draws no pictures",
                           "configure mote with -DMOTE_RENDER=ON");
}

std::unique_ptr<Watcher> serve_run(const HeadlessRequest&) {
  throw engine::InputError("--serve", "this build draws no pictures",
                           "configure mote with -DMOTE_RENDER=ON");
}

std::string key_table(bool) {
  throw engine::InputError("help keys", no_window_reason(), "configure mote with -DMOTE_RENDER=ON");
}

std::string no_window_reason() {
  return "this build draws no pictures (-DMOTE_RENDER=OFF)";
}

}  // namespace mote::app
