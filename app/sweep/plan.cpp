#include "app/sweep/plan.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <set>
#include <string_view>

#include "app/run/parse_time.h"
#include "app/scenes.h"
#include "app/sweep/plan_tables.h"
#include "engine/json.h"
#include "engine/text.h"
#include "sim/source/reader.h"
#include "sim/source/source.h"

namespace mote::app {
namespace fs = std::filesystem;

namespace {

using engine::Json;
using sim::Member;
using sim::Table;
using sim::Value;

const char* const axis_forms = "a list, { 0.1, 0.2 }, or { min = 0.1, max = 1, count = 10 }";
const char* const span_form = "as in { min = 0.1, max = 1, log = true }";

/// Reads the table of a plan, part by part, and collects all problems.
class PlanReader {
 public:
  PlanReader(const sim::SceneSource& source, std::vector<engine::Diagnostic>& problems)
      : root_(source.root), reader_(source.files, nullptr, problems) {}

  void read(SweepPlan& plan) {
    const Table& table = *root_.table();
    PlanHead head;
    reader_.members(table, root_.line, "", plan_table(), head, nullptr);
    plan.scene = head.scene;
    plan.seed = head.seed;
    plan.repeats = head.repeats;
    plan.max_failures = head.max_failures;
    if (const Value* run = member(table, "run")) read_run(*run, plan.run);
    if (const Value* slurm = member(table, "slurm")) read_slurm(*slurm, plan.slurm);
    if (const Value* set = member(table, "set")) plan.set = point(*set, "set", "set");
    if (const Value* grid = member(table, "grid")) read_grid(*grid, plan);
    if (const Value* list = member(table, "list")) read_list(*list, plan);
    if (const Value* random = member(table, "random")) read_samples(*random, "random", plan.random);
    if (const Value* cube = member(table, "latin_hypercube"))
      read_samples(*cube, "latin_hypercube", plan.latin_hypercube);
    plan.locations = std::move(locations_);
    refuse_unknown(table);
    refuse_duplicates(plan);
  }

 private:
  static const Value* member(const Table& table, const std::string& name) {
    const Member* found = table.find(name);
    return found ? &found->value : nullptr;
  }

  /// Reports unknown keys; an option of runs outside `run` gets its own message.
  void refuse_unknown(const Table& table) {
    std::vector<std::string> known = sim::names_of(plan_table());
    for (const char* part : plan_parts) known.emplace_back(part);
    Table rest = table;
    std::vector<std::string> of_runs = sim::names_of(run_table());
    of_runs.insert(of_runs.end(), {"time", "snapshot_time"});
    std::erase_if(rest.members, [&](const Member& m) {
      if (std::find(of_runs.begin(), of_runs.end(), m.name) == of_runs.end()) return false;
      reader_.problem(m.value.line, m.name, "is an option of the runs",
                      "as in run = { " + m.name + " = ... }");
      return true;
    });
    reader_.unknown(rest, root_.line, "", known);
  }

  bool expect_table(const Value& value, const std::string& path, const std::string& remedy) {
    if (value.table()) return true;
    reader_.problem(value.line, path, "expected a table, got " + describe(value), remedy);
    return false;
  }

  void read_run(const Value& value, SweepRun& run) {
    if (!expect_table(value, "run", "options of `mote run`, as in { steps = 1000 }")) return;
    const Table& table = *value.table();
    reader_.members(table, value.line, "run", run_table(), run, nullptr);
    read_time(table, "time", run.time, 0);
    read_time(table, "snapshot_time", run.snapshot_time, std::nextafter(0.0, 1.0));
    std::vector<std::string> known = sim::names_of(run_table());
    known.insert(known.end(), {"time", "snapshot_time"});
    reader_.unknown(table, value.line, "run", known);
  }

  void read_slurm(const Value& value, SweepTask& task) {
    if (!expect_table(value, "slurm", "what tasks ask for, as in { partition = \"long\" }")) return;
    const Table& table = *value.table();
    reader_.members(table, value.line, "slurm", slurm_table(), task, nullptr);
    reader_.unknown(table, value.line, "slurm", sim::names_of(slurm_table()));
    // They become lines of a script, of which a plan must not write others.
    const auto allowed = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) ||
             std::string_view("_.,:+-").find(c) != std::string_view::npos;
    };
    for (const auto& [name, text] : {std::pair{"partition", &task.partition},
                                     {"account", &task.account},
                                     {"memory", &task.memory},
                                     {"time", &task.time}})
      if (!std::all_of(text->begin(), text->end(), allowed))
        reader_.problem(value.line, std::string("slurm.") + name,
                        engine::quoted(*text) + " has a character that Slurm's names do not have",
                        "use letters, digits and _ . , : + -");
  }

  void read_time(const Table& table, const std::string& name, std::string& time, double smallest) {
    const Value* value = member(table, name);
    if (!value) return;
    const auto json = plain_value(*value, "run." + name);
    if (!json) return;
    const std::string typed = typed_text(*json);
    const auto number = json->is_boolean() ? std::nullopt : number_of_time(typed);
    if (!number || *number < smallest)
      return reader_.problem(value->line, "run." + name, "expected a time, got " + describe(*value),
                             smallest > 0
                                 ? "a number > 0, with or without a unit, as in 10 or \"10 Myr\""
                                 : "a number >= 0, with or without a unit, as in 10 or \"10 Myr\"");
    time = typed;
  }

  /// A value that can be set; otherwise reports the problem and returns nothing.
  std::optional<Json> plain_value(const Value& value, const std::string& path) {
    if (auto b = std::get_if<bool>(&value.data)) return Json(*b);
    if (auto i = std::get_if<std::int64_t>(&value.data)) return Json(*i);
    if (auto d = std::get_if<double>(&value.data)) {
      if (std::isfinite(*d)) return Json(*d);
      reader_.problem(value.line, path, "is not a finite number");
      return std::nullopt;
    }
    if (value.text() && engine::is_utf8(*value.text())) return Json(*value.text());
    if (value.table() && sim::is_list(*value.table())) {
      Json list = Json::array();
      for (std::size_t i = 0; i < value.table()->items.size(); ++i) {
        auto item = plain_value(value.table()->items[i], path + "." + std::to_string(i + 1));
        if (!item) return std::nullopt;
        list.push_back(std::move(*item));
      }
      return list;
    }
    reader_.problem(value.line, path, "expected a value to set, got " + describe(value),
                    "a number, true or false, text, or a list of these");
    return std::nullopt;
  }

  void add_location(const std::string& name, const Value& value, const std::string& path) {
    if (std::none_of(locations_.begin(), locations_.end(),
                     [&](const SweepLocation& p) { return p.name == name; }))
      locations_.push_back(
          {name, reader_.location(value.line, name), sim::joined_path(path, name)});
  }

  /// A table of name = value. `what`: the part of the plan, for refuse_duplicates.
  SweepPoint point(const Value& value, const std::string& path, const std::string& what) {
    SweepPoint point;
    if (!expect_table(value, path, "names and values, as in { softening = 0.01 }")) return point;
    reader_.unknown(Table{{}, value.table()->items}, value.line, path, {"name = value"});
    for (const Member& m : value.table()->members) {
      add_location(m.name, m.value, path);
      owners_.push_back({m.name, what, m.value.line, sim::joined_path(path, m.name)});
      if (auto json = plain_value(m.value, sim::joined_path(path, m.name)))
        point.push_back({m.name, std::move(*json)});
    }
    return point;
  }

  void read_grid(const Value& value, SweepPlan& plan) {
    if (!expect_table(value, "grid", "names and their values, as in { softening = { 0.01, 0.1 } }"))
      return;
    reader_.unknown(Table{{}, value.table()->items}, value.line, "grid", {"name = { values }"});
    for (const Member& m : value.table()->members) {
      const std::string path = "grid." + m.name;
      add_location(m.name, m.value, "grid");
      owners_.push_back({m.name, "grid", m.value.line, path});
      SweepAxis axis{m.name, {}, {}};
      const Table* table = m.value.table();
      if (table && sim::is_list(*table)) {
        for (std::size_t i = 0; i < table->items.size(); ++i)
          if (auto json = plain_value(table->items[i], path + "." + std::to_string(i + 1)))
            axis.values.push_back(std::move(*json));
      } else if (table && table->items.empty() && !table->members.empty()) {
        read_span(m.value, path, true, axis);
      } else {
        reader_.problem(
            m.value.line, path, "expected the values of an axis, got " + describe(m.value),
            table ? axis_forms
                  : std::string(axis_forms) + "; put one value for all jobs into `set`");
      }
      plan.grid.push_back(std::move(axis));
    }
  }

  void read_list(const Value& value, SweepPlan& plan) {
    const Table* table = value.table();
    if (!table || !sim::is_list(*table))
      return reader_.problem(
          value.line, "list", "expected a list of tables, got " + describe(value),
          "as in { { n = 100, softening = 0.1 }, { n = 200, softening = 0.05 } }");
    for (std::size_t i = 0; i < table->items.size(); ++i) {
      const std::string path = "list." + std::to_string(i + 1);
      plan.list.push_back(point(table->items[i], path, "list"));
    }
  }

  void read_samples(const Value& value, const std::string& path, SweepSamples& samples) {
    if (!expect_table(value, path, "as in { samples = 100, softening = { min = 0.01, max = 1 } }"))
      return;
    SamplesHead head;
    reader_.members(*value.table(), value.line, path, samples_table(), head, nullptr);
    reader_.unknown(Table{{}, value.table()->items}, value.line, path,
                    {"samples", "name = { min, max }"});
    samples.count = head.samples;
    for (const Member& m : value.table()->members) {
      if (m.name == "samples") continue;
      const std::string full_path = sim::joined_path(path, m.name);
      add_location(m.name, m.value, path);
      owners_.push_back({m.name, path, m.value.line, full_path});
      SweepAxis axis{m.name, {}, {}};
      if (expect_table(m.value, full_path, span_form)) read_span(m.value, full_path, false, axis);
      samples.axes.push_back(std::move(axis));
    }
    if (samples.axes.empty())
      reader_.problem(value.line, path, "varies nothing", "name = { min = 0.01, max = 1 }");
  }

  struct Bound {
    double value;
    std::string unit;
  };

  std::optional<Bound> bound(const Value& table, const std::string& path, const char* name) {
    const Value* value = member(*table.table(), name);
    const std::string full_path = path + "." + name;
    if (!value) {
      reader_.problem(table.line, full_path, "is missing", span_form);
      return std::nullopt;
    }
    if (value->text()) {
      const auto [text, unit] = number_and_unit(*value->text());
      const double number_of_text = std::strtod(text.c_str(), nullptr);
      if (!unit.empty() && std::isfinite(number_of_text)) return Bound{number_of_text, unit};
    }
    const auto number = sim::to_param_value(*value, engine::ParamType::real);
    if (number && std::isfinite(std::get<double>(*number)))
      return Bound{std::get<double>(*number), ""};
    reader_.problem(value->line, full_path,
                    "expected a number, with or without a unit, got " + describe(*value));
    return std::nullopt;
  }

  void read_span(const Value& value, const std::string& path, bool grid, SweepAxis& axis) {
    SpanOptions options;
    const Table& table = *value.table();
    reader_.members(table, value.line, path, span_table(grid), options, nullptr);
    std::vector<std::string> known = sim::names_of(span_table(grid));
    known.insert(known.end(), {"min", "max"});
    reader_.unknown(table, value.line, path, known);
    const auto low = bound(value, path, "min"), high = bound(value, path, "max");
    if (!low || !high) return;
    if (low->unit != high->unit)
      return reader_.problem(
          value.line, path,
          "min is in " + engine::quoted(low->unit) + " and max in " + engine::quoted(high->unit),
          "use the same unit for both");
    if (!(low->value < high->value))
      return reader_.problem(value.line, path, "min is not less than max");
    if (options.log && low->value <= 0)
      return reader_.problem(value.line, path + ".min", "has no logarithm",
                             "use a number > 0, or remove log = true");
    axis.span = {low->value, high->value, low->unit, options.log, options.whole};
    if (grid && (counted_ += options.count) > max_jobs)
      return reader_.problem(value.line, path + ".count", "brings the grid above 1,000,000 values");
    for (std::int64_t i = 0; grid && i < options.count; ++i)
      axis.values.push_back(
          axis.span.at(static_cast<double>(i) / static_cast<double>(options.count - 1)));
  }

  /// A name must get its values from one part of the plan.
  void refuse_duplicates(const SweepPlan& plan) {
    for (std::size_t i = 0; i < owners_.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        if (owners_[k].name != owners_[i].name || owners_[k].part == owners_[i].part) continue;
        reader_.problem(owners_[i].line, owners_[i].path,
                        "already has values in " + owners_[k].part, "keep one of the two");
        break;
      }
    }
    const bool seeded = std::any_of(plan.locations.begin(), plan.locations.end(),
                                    [](const SweepLocation& p) { return p.name == "seed"; });
    if (seeded && plan.repeats > 1) {
      const Value* repeats = member(*root_.table(), "repeats");
      reader_.problem(repeats ? repeats->line : root_.line, "repeats",
                      "would repeat runs with the same seed",
                      "remove it, or let the plan choose the seeds");
    }
  }

  struct Owner {
    std::string name, part;
    int line;
    std::string path;
  };

  const Value& root_;
  sim::Reader reader_;
  std::vector<SweepLocation> locations_;
  std::vector<Owner> owners_;
  std::int64_t counted_ = 0;  // number of values of all ranges of the grid
};

fs::path plans_folder() {
  return scenes_folder() / "sweeps";
}

/// Resolves a file, or the name of a plan that comes with mote.
fs::path find_plan(const fs::path& wanted) {
  std::error_code ignored;
  if (fs::is_regular_file(wanted, ignored)) return wanted;
  const std::vector<std::string> names = shipped_plans();
  if (!wanted.has_parent_path())
    for (const std::string& name : names)
      if (wanted == name || wanted == name + ".lua") return plans_folder() / (name + ".lua");
  const std::string near = engine::closest(wanted.stem().string(), names);
  throw engine::InputError(
      wanted.string(), fs::exists(wanted, ignored) ? "is not a file" : "no such plan",
      near.empty() ? "plans that come with mote: " + engine::joined(names, ", ")
                   : "did you mean '" + near + "', which comes with mote?");
}

/// Resolves the scene of a plan: a path relative to the plan, or a scene that comes with mote.
void find_scene_of(SweepPlan& plan, const sim::SceneSource& source,
                   std::vector<engine::Diagnostic>& problems) {
  const fs::path from_plan = (plan.file.parent_path() / plan.scene).lexically_normal();
  std::error_code ignored;
  plan.scene_file =
      fs::is_regular_file(from_plan, ignored) ? fs::path() : shipped_scene(plan.scene);
  if (!plan.scene_file.empty()) return;
  try {
    plan.scene_file = find_scene(from_plan);
  } catch (const engine::InputError& e) {
    const engine::Diagnostic& wrong = e.diagnostics().front();
    const Member* member = source.root.table()->find("scene");
    problems.push_back({sim::location_of(member ? member->value.line : 0, source.files), "scene",
                        wrong.place + ": " + wrong.problem, wrong.remedy});
  }
}

}  // namespace

std::vector<std::string> shipped_plans() {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(plans_folder(), ignored))
    if (entry.path().extension() == ".lua") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

SweepPlan read_sweep_plan(const fs::path& wanted) {
  SweepPlan plan;
  plan.file = find_plan(wanted);
  if (plan.file.extension() != ".lua" && plan.file.extension() != ".json")
    throw engine::InputError(plan.file.string(), "is not a plan", "name a .lua or .json file");
  std::vector<engine::Diagnostic> problems;
  const sim::SceneSource source = sim::read_scene_source(plan.file, {}, sim::Trust::no, problems);
  plan.text = source.text;
  if (!source.params.empty())
    problems.push_back({source.params.front().location, source.params.front().info.name,
                        "is a parameter, which only scenes can declare",
                        "set the parameters of the scene instead"});
  if (!source.hooks.empty())
    problems.push_back({plan.file.string(), "", "has functions, which only scenes can have", ""});
  PlanReader(source, problems).read(plan);
  if (problems.empty()) find_scene_of(plan, source, problems);
  if (!problems.empty()) {
    sim::sort_by_line(problems, plan.file.string());
    throw engine::InputError(std::move(problems));
  }
  return plan;
}

}  // namespace mote::app
