#include "app/look/plot.h"

#include <cstdio>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/option_checks.h"

namespace mote::app {
namespace {

struct PlotCommand {
  PlotRequest request;
  std::vector<std::string> runs;
  std::string file, size = "1920x1080", theme = "dark";
};

}  // namespace

void add_plot(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "plot",
      "plot a run as PNG and SVG: energies, energy error, radii, density, temperature; several "
      "runs over each other; or the results of a sweep; needs no display");
  auto wanted = std::make_shared<PlotCommand>();
  command
      ->add_option("run", wanted->runs,
                   "folder of a run or a sweep, which may be in progress, or those of several runs "
                   "to plot over each other; default: out")
      ->type_name("RUN");
  command
      ->add_option("-o,--out", wanted->file,
                   "output file, .png or .svg; default: plot.png and plot.svg in the run folder")
      ->check(file_ending({".png", ".svg"}));
  command
      ->add_option("--what", wanted->request.what,
                   "what to plot, separated by commas: panels, or columns of series.csv and of the "
                   "tables in rows; default: what suits the run, all but momentum; of a sweep "
                   "columns of its results.csv, by default energy_error_max, virial_ratio and what "
                   "hooks store")
      ->delimiter(',')
      ->check(known(panel_names()));
  command
      ->add_option("--by", wanted->request.by,
                   "of a sweep: one parameter, for means with error bars, or two, separated by a "
                   "comma, for maps; default: those that it varies")
      ->delimiter(',');
  command->add_option("--theme", wanted->theme, "dark, or light for print")
      ->check(CLI::IsMember({"dark", "light"}))
      ->capture_default_str();
  command->add_option("--size", wanted->size, "size of the picture [pixels]")
      ->check(size_text)
      ->capture_default_str();
  command->add_flag("--quiet", wanted->request.quiet, "print nothing but errors");
  command->callback([wanted] {
    PlotRequest request = wanted->request;
    if (wanted->runs.empty()) wanted->runs.push_back(run_or_out("", "run"));
    request.runs.assign(wanted->runs.begin(), wanted->runs.end());
    request.file = wanted->file;
    std::sscanf(wanted->size.c_str(), "%dx%d", &request.width, &request.height);
    request.light = wanted->theme == "light";
    plot(request);
  });
}

}  // namespace mote::app
