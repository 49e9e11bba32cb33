#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "app/sweep/jobs.h"
#include "app/typed_time.h"
#include "engine/check.h"
#include "engine/json.h"
#include "engine/math/hash.h"
#include "engine/text.h"
#include "sim/run/plan.h"
#include "sim/run/run_folder.h"
#include "sim/scene/reader.h"

namespace mote::app {
namespace {

using engine::Json;

/// Of a name with more different values than this only some are tried.
constexpr std::size_t tried_values = 32;

/// The values of a name that are worth trying: all, or where they are many numbers the smallest and
/// the largest, and of other things the first.
std::set<std::string> worth_trying(const std::vector<const Json*>& values) {
  std::set<std::string> texts;
  for (const Json* v : values) texts.insert(v->dump());
  if (texts.size() <= tried_values) return texts;
  texts.clear();
  if (std::all_of(values.begin(), values.end(), [](const Json* v) { return v->is_number(); })) {
    const auto less = [](const Json* a, const Json* b) {
      return a->get<double>() < b->get<double>();
    };
    const auto [low, high] = std::minmax_element(values.begin(), values.end(), less);
    return {(*low)->dump(), (*high)->dump()};
  }
  for (std::size_t i = 0; i < values.size() && texts.size() < tried_values; ++i)
    texts.insert(values[i]->dump());
  return texts;
}

/// The first job, and those that bring a value worth trying for the first time.
std::vector<const SweepJob*> jobs_to_try(const std::vector<SweepJob>& jobs) {
  std::map<std::string, std::vector<const Json*>> values;
  for (const SweepJob& job : jobs)
    for (const SweepValue& v : job.point) values[v.name].push_back(&v.value);
  std::map<std::string, std::set<std::string>> left;
  for (const auto& [name, all] : values) left[name] = worth_trying(all);
  std::vector<const SweepJob*> chosen;
  for (const SweepJob& job : jobs) {
    bool brings = chosen.empty();
    for (const SweepValue& v : job.point) {
      auto& wanted = left[v.name];
      if (!wanted.empty() && wanted.erase(v.value.dump()) > 0) brings = true;
    }
    if (brings) chosen.push_back(&job);
  }
  return chosen;
}

/// A problem with a setting is one with the plan, where it stands there.
engine::Diagnostic at_plan(engine::Diagnostic d, const SweepPlan& plan) {
  if (d.place.starts_with("run.")) return {plan.file.string(), d.place, d.problem, d.remedy};
  const std::string prefix = "--set ";
  if (!d.place.starts_with(prefix)) return d;
  const std::string name = d.place.substr(prefix.size());
  for (const SweepPlace& p : plan.places)
    if (p.name == name) d.place = p.place, d.key = p.key;
  return d;
}

std::string text_hash(const sim::SceneDescription& scene) {
  std::uint64_t hash = 0;
  const auto add = [&](const std::string& text) {
    for (const char c : text) hash = engine::hash_word(hash, static_cast<unsigned char>(c));
    hash = engine::hash_word(hash, text.size());
  };
  add(scene.text);
  for (const sim::SceneFile& file : scene.included) add(file.text);
  return fmt::format("{:016x}", hash);
}

sim::SceneDescription read_for(const SweepPlan& plan, const SweepJob& job, bool trusted) {
  sim::Settings settings;
  for (const SweepValue& v : job.point) settings[v.name] = typed_text(v.value);
  settings["seed"] = fmt::format("{}", job.seed);
  return sim::read_scene(plan.scene_file, settings, trusted ? sim::Trust::yes : sim::Trust::no);
}

sim::RunOptions options_of(const SweepPlan& plan) {
  sim::RunOptions options;
  options.backend = *engine::backend_named(plan.run.backend);
  if (plan.run.precision) options.precision = engine::precision_named(*plan.run.precision);
  options.threads = 1;
  return options;
}

void check_end(const SweepPlan& plan, const sim::SceneDescription& scene) {
  const auto typed = [](const std::string& text) {
    return text.empty() ? TypedTime() : TypedTime(text);
  };
  time_in(typed(plan.run.time), "run.time", scene.units);
  time_in(typed(plan.run.snapshot_time), "run.snapshot_time", scene.units);
  if (!plan.run.steps && plan.run.time.empty() && !scene.stop.time && !scene.stop.steps)
    throw engine::InputError(plan.file.string(), "the runs have no end",
                             "add to the plan: run = { time = TIME }, or run = { steps = N }");
}

}  // namespace

CheckedScene check_jobs(const SweepPlan& plan, const std::vector<SweepJob>& jobs, bool trusted) {
  CheckedScene checked;
  std::vector<engine::Diagnostic> problems;
  std::set<std::string> known;
  const auto note = [&](const engine::InputError& e) {
    for (const engine::Diagnostic& d : e.diagnostics()) {
      const engine::Diagnostic here = at_plan(d, plan);
      // One wrong value of a name is enough.
      if (known.insert(here.key.empty() ? here.text() : here.place + here.key).second)
        problems.push_back(here);
    }
  };
  for (const SweepJob* job : jobs_to_try(jobs)) {
    if (problems.size() > 100) break;
    try {
      const sim::SceneDescription scene = read_for(plan, *job, trusted);
      check_end(plan, scene);
      const sim::Plan how = sim::make_plan(scene, options_of(plan));
      checked.small = checked.small && sim::steps_with_others(how, scene, scene.body_count());
      if (!checked.hash.empty()) continue;
      checked.hash = text_hash(scene);
      checked.units = scene.units;
      checked.columns = sim::series_columns(scene);
      checked.on_gpu = how.backend == engine::Backend::cuda;
      for (const sim::SceneParam& p : scene.params)
        checked.kinds.push_back({p.info.name, std::string(scene.units.label(p.info.unit)), ""});
    } catch (const engine::InputError& e) {
      note(e);
    }
  }
  if (!problems.empty()) {
    sim::sort_by_line(problems, plan.file.string());
    throw engine::InputError(std::move(problems));
  }
  return checked;
}

std::string jobs_text(const SweepPlan& plan, const std::vector<SweepJob>& jobs,
                      const CheckedScene& scene) {
  std::vector<std::string> words = run_words(plan);
  words.erase(words.begin());
  std::string text =
      fmt::format("{{\n\"scene\": {},\n\"scene_hash\": \"{}\",\n\"run\": {},\n\"jobs\": [\n",
                  engine::json_text(Json(plan.scene)), scene.hash, engine::json_text(Json(words)));
  for (const SweepJob& job : jobs) {
    Json set = Json::object();
    for (const SweepValue& v : job.point) set[v.name] = v.value;
    text += engine::json_text(Json{{"job", job.number}, {"seed", job.seed}, {"set", set}});
    text += job.number < static_cast<int>(jobs.size()) ? ",\n" : "\n";
  }
  return text + "]\n}\n";
}

namespace {

/// The unit behind a number, or "" for none.
std::string unit_of(const Json& value) {
  return value.is_string() ? number_and_unit(value.get<std::string>()).second : "";
}

}  // namespace

std::vector<SweepColumn> varied_columns(const SweepPlan& plan, const std::vector<SweepJob>& jobs,
                                        const CheckedScene& scene) {
  std::vector<SweepColumn> columns;
  for (const std::string& name : varied_names(plan)) {
    std::set<std::string> units;
    for (const SweepJob& job : jobs)
      for (const SweepValue& v : job.point)
        if (v.name == name && units.size() < 2) units.insert(unit_of(v.value));
    SweepColumn column{name, name, false};
    if (units.size() == 1 && !units.begin()->empty()) {
      column.title += " [" + *units.begin() + "]";
      column.strip = true;
    } else if (units.size() == 1) {
      for (const SweepPlace& kind : scene.kinds)
        if (kind.name == name && !kind.place.empty()) column.title += " [" + kind.place + "]";
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

std::string cell_text(const SweepColumn& column, const SweepJob& job) {
  for (const SweepValue& v : job.point) {
    if (v.name != column.name) continue;
    const std::string text = typed_text(v.value);
    return column.strip ? number_and_unit(text).first : text;
  }
  return "";
}

}  // namespace mote::app
