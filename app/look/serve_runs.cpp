#include "app/look/serve_runs.h"

#include <chrono>
#include <cstdio>
#include <thread>

#include "app/look/runs_site.h"
#include "app/run/interrupt.h"
#include "engine/terminal.h"
#include "render/serve/serve.h"

namespace mote::app {

void serve_runs(const std::filesystem::path& folder, const render::serve::ServerOptions& options) {
  const InterruptGuard guard;
  RunsSite site(folder);
  render::serve::ServedSite served = render::serve::serve_site(site, options);
  served.directions.watch.clear();  // all pages do the same
  engine::print("{}", render::serve::text_of(served.directions, "list of runs"));
  std::fflush(stdout);  // a program may wait for the address
  while (!InterruptGuard::requested()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

}  // namespace mote::app
