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
  /// The file of the library: the one that MOTE_MPI names, else one beside the program, else
  /// usual_library().
  static std::filesystem::path library();
  /// The file that `mote mpi` writes for this user.
  static std::filesystem::path usual_library();

  /// Starts MPI; once in a process. Throws SystemError if the library is missing or of another MPI
  /// than the launcher, or MPI fails.
  static std::unique_ptr<MpiRanks> join();

  int rank() const override;
  int size() const override;
  bool share_memory() const override { return false; }
  int most_on_a_machine() const override { return most_; }
  int sharing_cores() const override { return sharing_; }
  /// The number of this rank among those of its machine.
  int local() const { return local_; }

  /// Ends MPI; called by all ranks.
  void leave();
  /// Ends the processes of all ranks, this one too.
  [[noreturn]] void abort(int code);

 protected:
  void do_exchange(std::span<const Outgoing> send, std::span<const Incoming> receive) override;

 private:
  struct Library;
  explicit MpiRanks(std::shared_ptr<const Library> library) : library_(std::move(library)) {}

  /// Finds which ranks share a machine and cores. Collective.
  void find_neighbours();

  std::shared_ptr<const Library> library_;
  unsigned exchanges_ = 0;
  int most_ = 1, sharing_ = 1, local_ = 0;
};

}  // namespace mote::engine
