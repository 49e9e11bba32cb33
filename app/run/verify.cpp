#include "app/run/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include "app/look/stored_run.h"
#include "app/run/interrupt.h"
#include "app/run/progress.h"
#include "engine/files.h"
#include "engine/json.h"
#include "engine/log.h"
#include "engine/machine.h"
#include "engine/terminal.h"
#include "engine/text.h"
#include "sim/io/csv_line.h"
#include "sim/io/series.h"
#include "sim/io/snapshot_diff.h"
#include "sim/output/checkpoint.h"
#include "sim/output/checkpoint_folder.h"
#include "sim/output/difference.h"
#include "sim/output/run_folder.h"
#include "sim/output/state_file.h"
#include "sim/scene/read_scene.h"
#include "sim/schedule.h"
#include "sim/script/run_loop.h"

namespace mote::app {
namespace {

namespace fs = std::filesystem;
using engine::Json;

/// Recorded state at the end of a segment of the run.
struct Reference {
  std::uint64_t step = 0;
  std::string hash;
  std::vector<sim::Edit> edits;
  std::string name;
  fs::path file;  ///< file with the full state; empty if only the hash is known
};

/// Repeats a segment of the run without its output.
class Rerun : private sim::RunHost {
 public:
  /// `from`: null to start from the scene.
  Rerun(const sim::SceneDescription& scene, const sim::Plan& plan, const sim::Checkpoint* from,
        std::vector<sim::Edit> edits)
      : simulation_(from ? sim::open_checkpoint(*from, scene, plan)
                         : sim::open_simulation(scene, plan)),
        steps_(*simulation_, {}, std::move(edits)),
        loop_(scene, *simulation_, steps_, *this, from ? from->hook_data : engine::JsonBox(),
              sim::EnergyHealth(scene)) {
    if (!from) {
      loop_.measure();
      loop_.start();
    }
    loop_.make_edits();
  }

  using Use = std::function<void(const sim::Measurement&)>;
  /// Advances to step `last` or until `stop`; calls `use` with measurements at multiples of
  /// `every`.
  void step_to(std::uint64_t last, std::uint64_t every, const std::function<bool()>& stop,
               const Use& use) {
    use_ = use;
    const auto is_bad = [&] {
      return has(loop_.health(), sim::Health::not_finite) ||
             has(loop_.health(), sim::Health::step_too_long) ||
             has(loop_.health(), sim::Health::bond_overstretched);
    };
    while (simulation_->step() < last && !is_bad() && !(stop && stop())) {
      loop_.clear();  // a run in a window can go on where hooks have stopped it
      loop_.advance([last] { return last; }, every, stop);
    }
  }

  sim::Simulation& simulation() { return *simulation_; }

 private:
  bool ends_at_rows() const override { return false; }
  bool on_measurement(const sim::Measurement& measurement) override {
    if (use_) use_(measurement);
    return true;
  }

  std::unique_ptr<sim::Simulation> simulation_;
  sim::RepeatedEdits steps_;
  sim::RunLoop loop_;
  Use use_;
};

/// Lines of series.csv, and its rows by step.
struct StoredRows {
  std::string header;
  std::map<std::uint64_t, std::string> rows;
};

StoredRows rows_of(const fs::path& run) {
  StoredRows series;
  fs::path file = run / "series.csv";
  if (!fs::exists(file)) file = engine::part_of(file);
  if (!fs::exists(file)) return series;
  std::istringstream lines(engine::read_file(file));
  std::string line;
  std::getline(lines, series.header);
  while (std::getline(lines, line)) {
    const auto comma = line.find(',');
    if (comma != line.npos)
      series.rows[std::strtoull(line.c_str() + comma + 1, nullptr, 10)] = line;
  }
  return series;
}

/// Names of the columns in which a row differs from a measurement, as printed.
std::vector<std::string> differing_columns(const sim::Measurement& m,
                                           const sim::SceneDescription& scene,
                                           const std::string& header, const std::string& row) {
  const sim::SeriesParts parts = sim::series_parts(scene, header);
  const std::vector<sim::SeriesColumn> columns = sim::series_columns(scene, parts);
  const std::vector<double> values = sim::series_values(m, parts);
  std::vector<std::string> fields, other;
  sim::split_csv_line(row, fields);
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (i >= fields.size() || fields[i] != sim::series_number(values[i], columns[i].integer))
      other.push_back(columns[i].name);
  return other;
}

/// Compares measurements with the rows of series.csv, and records the first that differs.
class SeriesComparison {
 public:
  SeriesComparison(const StoredRows& stored, const sim::SceneDescription& scene,
                   std::uint64_t begin)
      : stored_(stored), scene_(scene), begin_(begin), same_(begin) {}

  void compare(const sim::Measurement& m) {
    const auto found = stored_.rows.find(m.step);
    if (first_ || found == stored_.rows.end()) return;
    differing_ = differing_columns(m, scene_, stored_.header, found->second);
    if (differing_.empty())
      same_ = m.step;
    else
      first_ = m.step;
  }

  /// Given that the state at `end` differs, the range of steps in which the rows allow the first
  /// difference.
  std::pair<std::uint64_t, std::uint64_t> first_step_range(std::uint64_t end) const {
    const bool unseen = !first_ && same_ >= end;  // no row shows the difference
    return {(unseen ? begin_ : same_) + 1, first_.value_or(end)};
  }

  std::string text(std::uint64_t end) const {
    const auto [low, high] = first_step_range(end);
    const std::string row =
        first_ ? fmt::format("the first row of the series that differs is step {}, in {}", *first_,
                             engine::joined(differing_, ", "))
               : "no earlier row of the series differs";
    return row + (low == high ? fmt::format(": the first step that differs is step {}", low)
                              : fmt::format(": the first step that differs is between {} and {}",
                                            low, high));
  }

 private:
  const StoredRows& stored_;
  const sim::SceneDescription& scene_;
  std::uint64_t begin_;
  std::uint64_t same_;  ///< step of the last row that agrees
  std::optional<std::uint64_t> first_;
  std::vector<std::string> differing_;
};

/// The forces of a scene, as text.
std::string forces_of(const sim::SceneDescription& scene) {
  std::vector<std::string> subjects;
  for (const sim::Physics& p : scene.physics) subjects.push_back(p.info().subject);
  return subjects.empty() ? "no force" : engine::joined(subjects, " or ");
}

/// Which fields of a state differ from the recorded ones, and what computes them.
std::string state_text(const sim::SnapshotDifference& d, const sim::SceneDescription& scene) {
  std::vector<std::string> other, same;
  for (const sim::QuantityDifference& q : d.quantities) {
    if (q.same_bits)
      same.push_back(q.name);
    else
      other.push_back(fmt::format(
          "{} by up to {:.3g} {}(body {})", q.name, q.absolute,
          scene.units.label(q.quantity).empty() ? "" : scene.units.label(q.quantity) + " ",
          q.absolute_body));
  }
  const std::size_t unpaired = d.only_a.size() + d.only_b.size();
  const bool bodies = unpaired > 0 || d.other_species > 0;
  if (unpaired > 0)
    other.push_back(engine::counted(static_cast<long long>(unpaired), "body") +
                    " present in only one of the two");
  if (d.other_species > 0) other.emplace_back("species");
  if (other.empty()) return "";
  const auto differs = [&](const char* name) {
    return std::any_of(d.quantities.begin(), d.quantities.end(),
                       [&](const auto& q) { return q.name == name && !q.same_bits; });
  };
  std::string text = "in the state of that step differ: " + engine::joined(other, ", ");
  if (!same.empty()) text += "; the same: " + engine::joined(same, ", ");
  if (bodies || differs("mass")) return text + "; only hooks change bodies, masses and species";
  return text + fmt::format("; they are computed by kicks{} of {}, from accelerations of {}",
                            differs("position") ? " and drifts" : "", scene.integrator.name,
                            forces_of(scene));
}

/// The hash of the state; by the rule of older versions if that is the one expected.
std::string hash_of(sim::Simulation& simulation, const sim::Plan& plan,
                    const std::string& expected) {
  const std::string hash = sim::hash_text(simulation.hash());
  if (hash == expected) return hash;
  const std::string before = sim::hash_text(sim::state_hash_before_fields(
      plan.cpu, simulation.state(), simulation.time(), simulation.step()));
  return before == expected ? before : hash;
}

class Verification {
 public:
  explicit Verification(const VerifyRequest& request) : request_(request) { load(); }

  bool run() {
    const InterruptGuard guard;
    std::uint64_t steps = 0;
    for (std::size_t i = 0; i < references_.size() && !InterruptGuard::requested(); ++i) {
      const std::uint64_t begin = i == 0 && from_start_ ? 0 : steps_[from(i)];
      if (!segment(i, begin)) return false;
      steps += references_[i].step - begin;
    }
    if (InterruptGuard::requested())
      throw engine::SystemError("verify", "interrupted", "start it again");
    Json json{{"event", "verified"}, {"segments", references_.size()}, {"steps", steps}};
    if (damaged_ > 0) json["damaged"] = damaged_;
    print_event(
        json,
        fmt::format("verified: {} in {}, all identical{}",
                    engine::counted(static_cast<long long>(steps), "step"),
                    engine::counted(static_cast<long long>(references_.size()), "segment"),
                    damaged_ == 0
                        ? ""
                        : "; " + engine::counted(static_cast<long long>(damaged_), "checkpoint") +
                              " skipped as unreadable"));
    return true;
  }

 private:
  std::size_t from(std::size_t i) const { return from_start_ ? i - 1 : i; }

  void print_event(const Json& json, const std::string& line) const {
    if (request_.json)
      engine::print("{}\n", engine::json_text(json));
    else if (!request_.quiet)
      engine::print("{}\n", line);
    std::fflush(stdout);
  }

  /// Reads the checkpoints and the final state.
  void load() {
    files_ = sim::checkpoints_in(request_.run);
    if (files_.empty())
      throw engine::InputError(request_.run.string(), "has no checkpoints to compare with",
                               "`mote run --checkpoint-steps N` writes some");
    read_checkpoints();
    from_start_ = steps_.front() > 0 && !continued_;
    add_end();
    if (references_.empty())
      throw engine::InputError(
          request_.run.string(),
          "has a checkpoint of its start only, so there is nothing to compare");
  }

  /// Skips damaged checkpoints, as a resumed run does.
  void read_checkpoints() {
    std::vector<engine::Diagnostic> problems;
    std::vector<fs::path> good;
    for (const fs::path& file : files_) {
      try {
        last_ = sim::read_checkpoint(file);
      } catch (const engine::InputError& e) {
        problems.insert(problems.end(), e.diagnostics().begin(), e.diagnostics().end());
        continue;
      }
      good.push_back(file);
      steps_.push_back(last_.run_clock.clock.step);
      continued_ = last_.run->is_object() && last_.run->at("progress").contains("continued");
      if (steps_.size() == 1 && (steps_[0] == 0 || continued_)) continue;
      references_.push_back({last_.run_clock.clock.step, sim::hash_text(last_.hash), last_.edits,
                             file.filename().string(), file});
    }
    if (good.empty()) throw engine::InputError(std::move(problems));
    for (const engine::Diagnostic& problem : problems) engine::log().warn("{}", problem.text());
    damaged_ = files_.size() - good.size();
    files_ = std::move(good);
  }

  void add_end() {
    const fs::path file = request_.run / "run.json";
    if (!fs::exists(file)) return;
    Json record;
    try {
      record = engine::parse_json(engine::read_file(file));
    } catch (const Json::exception&) {
      throw engine::InputError(file.string(), "is not valid JSON");
    }
    if (!record.contains("state_hash") || record.at("steps") <= steps_.back()) return;
    const sim::SceneDescription scene = sim::scene_of(last_, request_.trust);
    Reference end{record.at("steps"),
                  record.at("state_hash"),
                  {},
                  "run.json",
                  snapshot_of(record.at("steps"))};
    if (record.contains("edits"))
      end.edits = sim::read_edits(record["edits"], file.string(), sim::live_of(scene));
    references_.push_back(std::move(end));
  }

  /// The last snapshot of the run if it is of this step and complete; otherwise empty.
  fs::path snapshot_of(std::uint64_t step) const {
    const StoredRun run = stored_run(request_.run);
    if (run.snapshots.empty()) return {};
    const sim::SnapshotHead head = sim::read_snapshot_head(run.snapshots.back());
    return head.metadata.step == step && head.metadata.columns.velocity &&
                   head.metadata.columns.mass
               ? run.snapshots.back()
               : fs::path();
  }

  /// The scene as read from its file, with all initial bodies.
  sim::SceneDescription first_scene(const sim::Checkpoint& c) const {
    sim::SceneDescription scene = sim::read_scene_text(c.scene_file.string() + ".json", c.scene);
    scene.hooks = sim::scene_of(c, request_.trust).hooks;
    return scene;
  }

  bool segment(std::size_t i, std::uint64_t begin) {
    const Reference& reference = references_[i];
    const bool first = i == 0 && from_start_;
    const sim::Checkpoint checkpoint = sim::read_checkpoint(files_[first ? 0 : from(i)]);
    const sim::Checkpoint* const from_checkpoint = first ? nullptr : &checkpoint;
    const sim::SceneDescription scene =
        first ? first_scene(checkpoint) : sim::scene_of(checkpoint, request_.trust);
    const sim::Plan plan = sim::make_plan(scene, sim::options_of(checkpoint, request_.options));
    const std::size_t applied =
        first ? 0 : std::min(from_checkpoint->edits.size(), reference.edits.size());
    const std::vector<sim::Edit> edits(
        reference.edits.begin() + static_cast<std::ptrdiff_t>(applied), reference.edits.end());

    if (rows_.rows.empty()) rows_ = rows_of(request_.run);
    SeriesComparison series(rows_, scene, begin);
    const auto compare = [&](const sim::Measurement& m) { series.compare(m); };
    Rerun rerun(scene, plan, from_checkpoint, edits);
    Progress progress(progress_style(request_.quiet || request_.json, false), reference.step,
                      scene.units);
    const auto stop = [&] {
      const sim::Simulation& s = rerun.simulation();
      progress.update(s.step(), s.time(), s.interactions());
      return InterruptGuard::requested();
    };
    const Json& asked =
        checkpoint.run->is_object() ? checkpoint.run->at("request").at("series_steps") : Json();
    const std::int64_t every = asked.is_null() ? plan.series_steps : asked.get<std::int64_t>();
    rerun.step_to(reference.step, static_cast<std::uint64_t>(every), stop, compare);
    progress.finish();
    if (InterruptGuard::requested()) return true;
    const std::string hash = hash_of(rerun.simulation(), plan, reference.hash);
    const bool same = hash == reference.hash && rerun.simulation().step() == reference.step;
    const std::string steps =
        fmt::format("steps {} to {} ({}): ", begin, reference.step, reference.name);
    Json json{{"event", "segment"}, {"from", begin}, {"to", reference.step},
              {"same", same},       {"hash", hash},  {"was", reference.hash}};
    if (same) {
      print_event(json, steps + "same");
      return true;
    }
    const auto [low, high] = series.first_step_range(reference.step);
    json["first_step"] = {low, high};
    std::string why = series.text(reference.step);
    if (const std::string state = recorded_state(reference, rerun.simulation(), scene);
        !state.empty())
      why += "; " + state;
    why += "; " + side_by_side(scene, plan, from_checkpoint, edits, reference, checkpoint);
    json["why"] = why;
    print_event(json,
                steps + fmt::format("DIFFERENT: {} instead of {}; {}", hash, reference.hash, why));
    return false;
  }

  /// Steps two simulations together, to tell whether this machine is repeatable at all.
  static std::string side_by_side(const sim::SceneDescription& scene, const sim::Plan& plan,
                                  const sim::Checkpoint* from, const std::vector<sim::Edit>& edits,
                                  const Reference& reference, const sim::Checkpoint& checkpoint) {
    Rerun a(scene, plan, from, edits), b(scene, plan, from, edits);
    for (std::uint64_t step = a.simulation().step(); step < reference.step; ++step) {
      a.step_to(step + 1, sim::never, {}, {});
      b.step_to(step + 1, sim::never, {}, {});
      if (const auto d =
              sim::first_difference(a.simulation(), b.simulation(), step + 1, forces_of(scene)))
        return fmt::format(
            "two runs side by side first differ at step {}, body {}, in {}: {}; this machine does "
            "not give repeatable results",
            d->step, d->id, d->columns, d->module);
    }
    const bool cuda = plan.backend == engine::Backend::cuda;
    const std::string& device = cuda ? plan.device_name : engine::machine_info().processor;
    if (checkpoint.version == engine::build_info().version && checkpoint.device == device)
      return "this mote is repeatable, and the run is from the same version and device: either its "
             "files were changed, the build is different, or memory or processor failed";
    return fmt::format(
        "this mote is repeatable, so either the run is from another one ({}, {}), or its files "
        "were "
        "changed",
        checkpoint.version, checkpoint.device);
  }

  /// How the recorded state differs; "" if only its hash is known.
  std::string recorded_state(const Reference& reference, sim::Simulation& now,
                             const sim::SceneDescription& scene) const {
    if (reference.file.empty() || now.step() != reference.step) return "";
    const sim::LoadedSnapshot recorded = sim::load_snapshot(reference.file);
    sim::SnapshotMetadata metadata = sim::metadata_of(now, scene);
    metadata.columns = recorded.metadata.columns;
    const sim::LoadedSnapshot rerun{
        std::move(metadata), sim::copy_of(now.state(), recorded.metadata.columns.acceleration)};
    return state_text(sim::difference_of(rerun, recorded), scene);
  }

  VerifyRequest request_;
  std::vector<fs::path> files_;
  std::vector<std::uint64_t> steps_;  ///< steps of the checkpoints
  sim::Checkpoint last_;
  std::vector<Reference> references_;
  bool from_start_ = false;
  bool continued_ = false;   ///< from a checkpoint of another run, which is its beginning
  std::size_t damaged_ = 0;  ///< number of unreadable checkpoints
  StoredRows rows_;
};

}  // namespace

bool verify(const VerifyRequest& request) {
  return Verification(request).run();
}

}  // namespace mote::app
