#include "sim/run/snapshot_writer.h"

#include <algorithm>
#include <utility>

#include "sim/io/vtk.h"
#include "sim/run/state_file.h"

namespace mote::sim {
namespace {

/// Names `file` in the index of its folder. What stands there of later times is of a run that was
/// taken up before it.
void add_to_index(const std::filesystem::path& file, double time) {
  const std::filesystem::path index = file.parent_path() / SnapshotWriter::vtk_index;
  std::vector<VtkMoment> moments = read_vtk_index(index);
  const std::string name = file.filename();
  std::erase_if(moments, [&](const VtkMoment& m) { return m.time > time || m.file == name; });
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
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

/// Until no more than so many are in flight; then throws what went wrong.
void SnapshotWriter::wait_for(std::size_t most) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return jobs_.size() <= most; });
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void SnapshotWriter::write(const std::filesystem::path& path, Simulation& simulation,
                           const SceneDescription& scene, std::optional<std::uint64_t> hash) {
  wait_for(most_in_flight - 1);  // before the copy takes its memory
  MomentFacts facts = facts_of(simulation, scene);
  facts.hash = hash;
  Moment moment{std::move(facts), copy_of(simulation.state())};
  if (scene.snapshots.contacts) moment.contacts = simulation.contacts();
  put({path, std::move(moment)});
}

void SnapshotWriter::write(const std::filesystem::path& path, Moment moment) {
  wait_for(most_in_flight - 1);
  put({path, std::move(moment)});
}

void SnapshotWriter::drain() {
  wait_for(0);
}

void SnapshotWriter::put(Job job) {
  if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  changed_.notify_all();
}

void SnapshotWriter::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ends_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    Job& job = jobs_.front();  // of a deque: stays where it is
    lock.unlock();
    std::exception_ptr error;
    try {
      // One thread: the others step meanwhile. Their number changes no hash.
      if (!job.moment.facts.hash)
        job.moment.facts.hash = state_hash(engine::Cpu{}, job.moment.state, job.moment.facts.time,
                                           job.moment.facts.step);
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
  SnapshotData data = data_of(job.moment);
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
