#include "engine/check.h"
#include "render/serve/serve.h"

namespace mote::render::serve {
namespace {

[[noreturn]] void refuse() {
  throw engine::InputError(
      "--serve", "this build has no server",
      "install libboost-dev, libturbojpeg0-dev and libssl-dev, and build mote again");
}

}  // namespace

Served open_served(const SurfaceOptions&, const ServerOptions&) {
  refuse();
}

ServedSite serve_site(Site&, const ServerOptions&) {
  refuse();
}

std::string report() {
  return "none: this build lacks Boost, libjpeg-turbo or OpenSSL";
}

}  // namespace mote::render::serve
