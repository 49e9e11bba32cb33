#include "sim/output/snapshot_writer.h"

#include <algorithm>
#include <utility>

#include "sim/io/vtk.h"
#include "sim/output/state_file.h"

namespace mote::sim {
namespace {

/// Adds `file` to the index of its folder. Removes entries of later times: they are from before the
/// run was resumed from an earlier step.
void add_to_index(const std::filesystem::path& file, double time) {
  const std::filesystem::path index = file.parent_path() / SnapshotWriter::vtk_index;
  std::vector<VtkFrame> moments = read_vtk_index(index);
  const std::string name = file.filename();
  std::erase_if(moments, [&](const VtkFrame& m) { return m.time > time || m.file == name; });
  moments.push_back({time, name});
  write_vtk_index(index, moments);
}

}  // namespace

SnapshotWriter::SnapshotWriter(std::vector<SnapshotFormat> formats, ColumnChoice columns,
                               bool compress)
    : formats_(std::move(formats)), columns_(columns), compress_(compress) {}

SnapshotWriter::~SnapshotWriter() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

/// Blocks until at most `most` snapshots are in flight; then rethrows a pending error.
void SnapshotWriter::wait_until_in_flight(std::size_t most) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return jobs_.size() <= most; });
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void SnapshotWriter::write(const std::filesystem::path& path, Simulation& simulation,
                           const SceneDescription& scene, std::optional<std::uint64_t> hash) {
  wait_until_in_flight(max_in_flight - 1);  // before the copy allocates
  SnapshotMetadata metadata = metadata_of(simulation, scene);
  metadata.hash = hash;
  metadata.columns = columns_;
  LoadedSnapshot snapshot{std::move(metadata), copy_of(simulation.state(), columns_.acceleration)};
  if (scene.snapshots.contacts) snapshot.contacts = simulation.contacts();
  if (columns_.potential) snapshot.potential = simulation.potentials();
  enqueue({path, std::move(snapshot)});
}

void SnapshotWriter::write(const std::filesystem::path& path, LoadedSnapshot snapshot) {
  wait_until_in_flight(max_in_flight - 1);
  enqueue({path, std::move(snapshot)});
}

void SnapshotWriter::drain() {
  wait_until_in_flight(0);
}

void SnapshotWriter::enqueue(Job job) {
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  changed_.notify_all();
}

void SnapshotWriter::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return stopping_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    Job& job = jobs_.front();  // push_back on a deque keeps references valid
    lock.unlock();
    std::exception_ptr error;
    try {
      // One thread: the others step meanwhile. The hash does not depend on the number of threads.
      if (!job.snapshot.metadata.hash)
        job.snapshot.metadata.hash =
            state_hash(engine::Cpu{}, job.snapshot.state, job.snapshot.metadata.time,
                       job.snapshot.metadata.step);
      write(job);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    if (error && !error_) error_ = error;
    jobs_.pop_front();
    changed_.notify_all();
  }
}

void SnapshotWriter::write(const Job& job) const {
  SnapshotData data = data_of(job.snapshot);
  data.columns = common(data.columns, columns_);
  data.compress = compress_;
  for (const SnapshotFormat format : formats_) {
    const std::filesystem::path file = job.path.string() + info_of(format).ending;
    info_of(format).write(file, data);
    if (data.contacts && info_of(format).write_contacts)
      info_of(format).write_contacts(contacts_file(job.path, format), data);
    if (format == SnapshotFormat::vtk) add_to_index(file, data.time);
  }
}

}  // namespace mote::sim
