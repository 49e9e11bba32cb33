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
#include "sim/io/moment.h"
#include "sim/run/simulation.h"

namespace mote::sim {

/// Writes moments of a run while the run steps on: the caller waits for a copy of the bodies, a
/// thread hashes and writes them, in order and in all formats that are asked for. At most two
/// moments are copied and not yet written; who comes with a third waits. So it takes up to twice
/// the memory of a state. An error of the thread is thrown at the next call, as it was, once; what
/// was handed over besides is still written. One thread calls it.
class SnapshotWriter {
 public:
  /// The index of a series for ParaView, beside its files.
  static constexpr const char* vtk_index = "snapshots.pvd";
  static constexpr std::size_t most_in_flight = 2;

  explicit SnapshotWriter(std::vector<SnapshotFormat> formats = {SnapshotFormat::hdf5},
                          ColumnChoice columns = {}, bool compress = false);
  /// Writes what was handed over; throws nothing.
  ~SnapshotWriter();
  SnapshotWriter(const SnapshotWriter&) = delete;
  SnapshotWriter& operator=(const SnapshotWriter&) = delete;

  /// Takes the present state, to be written as `path` with the ending of each format behind it.
  /// `hash`: of the state, where the caller has it. With VTK, the index of the folder then names
  /// the file, behind those of earlier times, also of a run that was continued.
  void write(const std::filesystem::path& path, Simulation& simulation,
             const SceneDescription& scene, std::optional<std::uint64_t> hash = {});
  void write(const std::filesystem::path& path, Moment moment);

  /// Waits until all that was handed over is written.
  void drain();

 private:
  struct Job {
    std::filesystem::path path;
    Moment moment;
  };

  void wait_for(std::size_t most);
  void put(Job job);
  void work();
  void write(const Job& job) const;

  std::vector<SnapshotFormat> formats_;
  ColumnChoice columns_;
  bool compress_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;      ///< the first is being written
  std::exception_ptr error_;  ///< the first that was not thrown yet
  bool ends_ = false;
  std::thread thread_;  ///< begins with the first moment
};

}  // namespace mote::sim
