#include "app/run/pictures.h"

namespace mote::app {

std::unique_ptr<Pictures> make_pictures(const sim::SceneDescription&,
                                        const PictureRequest& request) {
  throw engine::InputError(request.movie.empty() ? "--picture" : "--movie",
                           "this build draws no pictures", "configure mote with -DMOTE_RENDER=ON");
}

std::string describe_renderer() {
  return "none: this build draws no pictures (-DMOTE_RENDER=OFF)";
}

std::string describe_server() {
  return describe_renderer();
}

}  // namespace mote::app
