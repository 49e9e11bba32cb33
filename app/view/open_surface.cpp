#include "app/view/open_surface.h"

#include <cstdio>
#include <optional>

#include "engine/terminal.h"
#include "render/serve/serve.h"
#include "sim/run/plan.h"

namespace mote::app {
namespace {

std::optional<int> cuda_device(const ViewOptions& options) {
  if (options.open.options.backend == engine::Backend::cpu) return std::nullopt;
  return sim::device_of(options.open.options);
}

}  // namespace

std::unique_ptr<render::Surface> open_surface(const ViewOptions& options) {
  render::SurfaceOptions surface;
  surface.width = options.width;
  surface.height = options.height;
  surface.cuda_device = cuda_device(options);
  if (options.ui_scale > 0) surface.scale = options.ui_scale;
  if (options.serve) {
    render::serve::Served served = render::serve::open_served(surface, *options.serve);
    engine::print(options.addresses_on_stderr ? stderr : stdout, "{}",
                  options.serve->embed ? render::serve::object_of(served.directions)
                                       : render::serve::text_of(served.directions, "window"));
    std::fflush(nullptr);  // a program may wait for the address
    return std::move(served.surface);
  }
  return options.offscreen ? render::open_offscreen(surface) : render::open_window(surface);
}

}  // namespace mote::app
