#include "render/serve/serve.h"
#include "render/serve/server.h"

namespace mote::render::serve {

ServedSite serve_site(Site& site, const ServerOptions& options) {
  auto server = std::make_shared<Server>(options, site, nullptr);
  Directions directions = server->directions();
  return {std::move(server), std::move(directions)};
}

}  // namespace mote::render::serve
