#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "app/run/parse_time.h"
#include "app/sweep/jobs.h"
#include "engine/check.h"
#include "engine/json.h"
#include "engine/math/hash.h"
#include "engine/text.h"
#include "sim/output/run_folder.h"
#include "sim/run/plan.h"
#include "sim/scene/read_scene.h"
#include "sim/source/reader.h"

namespace mote::app {
namespace {

using engine::Json;

/// If a name has more different values than this, only some are tried.
constexpr std::size_t max_tried_values = 32;

/// The values of a name to try: all; of many numbers the smallest and the largest; of many other
/// values the first ones.
std::set<std::string> values_to_try(const std::vector<const Json*>& values) {
  std::set<std::string> texts;
  for (const Json* v : values) texts.insert(v->dump());
  if (texts.size() <= max_tried_values) return texts;
  texts.clear();
  if (std::all_of(values.begin(), values.end(), [](const Json* v) { return v->is_number(); })) {
    const auto less = [](const Json* a, const Json* b) {
      return a->get<double>() < b->get<double>();
    };
    const auto [low, high] = std::minmax_element(values.begin(), values.end(), less);
    return {(*low)->dump(), (*high)->dump()};
  }
  for (std::size_t i = 0; i < values.size() && texts.size() < max_tried_values; ++i)
    texts.insert(values[i]->dump());
  return texts;
}

/// The first job, and each job with a value to try that no earlier job has.
std::vector<const SweepJob*> jobs_to_try(const std::vector<SweepJob>& jobs) {
  std::map<std::string, std::vector<const Json*>> values;
  for (const SweepJob& job : jobs)
    for (const SweepValue& v : job.point) values[v.name].push_back(&v.value);
  std::map<std::string, std::set<std::string>> untried;
  for (const auto& [name, all] : values) untried[name] = values_to_try(all);
  std::vector<const SweepJob*> chosen;
  for (const SweepJob& job : jobs) {
    bool is_new = chosen.empty();
    for (const SweepValue& v : job.point) {
      auto& wanted = untried[v.name];
      if (!wanted.empty() && wanted.erase(v.value.dump()) > 0) is_new = true;
    }
    if (is_new) chosen.push_back(&job);
  }
  return chosen;
}

/// Relocates a problem with a setting to its line in the plan.
engine::Diagnostic located_in_plan(engine::Diagnostic d, const SweepPlan& plan) {
  if (d.place.starts_with("run.")) return {plan.file.string(), d.place, d.problem, d.remedy};
  const std::string prefix = "--set ";
  if (!d.place.starts_with(prefix)) return d;
  const std::string name = d.place.substr(prefix.size());
  for (const SweepLocation& p : plan.locations)
    if (p.name == name) d.place = p.location, d.key = p.key;
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

sim::SceneDescription read_scene_for(const SweepPlan& plan, const SweepJob& job, bool trusted) {
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
                             "add run = { time = TIME } or run = { steps = N } to the plan");
}

}  // namespace

CheckedScene check_jobs(const SweepPlan& plan, const std::vector<SweepJob>& jobs, bool trusted) {
  CheckedScene checked;
  std::vector<engine::Diagnostic> problems;
  std::set<std::string> known;
  const auto add_problems = [&](const engine::InputError& e) {
    for (const engine::Diagnostic& d : e.diagnostics()) {
      const engine::Diagnostic here = located_in_plan(d, plan);
      // One wrong value per name is enough.
      if (known.insert(here.key.empty() ? here.text() : here.place + here.key).second)
        problems.push_back(here);
    }
  };
  for (const SweepJob* job : jobs_to_try(jobs)) {
    if (problems.size() > 100) break;
    try {
      const sim::SceneDescription scene = read_scene_for(plan, *job, trusted);
      check_end(plan, scene);
      const sim::Plan run_plan = sim::make_plan(scene, options_of(plan));
      checked.small = checked.small && sim::steps_in_batch(run_plan, scene, scene.body_count());
      if (!checked.hash.empty()) continue;
      checked.hash = text_hash(scene);
      checked.units = scene.units;
      checked.columns = sim::series_columns(scene);
      checked.on_gpu = run_plan.backend == engine::Backend::cuda;
      for (const sim::SceneParam& p : scene.params)
        checked.parameter_units.push_back(
            {p.info.name, std::string(scene.units.label(p.info.unit))});
    } catch (const engine::InputError& e) {
      add_problems(e);
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
  std::vector<std::string> words = run_arguments(plan);
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

/// The unit of a value, or "" for none.
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
      column.unit = *units.begin();
      column.strip = true;
    } else if (units.size() == 1) {
      for (const ParameterUnit& parameter : scene.parameter_units)
        if (parameter.name == name && !parameter.unit.empty()) column.unit = parameter.unit;
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
