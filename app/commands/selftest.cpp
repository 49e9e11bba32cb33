#include <fmt/format.h>

#include <memory>
#include <optional>

#include "app/commands/commands.h"
#include "app/commands/option_checks.h"
#include "app/compare/selftest.h"
#include "engine/check.h"
#include "engine/exec/parallel.h"
#include "engine/machine.h"
#include "engine/terminal.h"
#include "engine/text.h"

namespace mote::app {
namespace {

int self_test(int device) {
  const engine::CudaInfo cuda = engine::cuda_info(device);
  if (cuda.devices.empty()) {
    engine::print("nothing to compare: {}\n", cuda.problem);
    return 0;
  }
  if (device >= static_cast<int>(cuda.devices.size()))
    throw engine::InputError("--device " + std::to_string(device), "there is no such GPU",
                             "`mote doctor` lists them");
  // A device that is present but does not work must not pass.
  if (!cuda.problem.empty()) throw engine::SystemError("use the GPU", cuda.problem, cuda.remedy);
  const engine::CudaDevice& d = cuda.devices[static_cast<std::size_t>(device)];
  const engine::Cpu cpu{engine::available_threads(), engine::best_simd_level()};
  engine::print("{}, driver {}, runtime {}; compared with {} on {}\n", d.name, cuda.driver,
                cuda.runtime, name_of(cpu.simd), engine::counted(cpu.threads, "thread"));
  Checks checks;
  const SelfTest test{device, d.name.find("emulated") != std::string::npos, cpu, checks};
  test_forces(test);
  test_measurements(test);
  test_steps(test);
  test_liquids(test);
  test_fluids(test);
  test_grains(test);
  test_health(test);
  engine::print("{} checks, {} failed\n", checks.count(), checks.failed());
  return checks.failed() == 0 ? 0 : 1;
}

}  // namespace

void add_selftest(CLI::App& program, int& exit_code) {
  CLI::App* command = program.add_subcommand(
      "selftest",
      "compare the GPU with the CPU: forces, measurements, steps; prints errors and speeds");
  auto device = std::make_shared<int>(0);
  command
      ->add_option("--device", *device,
                   "index of the GPU among those in CUDA_VISIBLE_DEVICES, from 0")
      ->transform(whole_from(0, 1023));
  command->callback([device, &exit_code] { exit_code = self_test(*device); });
}

}  // namespace mote::app
