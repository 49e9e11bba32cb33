#include "app/plot.h"

#include <algorithm>
#include <cstdio>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/option_checks.h"
#include "app/sweep/summary.h"
#include "engine/check.h"
#include "engine/text.h"

namespace mote::app {
namespace {

struct PlotCommand {
  PlotRequest request;
  std::string run, file, size = "1920x1080", theme = "dark";
};

const std::vector<std::string> names{
    "energy",      "energy_error", "momentum",     "virial_ratio",        "radii",
    "temperature", "pressure",     "displacement", "radial_distribution", "profile"};

void check_names(const std::vector<std::string>& what) {
  std::vector<engine::Diagnostic> problems;
  for (const std::string& name : what)
    if (std::find(names.begin(), names.end(), name) == names.end())
      problems.push_back({"--what " + name, "", "is not a known plot",
                          engine::did_you_mean(name, names, "known: ")});
  if (!problems.empty()) throw engine::InputError(std::move(problems));
}

}  // namespace

void add_plot(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "plot",
      "plot a run as PNG and SVG: energies, energy error, radii, density, temperature; or the "
      "results of a sweep; needs no display");
  auto wanted = std::make_shared<PlotCommand>();
  command->add_option("run", wanted->run, "folder of a run or a sweep, which may be in progress")
      ->type_name("RUN")
      ->required();
  command
      ->add_option("-o,--out", wanted->file,
                   "output file, .png or .svg; default: plot.png and plot.svg in the run folder")
      ->check(file_ending({".png", ".svg"}));
  command
      ->add_option("--what", wanted->request.what,
                   "what to plot, separated by commas; default: what suits the run, all but "
                   "momentum; of a sweep columns of its results.csv, by default energy_error, "
                   "virial_ratio and what "
                   "hooks store")
      ->delimiter(',')
      ->check(known(names));
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
    request.run = wanted->run;
    request.file = wanted->file;
    std::sscanf(wanted->size.c_str(), "%dx%d", &request.width, &request.height);
    request.light = wanted->theme == "light";
    if (!is_sweep(request.run)) check_names(request.what);
    plot(request);
  });
}

}  // namespace mote::app
