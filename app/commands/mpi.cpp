#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>

#include "app/commands/commands.h"
#include "engine/check.h"
#include "engine/exec/mpi_ranks.h"
#include "engine/files.h"
#include "engine/installed.h"
#include "engine/machine.h"
#include "engine/terminal.h"

namespace mote::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* source_name = "mpi_library.c";

/// The source of the library, in the installation or in the source tree.
fs::path source_of_library() {
  const fs::path own = engine::installed(fs::path("share/mote/mpi") / source_name);
  return own.empty() ? fs::path(engine::build_info().source) / "engine/exec" / source_name : own;
}

/// Runs a program that writes to the terminal of this one; returns its exit code, 127 if there is
/// no such program.
int run_program(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t process = -1;
  if (::posix_spawnp(&process, arguments[0], nullptr, nullptr, arguments.data(), environ) != 0)
    return 127;
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

void build_library(const fs::path& to) {
  const char* const named = std::getenv("MPICC");
  const std::string compiler = named && *named ? named : "mpicc";
  if (to.empty())
    throw engine::InputError("mote mpi", "there is no HOME for the library", "use --out FILE");
  if (to.has_parent_path()) fs::create_directories(to.parent_path());
  // Programs that run have the file open: it is replaced, not written over.
  const fs::path made = to.string() + ".new";
  const int code = run_program(
      {compiler, "-O2", "-shared", "-fPIC", "-o", made.string(), source_of_library().string()});
  if (code == 127)
    throw engine::SystemError("build the library for MPI", "there is no " + compiler,
                              "install MPI with its compiler (Debian: libopenmpi-dev), load its "
                              "module on a cluster, or name the compiler: MPICC=/path/mpicc mote "
                              "mpi");
  if (code != 0)
    throw engine::SystemError("build the library for MPI", compiler + " failed",
                              "see its messages above");
  fs::rename(made, to);
  engine::print("{}: {}mpirun -n 4 mote run SCENE shares a run between four processes\n",
                to.string(),
                to == engine::MpiRanks::library() ? "" : "MOTE_MPI=" + to.string() + " ");
}

}  // namespace

void add_mpi(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "mpi",
      "build the small library by which several processes share a run, for the MPI of this machine "
      "(mpicc, or MPICC)");
  auto out = std::make_shared<std::string>();
  command
      ->add_option("--out", *out,
                   "file of the library, which MOTE_MPI then names; default: where mote looks for "
                   "it")
      ->type_name("FILE");
  command->callback(
      [out] { build_library(out->empty() ? engine::MpiRanks::usual_library() : fs::path(*out)); });
}

}  // namespace mote::app
