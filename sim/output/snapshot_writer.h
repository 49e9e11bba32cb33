#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "sim/io/formats.h"
#include "sim/io/loaded_snapshot.h"
#include "sim/run/simulation.h"

namespace mote::sim {

/// Writes snapshots of a run asynchronously: the caller waits only for a copy of the bodies; a
/// thread hashes and writes them, in order and in all requested formats. At most two snapshots are
/// in flight, with up to twice the memory of a state; a third call blocks. An error in the thread
/// is rethrown once, by the next call; other snapshots are still written. Not thread-safe.
class SnapshotWriter {
 public:
  /// Name of the index file for ParaView, in the folder of the snapshots.
  static constexpr const char* vtk_index = "snapshots.pvd";
  static constexpr std::size_t max_in_flight = 2;

  explicit SnapshotWriter(std::vector<SnapshotFormat> formats = {SnapshotFormat::hdf5},
                          ColumnChoice columns = {}, bool compress = false);
  /// Waits until all snapshots are written; throws nothing.
  ~SnapshotWriter();
  SnapshotWriter(const SnapshotWriter&) = delete;
  SnapshotWriter& operator=(const SnapshotWriter&) = delete;

  /// Copies the present state and queues it to be written as `path` plus the extension of each
  /// format. Evaluates potentials if they are among the columns. `hash`: of the state, if known.
  /// VTK files are also added to the folder's index, after those of earlier times, including those
  /// from before the run was resumed.
  void write(const std::filesystem::path& path, Simulation& simulation,
             const SceneDescription& scene, std::optional<std::uint64_t> hash = {});
  void write(const std::filesystem::path& path, LoadedSnapshot snapshot);

  /// Waits until all queued snapshots are written.
  void drain();

 private:
  struct Job {
    std::filesystem::path path;
    LoadedSnapshot snapshot;
  };

  void wait_until_in_flight(std::size_t most);
  void enqueue(Job job);
  void run();
  void write(const Job& job) const;

  std::vector<SnapshotFormat> formats_;
  ColumnChoice columns_;
  bool compress_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;      ///< the first is being written
  std::exception_ptr error_;  ///< the first not rethrown yet
  bool stopping_ = false;
  std::thread thread_;  ///< started by the first snapshot
};

}  // namespace mote::sim
