#include "api/painter.h"

namespace mote::api {

std::unique_ptr<Painter> make_painter(const sim::SceneDescription&, int, int) {
  throw InputError("render", "mote was built without rendering", "build it with -DMOTE_RENDER=ON");
}

}  // namespace mote::api
