#include "app/look/export.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "app/look/stored_run.h"
#include "app/look/surface_export.h"
#include "app/run/interrupt.h"
#include "engine/check.h"
#include "engine/files.h"
#include "engine/log.h"
#include "engine/read_process.h"
#include "engine/terminal.h"
#include "engine/text.h"
#include "sim/io/loaded_snapshot.h"
#include "sim/io/vtk.h"
#include "sim/io/xyz.h"

namespace mote::app {
namespace fs = std::filesystem;

namespace {

/// The snapshots that go to one folder.
struct Series {
  std::string name;  ///< name of the index or combined file, without extension
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
    if (of_surfaces()) check_surfaces();
    for (const auto& [folder, series] : series_) {
      std::error_code error;
      fs::create_directories(folder, error);
      if (error)
        throw engine::SystemError("create the folder " + folder.string(), error.message(),
                                  "choose another folder");
      if (in_one_file())
        write_frames(folder, series);
      else
        write_files(folder, series);
      engine::sync_file_system(folder);  // the user may then delete the originals
    }
    clear_line();
    if (!request_.quiet)
      for (const auto& [folder, series] : series_) report(folder, series);
  }

 private:
  bool of_surfaces() const { return !request_.surfaces.empty(); }
  bool in_one_file() const { return !of_surfaces() && request_.format == sim::SnapshotFormat::xyz; }
  bool has_index() const { return !of_surfaces() && request_.format == sim::SnapshotFormat::vtk; }
  bool has_contacts() const { return !of_surfaces() && info_.write_contacts; }
  std::string ending() const { return of_surfaces() ? "." + request_.surfaces : info_.ending; }

  void add(const fs::path& source) {
    if (is_folder(source)) {
      const StoredRun run = stored_run(source);
      const bool checkpoints = run.snapshots.empty();
      const std::vector<fs::path>& states = checkpoints ? run.checkpoints : run.snapshots;
      if (states.empty()) throw no_snapshots(run);
      if (checkpoints)
        engine::log().warn("{}: {}; exporting its checkpoints instead", source.string(),
                           no_snapshots(run).diagnostics().front().problem);
      if (request_.out.empty()) expect_own_folder(source / "export");
      Series& series = series_[request_.out.empty() ? source / "export" : request_.out];
      series.name = checkpoints ? "checkpoints" : "snapshots";
      series.sources.insert(series.sources.end(), states.begin(), states.end());
    } else {
      const fs::path parent = source.has_parent_path() ? source.parent_path() : fs::path(".");
      Series& series = series_[request_.out.empty() ? parent : request_.out];
      series.name = series.sources.empty() ? source.stem().string() : "snapshots";
      series.sources.push_back(source);
    }
  }

  /// A run that was received from others must not choose where files are written.
  static void expect_own_folder(const fs::path& folder) {
    std::error_code ignored;
    if (fs::is_symlink(folder, ignored))
      throw engine::InputError(folder.string(), "is a symbolic link",
                               "name the folder to write to with --out");
  }

  /// Keeps the requested times. Reads all heads even if all are requested, so that unreadable files
  /// are reported first.
  void choose_times() {
    std::size_t all = 0;
    for (auto& [folder, series] : series_) {
      std::optional<std::uint64_t> before;
      std::erase_if(series.sources, [&](const fs::path& source) {
        const sim::SnapshotHead head = sim::read_snapshot_head(source);
        // The last two snapshots of a run may be the same state; a series must not repeat it.
        const bool repeated =
            (has_index() || in_one_file()) && head.metadata.hash && head.metadata.hash == before;
        before = head.metadata.hash;
        if (repeated) return true;
        const auto from = time_in(request_.from, "--from", head.metadata.units),
                   to = time_in(request_.to, "--to", head.metadata.units);
        return (from && head.metadata.time < *from) || (to && head.metadata.time > *to);
      });
      all += series.sources.size();
    }
    count_ = all;
    if (all == 0)
      throw engine::InputError("--from, --to", "there is no snapshot in this time range",
                               "`mote info RUN` lists the snapshots of a run");
  }

  fs::path target_of(const fs::path& folder, const fs::path& source) const {
    return folder / (source.stem().string() + ending());
  }
  fs::path combined_file(const fs::path& folder, const Series& series) const {
    return folder / (series.name + (has_index() ? ".pvd" : ending()));
  }

  void check_targets() const {
    std::vector<engine::Diagnostic> problems;
    std::size_t existing = 0;
    const auto check = [&](const fs::path& target) {
      if (!request_.force && fs::exists(target) && ++existing == 1)
        problems.push_back(
            {target.string(), "", "already exists", "overwrite with --force, or choose --out"});
    };
    for (const auto& [folder, series] : series_) {
      std::set<fs::path> targets;
      for (const fs::path& source : series.sources) {
        const fs::path target =
            in_one_file() ? combined_file(folder, series) : target_of(folder, source);
        std::error_code ignored;
        if (fs::equivalent(source, target, ignored))
          problems.push_back(
              {source.string(), "", "would overwrite itself", "choose another folder with --out"});
        else if (!targets.insert(target).second && !in_one_file())
          problems.push_back({source.string(), "",
                              "has the same name as another one exported to " + folder.string(),
                              "export them one by one, each with its own --out"});
        else
          check(target);
        if (has_contacts()) check(contacts_file(folder / source.stem(), info_.format));
      }
      if (has_index()) check(combined_file(folder, series));
    }
    if (!problems.empty()) throw engine::InputError(std::move(problems));
  }

  /// Before folders are made: a run without surfaces is refused.
  void check_surfaces() const {
    for (const auto& [folder, series] : series_) {
      if (series.sources.empty()) continue;
      const fs::path& first = series.sources.front();
      SurfaceExport(first, sim::read_snapshot_head(first).metadata, request_.surfaces);
    }
  }

  sim::LoadedSnapshot next(const fs::path& source) {
    ++done_;
    show_progress(source, "");
    return sim::load_snapshot(source);
  }
  void show_progress(const fs::path& source, const std::string& more) const {
    if (request_.quiet || !isatty(STDERR_FILENO)) return;
    engine::print(stderr, "\r\x1b[K{} of {}: {}{}", done_, count_, source.filename().string(),
                  more);
    std::fflush(stderr);
  }
  void clear_line() const {
    if (!request_.quiet && isatty(STDERR_FILENO)) engine::print(stderr, "\r\x1b[K");
  }

  sim::SnapshotData data_of(const sim::LoadedSnapshot& snapshot) const {
    sim::SnapshotData data = sim::data_of(snapshot);
    data.columns = common(data.columns, request_.columns);
    data.compress = request_.compress;
    return data;
  }

  void write_files(const fs::path& folder, const Series& series) {
    std::vector<sim::VtkFrame> index;
    for (const fs::path& source : series.sources) {
      const sim::LoadedSnapshot snapshot = next(source);
      const fs::path target = target_of(folder, source);
      if (of_surfaces()) {
        write_surfaces(source, target, snapshot);
        continue;
      }
      info_.write(target, data_of(snapshot));
      if (snapshot.contacts && has_contacts())
        info_.write_contacts(contacts_file(folder / source.stem(), info_.format),
                             data_of(snapshot));
      index.push_back({snapshot.metadata.time, target.filename()});
    }
    if (!has_index()) return;
    std::stable_sort(index.begin(), index.end(),
                     [](const auto& a, const auto& b) { return a.time < b.time; });
    sim::write_vtk_index(combined_file(folder, series), index);
  }

  /// A run's scene is read once for all of its snapshots.
  void write_surfaces(const fs::path& source, const fs::path& target,
                      const sim::LoadedSnapshot& snapshot) {
    const fs::path run = source.parent_path();
    if (!surfaces_ || run != surfaces_of_)
      surfaces_ = std::make_unique<SurfaceExport>(source, snapshot.metadata, request_.surfaces);
    surfaces_of_ = run;
    const InterruptGuard interrupts;
    surfaces_->write(target, snapshot, [&](double fraction) {
      if (InterruptGuard::requested())
        throw engine::SystemError("write " + target.string(), "interrupted",
                                  "it was not written; those before it were");
      show_progress(source, fmt::format(", {:.0f} %", 100 * fraction));
    });
  }

  void write_frames(const fs::path& folder, const Series& series) {
    engine::AtomicFile file(combined_file(folder, series));
    for (const fs::path& source : series.sources) {
      const sim::LoadedSnapshot snapshot = next(source);
      sim::add_xyz_frame(file, data_of(snapshot));
    }
    file.commit();
  }

  void report(const fs::path& folder, const Series& series) const {
    const auto count = static_cast<long long>(series.sources.size());
    if (in_one_file())
      engine::print("{}: {}\n", combined_file(folder, series).string(),
                    engine::counted(count, "frame"));
    else if (has_index())
      engine::print("{}: {}\n", combined_file(folder, series).string(),
                    engine::counted(count, "file"));
    else
      for (const fs::path& source : series.sources)
        engine::print("{}\n", target_of(folder, source).string());
  }

  const ExportRequest& request_;
  const sim::SnapshotFormatInfo& info_;
  std::map<fs::path, Series> series_;
  std::size_t count_ = 0, done_ = 0;
  std::unique_ptr<SurfaceExport> surfaces_;
  fs::path surfaces_of_;  ///< folder of the snapshots of their run
};

}  // namespace

void export_snapshots(const ExportRequest& request) {
  const engine::ReadSession reader_session;
  Export(request).run();
}

}  // namespace mote::app
