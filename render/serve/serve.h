#pragma once

#include <memory>
#include <string>

#include "render/serve/address.h"
#include "render/serve/news.h"
#include "render/serve/site.h"
#include "render/surface.h"

namespace mote::render::serve {

/// Served holds a surface for browsers, and says how they get there.
struct Served {
  std::unique_ptr<Surface> surface;
  Directions directions;
};

/// Opens a surface in memory whose pictures go to browsers and whose input comes from there. Throws
/// engine::InputError if the address cannot be used or this build has no server, and like
/// open_offscreen.
Served open_served(const SurfaceOptions& options, const ServerOptions& server);

/// ServedSite keeps a site open for browsers, and says how they get there.
struct ServedSite {
  std::shared_ptr<void> server;
  Directions directions;
};

/// Serves a site, which must outlive the result. Throws engine::InputError if the address cannot be
/// used or this build has no server.
ServedSite serve_site(Site& site, const ServerOptions& options);

/// Returns a line for `mote doctor`: what this build serves with, or why it cannot serve.
std::string report();

}  // namespace mote::render::serve
