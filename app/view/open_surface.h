#pragma once

#include <memory>

#include "app/view/options.h"
#include "render/surface.h"

namespace mote::app {

/// Opens what the options ask for: a window, a picture in memory, or one that is served to browsers
/// and prints how they get there.
std::unique_ptr<render::Surface> open_surface(const ViewOptions& options);

}  // namespace mote::app
