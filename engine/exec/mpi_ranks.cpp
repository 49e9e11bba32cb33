#include "engine/exec/mpi_ranks.h"

#include <dlfcn.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "engine/check.h"
#include "engine/exec/mpi_library.h"
#include "engine/installed.h"

namespace mote::engine {
namespace {

namespace fs = std::filesystem;

constexpr const char* name_of_library = "libmote-mpi.so";

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

struct MpiRanks::Library {
  mote_mpi_place place{};
  decltype(&mote_mpi_version) version = nullptr;
  decltype(&mote_mpi_join) join = nullptr;
  decltype(&mote_mpi_exchange) exchange = nullptr;
  decltype(&mote_mpi_leave) leave = nullptr;
  decltype(&mote_mpi_abort) abort = nullptr;

  template <class Function>
  bool find(void* handle, Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(handle, name));
    return function != nullptr;
  }
};

int MpiRanks::launched() {
  // Open MPI; MPICH and its kin, and Slurm's PMI-2; Slurm's PMIx.
  for (const char* size : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const std::string text = variable(size); !text.empty()) return std::atoi(text.c_str());
  if (variable("PMIX_RANK").empty()) return 1;
  const std::string step = variable("SLURM_STEP_NUM_TASKS");
  return std::max(1, std::atoi((step.empty() ? variable("SLURM_NTASKS") : step).c_str()));
}

fs::path MpiRanks::usual_library() {
  if (const fs::path data = variable("XDG_DATA_HOME"); data.is_absolute())
    return data / "mote" / name_of_library;
  const fs::path home = variable("HOME");
  return home.empty() ? home : home / ".local/share/mote" / name_of_library;
}

fs::path MpiRanks::library() {
  if (const fs::path named = variable("MOTE_MPI"); !named.empty()) return named;
  if (const fs::path beside = beside_program(name_of_library); !beside.empty()) return beside;
  return usual_library();
}

std::unique_ptr<MpiRanks> MpiRanks::join() {
  const fs::path file = library();
  const std::string what = "share the bodies between processes";
  std::error_code none;
  if (!fs::exists(file, none))
    throw SystemError(what,
                      "there is no library for the MPI of this machine (" + file.string() + ")",
                      "`mote mpi` builds it");
  // Open MPI loads plug-ins that need its symbols.
  void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!handle) throw SystemError(what, dlerror(), "build the library again: `mote mpi`");
  const auto library = std::make_shared<Library>();
  Library& l = *library;
  if (!l.find(handle, l.version, "mote_mpi_version") || l.version() != MOTE_MPI_VERSION ||
      !l.find(handle, l.join, "mote_mpi_join") ||
      !l.find(handle, l.exchange, "mote_mpi_exchange") ||
      !l.find(handle, l.leave, "mote_mpi_leave") || !l.find(handle, l.abort, "mote_mpi_abort"))
    throw SystemError(what, file.string() + " is of another version of mote",
                      "build the library again: `mote mpi`");
  char error[MOTE_MPI_ERROR] = "";
  if (l.join(&l.place, error) != 0) throw SystemError(what, error, "see the messages of MPI");
  // An MPI that is not the launcher's knows one process alone, and each would run everything.
  if (l.place.size != launched())
    throw SystemError(what,
                      "the launcher has started " + std::to_string(launched()) +
                          " processes, but " + file.string() + " joins " +
                          std::to_string(l.place.size),
                      "build the library with the mpicc of this launcher: MPICC=/path/mpicc mote "
                      "mpi");
  std::unique_ptr<MpiRanks> ranks(new MpiRanks(library));
  ranks->find_neighbours();
  return ranks;
}

int MpiRanks::rank() const {
  return library_->place.rank;
}
int MpiRanks::size() const {
  return library_->place.size;
}

void MpiRanks::find_neighbours() {
  struct Place {
    char machine[256];
    cpu_set_t cores;
  };
  Place own{};
  ::gethostname(own.machine, sizeof own.machine - 1);
  ::sched_getaffinity(0, sizeof own.cores, &own.cores);
  const std::vector<Place> all = gather_one(this, own);
  const auto together = [](const Place& a, const Place& b) {
    return std::strcmp(a.machine, b.machine) == 0;
  };
  most_ = sharing_ = local_ = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto here = std::count_if(all.begin(), all.end(),
                                    [&](const Place& place) { return together(place, all[k]); });
    most_ = std::max(most_, static_cast<int>(here));
    if (!together(all[k], own)) continue;
    if (static_cast<int>(k) < rank()) ++local_;
    cpu_set_t common;
    CPU_AND(&common, &all[k].cores, &own.cores);
    if (CPU_COUNT(&common) > 0) ++sharing_;
  }
}

void MpiRanks::leave() {
  char error[MOTE_MPI_ERROR] = "";
  if (library_->leave(error) != 0) throw SystemError("end MPI", error, "see the messages of MPI");
}

void MpiRanks::abort(int code) {
  library_->abort(code);
  std::_Exit(code);
}

void MpiRanks::do_exchange(std::span<const Outgoing> send, std::span<const Incoming> receive) {
  std::vector<mote_mpi_message> out, in;
  std::vector<std::span<const std::byte>> to_itself;
  for (const Outgoing& message : send) {
    if (message.to == rank())
      to_itself.push_back(message.bytes);
    else
      out.push_back({message.to, message.bytes.size(),
                     const_cast<std::byte*>(message.bytes.data())});  // MPI only reads them
  }
  bool expected = true;
  std::size_t own = 0;
  for (const Incoming& message : receive) {
    if (message.from != rank()) {
      in.push_back({message.from, message.bytes.size(), message.bytes.data()});
      continue;
    }
    expected = expected && own < to_itself.size() && to_itself[own].size() == message.bytes.size();
    if (expected && !message.bytes.empty())
      std::memcpy(message.bytes.data(), to_itself[own].data(), message.bytes.size());
    ++own;
  }
  if (!expected || own != to_itself.size())
    throw SystemError("exchange data between ranks", "a rank expects other messages of itself",
                      "this is an error of mote: please report it");
  char error[MOTE_MPI_ERROR] = "";
  if (library_->exchange(out.data(), static_cast<int>(out.size()), in.data(),
                         static_cast<int>(in.size()), static_cast<int>(exchanges_++ & 0xffffff),
                         error) != 0)
    throw SystemError("exchange data between ranks", error, "see the messages of MPI");
}

}  // namespace mote::engine
