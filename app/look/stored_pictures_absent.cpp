#include "app/look/plot.h"
#include "app/look/render_run.h"
#include "app/look/serve_runs.h"
#include "app/look/surface_export.h"
#include "engine/check.h"

namespace mote::app {

void plot(const PlotRequest& request) {
  plot_svg(request);
}

std::string plot_svg(const PlotRequest& request) {
  throw engine::InputError("plot " + request.runs.at(0).string(), "this build draws no pictures",
                           "configure mote with -DMOTE_RENDER=ON");
}

void render_run(const RenderRequest& request) {
  throw engine::InputError("render " + request.run.string(), "this build draws no pictures",
                           "configure mote with -DMOTE_RENDER=ON");
}

void serve_runs(const std::filesystem::path&, const render::serve::ServerOptions&) {
  throw engine::InputError("--serve", "this build has no server",
                           "configure mote with -DMOTE_RENDER=ON");
}

const std::vector<std::string>& panel_names() {
  static const std::vector<std::string> none;
  return none;
}

const std::vector<std::string>& surface_formats() {
  static const std::vector<std::string> none;
  return none;
}

struct SurfaceExport::Parts {};
SurfaceExport::SurfaceExport(const std::filesystem::path&, const sim::SnapshotMetadata&,
                             std::string) {}
SurfaceExport::~SurfaceExport() = default;
void SurfaceExport::write(const std::filesystem::path&, const sim::LoadedSnapshot&,
                          const std::function<void(double)>&) const {}

}  // namespace mote::app
