#include "app/plot.h"
#include "app/render_run.h"
#include "engine/check.h"

namespace mote::app {

void plot(const PlotRequest& request) {
  throw engine::InputError("plot " + request.run.string(), "this build draws no pictures",
                           "configure mote with -DMOTE_RENDER=ON");
}

void render_run(const RenderRequest& request) {
  throw engine::InputError("render " + request.run.string(), "this build draws no pictures",
                           "configure mote with -DMOTE_RENDER=ON");
}

}  // namespace mote::app
