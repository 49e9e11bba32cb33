#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "app/commands/commands.h"
#include "app/pictures.h"
#include "app/scenes.h"
#include "engine/exec/simd.h"
#include "engine/machine.h"
#include "engine/read_process.h"
#include "engine/text.h"

namespace mote::app {
namespace {

void line(const char* what, const std::string& found) {
  fmt::print("{:<12} {}\n", what, found);
}

std::string simd_levels() {
  std::string text;
  for (engine::SimdLevel level : engine::supported_simd_levels())
    text += (text.empty() ? "" : ", ") + std::string(name_of(level));
  return text + "; used: " + std::string(name_of(engine::best_simd_level()));
}

void cuda() {
  const engine::CudaInfo info = engine::cuda_info();
  if (!info.problem.empty()) line("CUDA", "none: " + info.problem);
  for (const engine::CudaDevice& d : info.devices)
    line(
        "CUDA",
        fmt::format(
            "{}, compute {}, {}, {} multiprocessors, cooperative launch: {}{}", d.name,
            d.compute_capability, engine::bytes_text(static_cast<double>(d.memory)),
            d.multiprocessors, d.cooperative_launch ? "yes" : "no",
            d.drives_display ? ", drives a display: kernels that run for seconds are killed" : ""));
  if (!info.runtime.empty())
    line("",
         "runtime " + info.runtime + ", driver " + (info.driver.empty() ? "none" : info.driver));
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

void print_report() {
  const engine::BuildInfo& build = engine::build_info();
  const engine::MachineInfo machine = engine::machine_info();
  line("mote", fmt::format("{}{}, {}, {}", build.version,
                           build.commit.empty() ? "" : " (" + build.commit + ")", build.compiler,
                           build.build_type));
  line("system", machine.system);
  line("processor",
       fmt::format("{}, {}", machine.processor, engine::counted(machine.threads, "thread")));
  line("memory", fmt::format("{}, {} free", engine::bytes_text(static_cast<double>(machine.memory)),
                             engine::bytes_text(static_cast<double>(machine.memory_free))));
  line("SIMD", simd_levels());
  cuda();
  line("OpenGL", describe_renderer());
  line("ffmpeg", on_path("ffmpeg") ? "found" : "none: movies become PNG sequences");
  const std::filesystem::path reader = engine::reader_program();
  line("mote-read", std::filesystem::exists(reader) ? reader.string()
                                                    : "none: meshes and HDF5 files cannot be read");
  const std::string scenes = scenes_folder().string();
  line("scenes", scenes.empty() ? "none found: set MOTE_SCENES to their folder" : scenes);
}

}  // namespace

void add_doctor(CLI::App& program) {
  program
      .add_subcommand("doctor",
                      "report what this machine offers: processor, SIMD, CUDA, OpenGL, or why not")
      ->callback(&print_report);
}

}  // namespace mote::app
