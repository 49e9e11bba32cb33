#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mote::app {

/// Plots of a stored run, as the command line asks for them.
struct PlotRequest {
  std::filesystem::path run;
  std::filesystem::path file;  ///< .png or .svg; empty: plot.png and plot.svg in the folder of the
                               ///< run
  std::vector<std::string> what;  ///< energy, energy_error, momentum, virial_ratio, radii, profile;
                                  ///< empty: those that say most
  int width = 1920, height = 1080;
  bool quiet = false;
};

/// Writes plots of the series of a run and of the density of its last state, over those that are
/// there. Throws InputError when there is nothing to plot, or this build cannot; SystemError.
void plot_run(const PlotRequest& request);

}  // namespace mote::app
