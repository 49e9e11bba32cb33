#include "app/look/export.h"

#include <algorithm>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/option_checks.h"
#include "app/look/surface_export.h"
#include "engine/text.h"

namespace mote::app {
namespace {

struct ExportCommand {
  ExportRequest request;
  std::string format;
  std::vector<std::string> sources, columns;
  std::string out;
};

}  // namespace

void add_export(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "export", "convert snapshots to other formats, for ParaView, OVITO, numpy, spreadsheets");
  auto wanted = std::make_shared<ExportCommand>();
  ExportRequest& request = wanted->request;
  std::string formats;
  for (const sim::SnapshotFormatInfo& info : sim::snapshot_formats())
    formats += (formats.empty() ? "" : "; ") + info.name + " (" + info.help + ")";
  command->add_option("sources", wanted->sources, "run folders, snapshots, checkpoints")
      ->type_name("FILE")
      ->required();
  std::vector<std::string> names = sim::snapshot_format_names();
  if (!surface_formats().empty()) {
    formats += "; " + engine::joined(surface_formats(), ", ") +
               " (surfaces of fluids, soft bodies and obstacles as meshes)";
    names.insert(names.end(), surface_formats().begin(), surface_formats().end());
  }
  command->add_option("--format", wanted->format, formats)->check(known(names))->required();
  command
      ->add_option("--out", wanted->out,
                   "output folder; default: RUN/export, or the folder of the snapshot")
      ->type_name("DIR");
  command
      ->add_option("--columns", wanted->columns,
                   "columns besides id and position, separated by commas; "
                   "default: all that the snapshot has")
      ->delimiter(',')
      ->check(known(sim::column_names()));
  command->add_flag("--compress", request.compress, "compress HDF5");
  command->add_option("--from", request.from, "skip snapshots before this simulation time");
  command->add_option("--to", request.to, "skip snapshots after this simulation time");
  command->add_flag("--force", request.force, "overwrite existing files");
  command->add_flag("--quiet", request.quiet, "print nothing but errors");
  command->callback([wanted] {
    ExportRequest asked = wanted->request;
    asked.sources.assign(wanted->sources.begin(), wanted->sources.end());
    const auto& meshes = surface_formats();
    if (std::find(meshes.begin(), meshes.end(), wanted->format) != meshes.end())
      asked.surfaces = wanted->format;
    else
      asked.format = sim::snapshot_format_named(wanted->format, "--format");
    asked.columns = wanted->columns.empty() ? sim::every_column
                                            : sim::columns_named(wanted->columns, "--columns");
    asked.out = wanted->out;
    export_snapshots(asked);
  });
}

}  // namespace mote::app
