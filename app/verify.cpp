#include "app/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "app/interrupt.h"
#include "app/progress.h"
#include "engine/files.h"
#include "engine/log.h"
#include "engine/text.h"
#include "sim/io/series.h"
#include "sim/run/checkpoint_folder.h"
#include "sim/run/difference.h"
#include "sim/run/hooks.h"
#include "sim/run/run_folder.h"
#include "sim/run/schedule.h"

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
};

/// Steps a segment as the run did, without its outputs.
class Again : private sim::HookHost {
 public:
  /// `from`: null for the start of the scene.
  Again(const sim::SceneDescription& scene, const sim::Plan& plan, const sim::Checkpoint* from,
        std::vector<sim::Edit> edits)
      : simulation_(from ? sim::open_checkpoint(*from, scene, plan) : sim::open_simulation(scene, plan)),
        hooks_(scene, *simulation_, *this, from ? from->hook_data : Json()),
        edits_(std::move(edits)) {
    if (from) return;
    first_ = simulation_->measure();
    hooks_.start();
    make_edits();
  }

  using Use = std::function<void(const sim::Measurement&)>;
  /// To a step or until asked to stop; `use` is called with measurements at multiples of `every`.
  void step_to(std::uint64_t last, std::uint64_t every, const std::function<bool()>& stop, const Use& use) {
    while (simulation_->step() < last && !(stop && stop())) {
      std::uint64_t next = std::min(last, hooks_.next());
      if (next_edit_ < edits_.size()) next = std::min(next, edits_[next_edit_].step);
      const auto report = simulation_->advance_measured(next - simulation_->step(), every, stop, use);
      if (report.health != sim::Health::good) return;
      if (report.steps == 0) continue;
      hooks_.run_due();
      make_edits();
    }
  }

  sim::Simulation& simulation() { return *simulation_; }

 private:
  void make_edits() {
    for (; next_edit_ < edits_.size() && edits_[next_edit_].step == simulation_->step(); ++next_edit_)
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

/// The beginning of a row: time, step and energies, as the series prints them.
std::string row_text(const sim::Measurement& m) {
  return fmt::format("{},{},{},{},{}", sim::series_number(m.time), m.step, sim::series_number(m.kinetic),
                     sim::series_number(m.potential), sim::series_number(m.energy));
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
    say(Json{{"event", "verified"}, {"segments", marks_.size()}, {"steps", steps}},
        fmt::format("verified: {} in {}, all as they were",
                    engine::counted(static_cast<long long>(steps), "step"),
                    engine::counted(static_cast<long long>(marks_.size()), "segment")));
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
    for (const fs::path& file : files_) {
      last_ = sim::read_checkpoint(file);
      steps_.push_back(last_.clockwork.step);
      if (steps_.size() == 1 && steps_[0] == 0) continue;
      marks_.push_back(
          {last_.clockwork.step, sim::hash_text(last_.hash), last_.edits, file.filename().string()});
    }
    from_start_ = steps_.front() > 0;
    add_end();
    if (marks_.empty())
      throw engine::InputError(request_.run.string(),
                               "has one checkpoint, of its start, and nothing behind it");
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
    Mark end{record.at("steps"), record.at("state_hash"), {}, "run.json"};
    if (record.contains("edits"))
      end.edits = sim::read_edits(record["edits"], file.string(), sim::live_of(scene));
    marks_.push_back(std::move(end));
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
    const sim::SceneDescription scene = first ? first_scene(like) : sim::scene_of(like, request_.trust);
    const sim::Plan plan = sim::make_plan(scene, sim::options_of(like, request_.options));
    const std::size_t made = first ? 0 : std::min(from_checkpoint->edits.size(), mark.edits.size());
    const std::vector<sim::Edit> edits(mark.edits.begin() + static_cast<std::ptrdiff_t>(made),
                                       mark.edits.end());

    if (rows_.empty()) rows_ = rows_of(request_.run);
    std::string row;
    const auto compare = [&](const sim::Measurement& m) {
      const auto found = rows_.find(m.step);
      if (row.empty() && found != rows_.end() && !found->second.starts_with(row_text(m)))
        row = fmt::format("the first row of the series that differs is that of step {}", m.step);
    };
    Again again(scene, plan, from_checkpoint, edits);
    Progress progress(progress_style(request_.quiet || request_.json, false), mark.step, scene.units.time);
    const auto stop = [&] {
      const sim::Simulation& s = again.simulation();
      progress.update(s.step(), s.time(), s.interactions());
      return InterruptGuard::asked();
    };
    const Json& asked = like.run.is_object() ? like.run.at("request").at("series_steps") : Json();
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
    std::string why = row.empty() ? "no row of the series differs before" : row;
    why += "; " + side_by_side(scene, plan, from_checkpoint, edits, mark, like);
    json["why"] = why;
    say(json, words + fmt::format("DIFFERENT: {} instead of {}; {}", hash, mark.hash, why));
    return false;
  }

  /// Whether stepping is repeatable here at all.
  static std::string side_by_side(const sim::SceneDescription& scene, const sim::Plan& plan,
                                  const sim::Checkpoint* from, const std::vector<sim::Edit>& edits,
                                  const Mark& mark, const sim::Checkpoint& like) {
    std::string forces = scene.gravity ? "gravity" : "";
    if (!scene.fields.empty()) forces += forces.empty() ? "fields" : " or fields";
    Again a(scene, plan, from, edits), b(scene, plan, from, edits);
    for (std::uint64_t step = a.simulation().step(); step < mark.step; ++step) {
      a.step_to(step + 1, sim::never, {}, {});
      b.step_to(step + 1, sim::never, {}, {});
      if (const auto d = sim::first_difference(a.simulation(), b.simulation(), step + 1, forces))
        return fmt::format(
            "two runs side by side differ first at step {}, body {}, in {}: {}; this machine does not "
            "repeat itself",
            d->step, d->id, d->columns, d->module);
    }
    return fmt::format(
        "this mote repeats itself, so the run was made by another one ({}, {}), or its files were "
        "changed",
        like.version, like.device);
  }

  VerifyRequest request_;
  std::vector<fs::path> files_;
  std::vector<std::uint64_t> steps_;  ///< of the checkpoints
  sim::Checkpoint last_;
  std::vector<Mark> marks_;
  bool from_start_ = false;
  std::map<std::uint64_t, std::string> rows_;
};

}  // namespace

bool verify(const VerifyRequest& request) {
  return Verification(request).run();
}

}  // namespace mote::app
