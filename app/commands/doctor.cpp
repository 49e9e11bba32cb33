#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "app/bundle.h"
#include "app/commands/commands.h"
#include "app/commands/option_checks.h"
#include "app/run/pictures.h"
#include "app/scenes.h"
#include "engine/exec/mpi_ranks.h"
#include "engine/exec/simd.h"
#include "engine/machine.h"
#include "engine/read_process.h"
#include "engine/terminal.h"
#include "engine/text.h"

namespace mote::app {
namespace {

/// Collects the lines of the report.
class Report {
 public:
  void line(const char* what, const std::string& found) {
    text_ += fmt::format("{:<12} {}\n", what, found);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string simd_levels() {
  std::string text;
  for (engine::SimdLevel level : engine::supported_simd_levels())
    text += (text.empty() ? "" : ", ") + std::string(name_of(level));
  return text + "; used: " + std::string(name_of(engine::best_simd_level()));
}

void add_cuda(Report& report) {
  const engine::CudaInfo info = engine::cuda_info();
  if (!info.problem.empty()) report.line("CUDA", "none: " + info.problem);
  for (const engine::CudaDevice& d : info.devices)
    report.line(
        "CUDA",
        fmt::format(
            "{}, compute {}, {}, {} multiprocessors, cooperative launch: {}{}", d.name,
            d.compute_capability, engine::bytes_text(static_cast<double>(d.memory)),
            d.multiprocessors, d.cooperative_launch ? "yes" : "no",
            d.drives_display ? ", drives a display: kernels that run for seconds are killed" : ""));
  if (info.devices.size() > 1) {
    std::vector<int> all(info.devices.size());
    std::iota(all.begin(), all.end(), 0);
    const std::string pairs = engine::pairs_without_link(info.devices, all);
    report.line("", pairs.empty() ? "GPUs copy directly from each other"
                                  : "no direct copies between GPUs " + pairs +
                                        ": they pass through host memory");
  }
  if (!info.runtime.empty())
    report.line(
        "", "runtime " + info.runtime + ", driver " + (info.driver.empty() ? "none" : info.driver));
}

/// True if a program is on PATH.
bool on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::string folders = path ? path : "";
  for (std::size_t start = 0; start <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', start), folders.size());
    std::error_code ignored;
    if (std::filesystem::exists(std::filesystem::path(folders.substr(start, end - start)) / program,
                                ignored))
      return true;
    start = end + 1;
  }
  return false;
}

std::string report_text() {
  Report report;
  const engine::BuildInfo& build = engine::build_info();
  const engine::MachineInfo machine = engine::machine_info();
  report.line("mote", fmt::format("{}{}, {}, {}", build.version,
                                  build.commit.empty() ? "" : " (" + build.commit + ")",
                                  build.compiler, build.build_type));
  report.line("system", machine.system);
  report.line("processor",
              fmt::format("{}, {}", machine.processor, engine::counted(machine.threads, "thread")));
  report.line("memory",
              fmt::format("{}, {} free", engine::bytes_text(static_cast<double>(machine.memory)),
                          engine::bytes_text(static_cast<double>(machine.memory_free))));
  report.line("SIMD", simd_levels());
  add_cuda(report);
  report.line("OpenGL", describe_renderer());
  report.line("serving", describe_server());
  report.line("ffmpeg", on_path("ffmpeg") ? "found" : "none: movies become PNG sequences");
  const std::filesystem::path mpi = engine::MpiRanks::library();
  std::error_code none;
  report.line("MPI", std::filesystem::exists(mpi, none)
                         ? mpi.string()
                         : "no library: `mote mpi` builds it, for runs on several processes");
  const std::filesystem::path reader = engine::reader_program();
  report.line("mote-read", std::filesystem::exists(reader)
                               ? reader.string()
                               : "none: meshes and HDF5 files cannot be read");
  const std::string scenes = scenes_folder().string();
  report.line("scenes", scenes.empty() ? "none found: set MOTE_SCENES to their folder" : scenes);
  return report.text();
}

}  // namespace

void add_doctor(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "doctor", "report what this machine offers: processor, SIMD, CUDA, OpenGL, or why not");
  auto file = std::make_shared<std::string>(), run = std::make_shared<std::string>();
  CLI::Option* bundle =
      command
          ->add_option("--bundle", *file,
                       "write the report, with log, run.json and scene of a run, to one file for a "
                       "bug report; without FILE mote-report.zip")
          ->expected(0, 1)
          ->check(file_ending({".zip"}));
  command
      ->add_option("--run", *run, "the run folder for --bundle; default: the newest in this folder")
      ->type_name("RUN")
      ->needs(bundle);
  command->callback([file, run, bundle] {
    if (bundle->count() == 0)
      engine::print("{}", report_text());
    else
      write_bundle(file->empty() ? "mote-report.zip" : *file, *run, report_text());
  });
}

}  // namespace mote::app
