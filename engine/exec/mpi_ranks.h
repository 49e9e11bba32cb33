#pragma once

#include <filesystem>
#include <memory>

#include "engine/exec/ranks.h"

namespace mote::engine {

/// Ranks that are processes, started together by mpirun, mpiexec or srun. They exchange messages by
/// MPI, through a small library that is loaded when they join, so that mote starts on machines
/// without MPI (mpi_library.h).
class MpiRanks final : public Ranks {
 public:
  /// The number of processes that a launcher says it has started with this one; 1 if there is none.
  static int launched();
  /// Where the library is: the file that MOTE_MPI names, else beside the program, else that of the
  /// user.
  static std::filesystem::path library();
  /// That of the user, which `mote mpi` writes.
  static std::filesystem::path usual_library();

  /// Starts MPI; once in a process. Throws SystemError if the library is missing, or MPI fails.
  static std::unique_ptr<MpiRanks> join();

  int rank() const override;
  int size() const override;
  bool share_memory() const override { return false; }
  int on_this_machine() const override;
  /// 1 if the launcher has bound the process to cores of its own.
  int sharing_cores() const override;
  /// Its number among the ranks of this machine.
  int local() const;

  /// Ends MPI; called by all ranks.
  void leave();
  /// Ends the processes of all ranks, this one too.
  [[noreturn]] void abort(int code);

 protected:
  void do_exchange(std::span<const Outgoing> send, std::span<const Incoming> receive) override;

 private:
  struct Library;
  explicit MpiRanks(std::shared_ptr<const Library> library) : library_(std::move(library)) {}

  std::shared_ptr<const Library> library_;
};

}  // namespace mote::engine
