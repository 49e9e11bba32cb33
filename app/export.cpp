#include "app/export.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <set>

#include "app/stored_run.h"
#include "engine/check.h"
#include "engine/files.h"
#include "engine/log.h"
#include "engine/read_process.h"
#include "engine/text.h"
#include "sim/io/moment.h"
#include "sim/io/vtk.h"
#include "sim/io/xyz.h"

namespace mote::app {
namespace fs = std::filesystem;

namespace {

/// Moments that go to one folder.
struct Series {
  std::string name;  ///< of the file of all, without its ending
  std::vector<fs::path> sources;
};

class Export {
 public:
  explicit Export(const ExportRequest& request)
      : request_(request), info_(sim::info_of(request.format)) {}

  void run() {
    for (const fs::path& source : request_.sources) add(source);
    choose_times();
    check_targets();
    for (const auto& [folder, series] : series_) {
      std::error_code error;
      fs::create_directories(folder, error);
      if (error)
        throw engine::SystemError("make the folder " + folder.string(), error.message(),
                                  "choose another");
      if (in_one_file())
        write_frames(folder, series);
      else
        write_files(folder, series);
      engine::sync_file_system(folder);  // what was exported may be removed then
    }
    clear_line();
    if (!request_.quiet)
      for (const auto& [folder, series] : series_) report(folder, series);
  }

 private:
  bool in_one_file() const { return request_.format == sim::SnapshotFormat::xyz; }
  bool has_index() const { return request_.format == sim::SnapshotFormat::vtk; }

  void add(const fs::path& source) {
    if (is_folder(source)) {
      const StoredRun run = stored_run(source);
      const bool checkpoints = run.snapshots.empty();
      const std::vector<fs::path>& states = checkpoints ? run.checkpoints : run.snapshots;
      if (states.empty()) throw no_snapshots(run);
      if (checkpoints)
        engine::log().warn("{}: {}; instead its checkpoints are exported", source.string(),
                           no_snapshots(run).diagnostics().front().problem);
      Series& series = series_[request_.out.empty() ? source / "export" : request_.out];
      series.name = checkpoints ? "checkpoints" : "snapshots";
      series.sources.insert(series.sources.end(), states.begin(), states.end());
    } else {
      const fs::path beside = source.has_parent_path() ? source.parent_path() : fs::path(".");
      Series& series = series_[request_.out.empty() ? beside : request_.out];
      series.name = series.sources.empty() ? source.stem().string() : "snapshots";
      series.sources.push_back(source);
    }
  }

  /// Leaves the moments that are asked for. Reads all heads even where all are: what cannot be read
  /// is said first.
  void choose_times() {
    std::size_t all = 0;
    for (auto& [folder, series] : series_) {
      std::optional<std::uint64_t> before;
      std::erase_if(series.sources, [&](const fs::path& source) {
        const sim::SnapshotHead head = sim::read_snapshot_head(source);
        // The last snapshot of a run may show what the one before it shows; time would stand still
        // in a series.
        const bool again =
            (has_index() || in_one_file()) && head.facts.hash && head.facts.hash == before;
        before = head.facts.hash;
        if (again) return true;
        const auto from = time_in(request_.from, "--from", head.facts.units),
                   to = time_in(request_.to, "--to", head.facts.units);
        return (from && head.facts.time < *from) || (to && head.facts.time > *to);
      });
      all += series.sources.size();
    }
    count_ = all;
    if (all == 0)
      throw engine::InputError("--from, --to", "there is no snapshot in this time",
                               "`mote info` of a run lists what it has");
  }

  fs::path target_of(const fs::path& folder, const fs::path& source) const {
    return folder / (source.stem().string() + info_.ending);
  }
  fs::path all_in(const fs::path& folder, const Series& series) const {
    return folder / (series.name + (has_index() ? ".pvd" : info_.ending));
  }

  void check_targets() const {
    std::vector<engine::Diagnostic> problems;
    std::size_t there = 0;
    const auto check = [&](const fs::path& target) {
      if (!request_.force && fs::exists(target) && ++there == 1)
        problems.push_back(
            {target.string(), "", "is there already", "overwrite with --force, or choose --out"});
    };
    for (const auto& [folder, series] : series_) {
      std::set<fs::path> targets;
      for (const fs::path& source : series.sources) {
        const fs::path target = in_one_file() ? all_in(folder, series) : target_of(folder, source);
        std::error_code ignored;
        if (fs::equivalent(source, target, ignored))
          problems.push_back({source.string(), "", "would be written over itself", "choose --out"});
        else if (!targets.insert(target).second && !in_one_file())
          problems.push_back({source.string(), "",
                              "has the name of another one that goes to " + folder.string(),
                              "export them one by one, each with its --out"});
        else
          check(target);
        if (info_.write_contacts) check(contacts_file(folder / source.stem(), info_.format));
      }
      if (has_index()) check(all_in(folder, series));
    }
    if (!problems.empty()) throw engine::InputError(std::move(problems));
  }

  sim::Moment next(const fs::path& source) {
    ++done_;
    if (!request_.quiet && isatty(STDERR_FILENO)) {
      fmt::print(stderr, "\r\x1b[K{} of {}: {}", done_, count_, source.filename().string());
      std::fflush(stderr);
    }
    return sim::read_moment(source);
  }
  void clear_line() const {
    if (!request_.quiet && isatty(STDERR_FILENO)) fmt::print(stderr, "\r\x1b[K");
  }

  sim::SnapshotData data_of(const sim::Moment& moment) const {
    sim::SnapshotData data = sim::data_of(moment);
    data.columns = common(data.columns, request_.columns);
    data.compress = request_.compress;
    return data;
  }

  void write_files(const fs::path& folder, const Series& series) {
    std::vector<sim::VtkMoment> index;
    for (const fs::path& source : series.sources) {
      const sim::Moment moment = next(source);
      const fs::path target = target_of(folder, source);
      info_.write(target, data_of(moment));
      if (moment.contacts && info_.write_contacts)
        info_.write_contacts(contacts_file(folder / source.stem(), info_.format), data_of(moment));
      index.push_back({moment.facts.time, target.filename()});
    }
    if (!has_index()) return;
    std::stable_sort(index.begin(), index.end(),
                     [](const auto& a, const auto& b) { return a.time < b.time; });
    sim::write_vtk_index(all_in(folder, series), index);
  }

  void write_frames(const fs::path& folder, const Series& series) {
    engine::WholeFile file(all_in(folder, series));
    for (const fs::path& source : series.sources) {
      const sim::Moment moment = next(source);
      sim::add_xyz_frame(file, data_of(moment));
    }
    file.commit();
  }

  void report(const fs::path& folder, const Series& series) const {
    const auto count = static_cast<long long>(series.sources.size());
    if (in_one_file())
      fmt::print("{}: {}\n", all_in(folder, series).string(), engine::counted(count, "moment"));
    else if (has_index())
      fmt::print("{}: {}\n", all_in(folder, series).string(), engine::counted(count, "file"));
    else
      for (const fs::path& source : series.sources)
        fmt::print("{}\n", target_of(folder, source).string());
  }

  const ExportRequest& request_;
  const sim::SnapshotFormatInfo& info_;
  std::map<fs::path, Series> series_;
  std::size_t count_ = 0, done_ = 0;
};

}  // namespace

void export_snapshots(const ExportRequest& request) {
  const engine::ReadSession one_reader;
  Export(request).run();
}

}  // namespace mote::app
