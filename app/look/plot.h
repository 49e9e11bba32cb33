#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mote::app {

/// Options of `mote plot`.
struct PlotRequest {
  /// Folders: of one or several runs, whose curves are drawn over each other, or of one sweep.
  std::vector<std::filesystem::path> runs;
  std::filesystem::path file;     ///< .png or .svg; empty: plot.png and plot.svg in the run folder
  std::vector<std::string> what;  ///< panels, or columns of series.csv and rows/*.csv; empty: the
                                  ///< panels that suit the run; of a sweep, columns of its
                                  ///< results.csv
  std::vector<std::string> by;    ///< parameters of a sweep, one or two; empty: those it varies
  bool light = false;             ///< on white
  int width = 1920, height = 1080;
  bool quiet = false;
};

/// Names of panels that `what` takes.
const std::vector<std::string>& panel_names();

/// Plots the time series of a run, its radial distribution function and the density profile of its
/// last state, or the results of a sweep, overwriting earlier plots. Throws InputError if there is
/// nothing to plot or this build cannot; SystemError.
void plot(const PlotRequest& request);

/// Returns the plot as the content of an SVG file, and writes nothing. Throws like plot.
std::string plot_svg(const PlotRequest& request);

}  // namespace mote::app
