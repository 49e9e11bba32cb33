#include "app/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include "app/interrupt.h"
#include "app/progress.h"
#include "app/stored_run.h"
#include "engine/files.h"
#include "engine/json.h"
#include "engine/log.h"
#include "engine/machine.h"
#include "engine/text.h"
#include "sim/io/csv_line.h"
#include "sim/io/moment_diff.h"
#include "sim/io/series.h"
#include "sim/run/checkpoint_folder.h"
#include "sim/run/difference.h"
#include "sim/run/hooks.h"
#include "sim/run/run_folder.h"
#include "sim/run/schedule.h"
#include "sim/run/state_file.h"

namespace mote::app {
namespace {

namespace fs = std::filesystem;
using engine::Json;

/// Where a segment of the run ends, and what is known of it there.
struct Mark {
  std::uint64_t step = 0;
  std::string hash;
  std::vector<sim::Edit> edits;
  std::string name;
  fs::path file;  ///< with the state itself; empty where there is none
};

/// Steps a segment as the run did, without its outputs.
class Again : private sim::HookHost {
 public:
  /// `from`: null for the start of the scene.
  Again(const sim::SceneDescription& scene, const sim::Plan& plan, const sim::Checkpoint* from,
        std::vector<sim::Edit> edits)
      : simulation_(from ? sim::open_checkpoint(*from, scene, plan)
                         : sim::open_simulation(scene, plan)),
        hooks_(scene, *simulation_, *this, from ? from->hook_data : engine::JsonBox()),
        edits_(std::move(edits)) {
    if (from) return;
    first_ = simulation_->measure();
    hooks_.start();
    make_edits();
  }

  using Use = std::function<void(const sim::Measurement&)>;
  /// To a step or until asked to stop; `use` is called with measurements at multiples of `every`.
  void step_to(std::uint64_t last, std::uint64_t every, const std::function<bool()>& stop,
               const Use& use) {
    while (simulation_->step() < last && !(stop && stop())) {
      std::uint64_t next = std::min(last, hooks_.next());
      if (next_edit_ < edits_.size()) next = std::min(next, edits_[next_edit_].step);
      const auto report =
          simulation_->advance_measured(next - simulation_->step(), every, stop, use);
      if (report.health != sim::Health::good) return;
      if (report.steps == 0) continue;
      hooks_.run_due();
      make_edits();
    }
  }

  sim::Simulation& simulation() { return *simulation_; }

 private:
  void make_edits() {
    for (; next_edit_ < edits_.size() && edits_[next_edit_].step == simulation_->step();
         ++next_edit_)
      edit_live(edits_[next_edit_].path, edits_[next_edit_].value);
  }
  void edit_live(const std::string& path, const engine::ParamValue& value) {
    sim::LiveSettings live = simulation_->live();
    set_live(live, path, value);
    simulation_->change(live);
  }
  /// The hook made it again; its record is spent.
  void edit(const std::string& path, const engine::ParamValue& value) override {
    edit_live(path, value);
    const auto ahead = edits_.begin() + static_cast<std::ptrdiff_t>(next_edit_);
    const auto found = std::find_if(ahead, edits_.end(), [&](const sim::Edit& e) {
      return e.step == simulation_->step() && e.path == path && e.value == value;
    });
    if (found != edits_.end()) edits_.erase(found);
  }
  void change_bodies(const sim::BodyChange& change) override { simulation_->change_bodies(change); }
  void row(const std::string&, const sim::HookRow&) override {}
  void snapshot() override {}
  void picture(const std::string&) override {}

  std::unique_ptr<sim::Simulation> simulation_;
  sim::Hooks hooks_;
  std::vector<sim::Edit> edits_;
  std::size_t next_edit_ = 0;
  sim::Measurement first_;
};

/// Rows of series.csv by their steps, as they stand there.
std::map<std::uint64_t, std::string> rows_of(const fs::path& run) {
  std::map<std::uint64_t, std::string> rows;
  fs::path file = run / "series.csv";
  if (!fs::exists(file)) file = engine::part_of(file);
  if (!fs::exists(file)) return rows;
  std::istringstream lines(engine::read_whole(file));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    const auto comma = line.find(',');
    if (comma != line.npos) rows[std::strtoull(line.c_str() + comma + 1, nullptr, 10)] = line;
  }
  return rows;
}

/// Which numbers of a row are other ones than were measured, as the series prints them.
std::vector<std::string> other_numbers(const sim::Measurement& m,
                                       const sim::SceneDescription& scene, const std::string& row) {
  const std::vector<sim::SeriesColumn> columns = sim::series_columns(scene);
  const std::vector<double> values =
      sim::series_values(m, sim::has_temperature(scene), scene.series.displacement);
  std::vector<std::string> fields, other;
  sim::split_csv_line(row, fields);
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (i >= fields.size() || fields[i] != sim::series_number(values[i], columns[i].integer))
      other.push_back(columns[i].name.substr(0, columns[i].name.find(' ')));
  return other;
}

/// Compares rows of measurements with those of the series, and remembers the first that differs.
class Rows {
 public:
  Rows(const std::map<std::uint64_t, std::string>& stored, const sim::SceneDescription& scene,
       std::uint64_t begin)
      : stored_(stored), scene_(scene), begin_(begin), same_(begin) {}

  void compare(const sim::Measurement& m) {
    const auto found = stored_.find(m.step);
    if (first_ || found == stored_.end()) return;
    other_ = other_numbers(m, scene_, found->second);
    if (other_.empty())
      same_ = m.step;
    else
      first_ = m.step;
  }

  /// The first step that differs is one of these, as far as rows tell, where the state of `end`
  /// does.
  std::pair<std::uint64_t, std::uint64_t> first_step(std::uint64_t end) const {
    const bool unseen = !first_ && same_ >= end;  // by any row
    return {(unseen ? begin_ : same_) + 1, first_.value_or(end)};
  }

  std::string words(std::uint64_t end) const {
    const auto [low, high] = first_step(end);
    const std::string row =
        first_ ? fmt::format("the first row of the series that differs is that of step {}, in {}",
                             *first_, engine::joined(other_, ", "))
               : "no row of the series differs before";
    return row + (low == high
                      ? fmt::format(": the first step that differs is step {}", low)
                      : fmt::format(": the first step that differs is one of {} to {}", low, high));
  }

 private:
  const std::map<std::uint64_t, std::string>& stored_;
  const sim::SceneDescription& scene_;
  std::uint64_t begin_;
  std::uint64_t same_;  ///< the step of the last row that is the same
  std::optional<std::uint64_t> first_;
  std::vector<std::string> other_;
};

/// What computes accelerations in a scene.
std::string forces_of(const sim::SceneDescription& scene) {
  std::string forces = scene.gravity ? "gravity" : "";
  if (!scene.fields.empty()) forces += forces.empty() ? "fields" : " or fields";
  return forces.empty() ? "no force" : forces;
}

/// Which columns of a state are not what was recorded, and what writes these.
std::string state_words(const sim::MomentDifference& d, const sim::SceneDescription& scene) {
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
                    " that one of the two does not have");
  if (d.other_species > 0) other.emplace_back("species");
  if (other.empty()) return "";
  const auto differs = [&](const char* name) {
    return std::any_of(d.quantities.begin(), d.quantities.end(),
                       [&](const auto& q) { return q.name == name && !q.same_bits; });
  };
  std::string words = "in the state of that step differ: " + engine::joined(other, ", ");
  if (!same.empty()) words += "; the same: " + engine::joined(same, ", ");
  if (bodies || differs("mass"))
    return words + "; bodies, masses and species are changed by hooks alone";
  return words + fmt::format("; they are written by kicks{} of {}, from accelerations of {}",
                             differs("position") ? " and drifts" : "", scene.integrator.name,
                             forces_of(scene));
}

class Verification {
 public:
  explicit Verification(const VerifyRequest& request) : request_(request) { find(); }

  bool run() {
    const InterruptGuard guard;
    std::uint64_t steps = 0;
    for (std::size_t i = 0; i < marks_.size() && !InterruptGuard::asked(); ++i) {
      const std::uint64_t begin = i == 0 && from_start_ ? 0 : steps_[from(i)];
      if (!segment(i, begin)) return false;
      steps += marks_[i].step - begin;
    }
    if (InterruptGuard::asked()) throw engine::SystemError("verify", "interrupted", "begin again");
    Json json{{"event", "verified"}, {"segments", marks_.size()}, {"steps", steps}};
    if (damaged_ > 0) json["damaged"] = damaged_;
    say(json,
        fmt::format("verified: {} in {}, all as they were{}",
                    engine::counted(static_cast<long long>(steps), "step"),
                    engine::counted(static_cast<long long>(marks_.size()), "segment"),
                    damaged_ == 0
                        ? ""
                        : "; " + engine::counted(static_cast<long long>(damaged_), "checkpoint") +
                              " passed over, which cannot be read"));
    return true;
  }

 private:
  std::size_t from(std::size_t i) const { return from_start_ ? i - 1 : i; }

  void say(const Json& json, const std::string& line) const {
    if (request_.json)
      fmt::print("{}\n", engine::json_text(json));
    else if (!request_.quiet)
      fmt::print("{}\n", line);
    std::fflush(stdout);
  }

  /// Reads what there is: checkpoints, and how the run ended.
  void find() {
    files_ = sim::checkpoints_in(request_.run);
    if (files_.empty())
      throw engine::InputError(request_.run.string(), "has no checkpoints to compare with",
                               "`mote run --checkpoint-steps N` leaves some");
    read_checkpoints();
    from_start_ = steps_.front() > 0;
    add_end();
    if (marks_.empty())
      throw engine::InputError(request_.run.string(),
                               "has one checkpoint, of its start, and none after it");
  }

  /// Those that are damaged are passed over, as a run that goes on does.
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
      steps_.push_back(last_.clockwork.step);
      if (steps_.size() == 1 && steps_[0] == 0) continue;
      marks_.push_back({last_.clockwork.step, sim::hash_text(last_.hash), last_.edits,
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
      record = engine::parse_json(engine::read_whole(file));
    } catch (const Json::exception&) {
      throw engine::InputError(file.string(), "cannot be understood");
    }
    if (!record.contains("state_hash") || record.at("steps") <= steps_.back()) return;
    const sim::SceneDescription scene = sim::scene_of(last_, request_.trust);
    Mark end{record.at("steps"),
             record.at("state_hash"),
             {},
             "run.json",
             snapshot_of(record.at("steps"))};
    if (record.contains("edits"))
      end.edits = sim::read_edits(record["edits"], file.string(), sim::live_of(scene));
    marks_.push_back(std::move(end));
  }

  /// The snapshot of a step that is the last of the run; empty where it is no HDF5.
  fs::path snapshot_of(std::uint64_t step) const {
    const StoredRun run = stored_run(request_.run);
    if (run.snapshots.empty()) return {};
    const sim::SnapshotHead head = sim::read_snapshot_head(run.snapshots.back());
    return head.facts.step == step && head.facts.columns.velocity && head.facts.columns.mass
               ? run.snapshots.back()
               : fs::path();
  }

  /// As from its file, with all bodies of the start.
  sim::SceneDescription first_scene(const sim::Checkpoint& c) const {
    sim::SceneDescription scene = sim::read_scene_text(c.scene_file.string() + ".json", c.scene);
    scene.hooks = sim::scene_of(c, request_.trust).hooks;
    return scene;
  }

  bool segment(std::size_t i, std::uint64_t begin) {
    const Mark& mark = marks_[i];
    const bool first = i == 0 && from_start_;
    const sim::Checkpoint like = sim::read_checkpoint(files_[first ? 0 : from(i)]);
    const sim::Checkpoint* const from_checkpoint = first ? nullptr : &like;
    const sim::SceneDescription scene =
        first ? first_scene(like) : sim::scene_of(like, request_.trust);
    const sim::Plan plan = sim::make_plan(scene, sim::options_of(like, request_.options));
    const std::size_t made = first ? 0 : std::min(from_checkpoint->edits.size(), mark.edits.size());
    const std::vector<sim::Edit> edits(mark.edits.begin() + static_cast<std::ptrdiff_t>(made),
                                       mark.edits.end());

    if (rows_.empty()) rows_ = rows_of(request_.run);
    Rows rows(rows_, scene, begin);
    const auto compare = [&](const sim::Measurement& m) { rows.compare(m); };
    Again again(scene, plan, from_checkpoint, edits);
    Progress progress(progress_style(request_.quiet || request_.json, false), mark.step,
                      scene.units.time);
    const auto stop = [&] {
      const sim::Simulation& s = again.simulation();
      progress.update(s.step(), s.time(), s.interactions());
      return InterruptGuard::asked();
    };
    const Json& asked = like.run->is_object() ? like.run->at("request").at("series_steps") : Json();
    const std::int64_t every = asked.is_null() ? plan.series_steps : asked.get<std::int64_t>();
    again.step_to(mark.step, static_cast<std::uint64_t>(every), stop, compare);
    progress.finish();
    if (InterruptGuard::asked()) return true;
    const std::string hash = sim::hash_text(again.simulation().hash());
    const bool same = hash == mark.hash && again.simulation().step() == mark.step;
    const std::string words = fmt::format("steps {} to {} ({}): ", begin, mark.step, mark.name);
    Json json{{"event", "segment"}, {"from", begin}, {"to", mark.step},
              {"same", same},       {"hash", hash},  {"was", mark.hash}};
    if (same) {
      say(json, words + "same");
      return true;
    }
    const auto [low, high] = rows.first_step(mark.step);
    json["first_step"] = {low, high};
    std::string why = rows.words(mark.step);
    if (const std::string state = recorded_state(mark, again.simulation(), scene); !state.empty())
      why += "; " + state;
    why += "; " + side_by_side(scene, plan, from_checkpoint, edits, mark, like);
    json["why"] = why;
    say(json, words + fmt::format("DIFFERENT: {} instead of {}; {}", hash, mark.hash, why));
    return false;
  }

  /// Whether stepping is repeatable here at all.
  static std::string side_by_side(const sim::SceneDescription& scene, const sim::Plan& plan,
                                  const sim::Checkpoint* from, const std::vector<sim::Edit>& edits,
                                  const Mark& mark, const sim::Checkpoint& like) {
    Again a(scene, plan, from, edits), b(scene, plan, from, edits);
    for (std::uint64_t step = a.simulation().step(); step < mark.step; ++step) {
      a.step_to(step + 1, sim::never, {}, {});
      b.step_to(step + 1, sim::never, {}, {});
      if (const auto d =
              sim::first_difference(a.simulation(), b.simulation(), step + 1, forces_of(scene)))
        return fmt::format(
            "two runs side by side differ first at step {}, body {}, in {}: {}; this machine does "
            "not "
            "repeat itself",
            d->step, d->id, d->columns, d->module);
    }
    const bool cuda = plan.backend == engine::Backend::cuda;
    const std::string& device = cuda ? plan.device_name : engine::machine_info().processor;
    if (like.version == engine::build_info().version && like.device == device)
      return "this mote repeats itself, and its version made the run on such a device: files of "
             "the run were "
             "changed, the build is another one, or memory or processor erred";
    return fmt::format(
        "this mote repeats itself, so the run was made by another one ({}, {}), or its files were "
        "changed",
        like.version, like.device);
  }

  /// How the state that was recorded at a mark differs; "" where only its hash is known.
  std::string recorded_state(const Mark& mark, sim::Simulation& now,
                             const sim::SceneDescription& scene) const {
    if (mark.file.empty() || now.step() != mark.step) return "";
    const sim::Moment again{sim::facts_of(now, scene), sim::copy_of(now.state())};
    return state_words(sim::difference_of(again, sim::read_moment(mark.file)), scene);
  }

  VerifyRequest request_;
  std::vector<fs::path> files_;
  std::vector<std::uint64_t> steps_;  ///< of the checkpoints
  sim::Checkpoint last_;
  std::vector<Mark> marks_;
  bool from_start_ = false;
  std::size_t damaged_ = 0;  ///< checkpoints that were passed over
  std::map<std::uint64_t, std::string> rows_;
};

}  // namespace

bool verify(const VerifyRequest& request) {
  return Verification(request).run();
}

}  // namespace mote::app
