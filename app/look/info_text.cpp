#include <fmt/format.h>

#include "app/look/info.h"
#include "app/look/measures_shown.h"
#include "engine/json.h"
#include "engine/readable.h"
#include "engine/terminal.h"
#include "engine/text.h"

namespace mote::app {
namespace {

using engine::Json;

using Lines = std::vector<InfoLine>;

void add(Lines& lines, const std::string& name, const std::string& text) {
  if (!text.empty()) lines.push_back({name, text});
}

/// A value as text: strings without quotes, numbers in full.
std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return engine::number_text(value.get<double>());
  return value.is_null() ? "" : engine::json_text(value);
}

std::string text_of(const Json& info, const char* key) {
  return info.contains(key) ? text_of(info[key]) : "";
}

/// The values of the keys that exist.
std::string joined(const Json& info, std::initializer_list<const char*> keys) {
  std::string text;
  for (const char* key : keys)
    if (const std::string one = text_of(info, key); !one.empty())
      text += (text.empty() ? "" : ", ") + one;
  return text;
}

/// The items of a list.
std::string list_text(const Json& info, const char* key) {
  std::string text;
  if (info.contains(key))
    for (const Json& one : info[key]) text += (text.empty() ? "" : ", ") + text_of(one);
  return text;
}

std::string count_text(const Json& value) {
  return value.is_number_integer() ? engine::with_thousands(value.get<long long>())
                                   : text_of(value);
}

std::string bytes_of(const Json& value) {
  return engine::bytes_text(value.is_number() ? value.get<double>() : 0);
}

std::string time_of(const Json& info, const Json& time) {
  return "t = " + time_text(info, time);
}

/// ", at most 1e-05", of a run that has it.
std::string largest_text(const Json& info) {
  if (!info.contains("energy_error_max") || !info["energy_error_max"].is_number()) return "";
  return fmt::format(", at most {:.3g}", info["energy_error_max"].get<double>());
}

/// "; 99 % at most 3e-04, at step 1,200", of a run that has sampled them.
std::string largest_errors_text(const Json& errors) {
  if (!errors.contains("largest") || !errors["largest"].is_object()) return "";
  const Json& largest = errors["largest"];
  if (largest.value("step", 0ll) == errors.value("step", 0ll)) return "";  // the last
  return fmt::format("; 99 % at most {:.2g}, at step {}", largest.value("p99", 0.0),
                     engine::with_thousands(largest.value("step", 0ll)));
}

std::string status_text(const Json& info) {
  const std::string status = text_of(info, "status");
  std::string text = status;
  if (status == "unknown") text = "no run.json: in progress, or killed";
  if (status == "running") text = "running, or killed";
  for (const char* key : {"reason", "failure", "stop_reason"})
    if (const std::string why = text_of(info, key); !why.empty()) text += ": " + why;
  return text;
}

void add_parameters(Lines& lines, const Json& info) {
  if (!info.contains("parameters") || !info["parameters"].is_object()) return;
  std::string text;
  for (const auto& [name, value] : info["parameters"].items())
    text += (text.empty() ? "" : ", ") + name + " = " + text_of(value);
  add(lines, "parameters", text);
}

void add_timings(Lines& lines, const Json& info) {
  if (!info.contains("timings") || !info["timings"].is_object()) return;
  const auto number = [&](const char* key) {
    const Json& timings = info["timings"];
    return timings.contains(key) && timings[key].is_number() ? timings[key].get<double>() : 0;
  };
  add(lines, "timings",
      fmt::format("{}, of which {} stepping; {:.3g} steps/s, {:.3g} interactions/s",
                  engine::duration_text(number("total_seconds")),
                  engine::duration_text(number("stepping_seconds")), number("steps_per_second"),
                  number("interactions_per_second")));
}

/// Adds the first and last states if there are many.
void add_states(Lines& lines, const Json& info, const char* name) {
  if (!info.contains(name) || info[name].empty()) return;
  const Json& states = info[name];
  lines.push_back({name, ""});
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (!is_shown(i, states.size())) {
      if (i == 2) add(lines, "", fmt::format("... {} more", states.size() - 4));
      continue;
    }
    const Json& state = states[i];
    add(lines, "",
        text_of(state, "file") + ": " +
            (state.contains("problem")
                 ? text_of(state, "problem")
                 : "step " + text_of(state, "step") + ", " + time_of(info, state["time"])));
  }
}

void add_outputs(Lines& lines, const Json& info) {
  if (!info.contains("outputs")) return;
  lines.push_back({"files", ""});
  for (const Json& output : info["outputs"]) {
    const std::string name = text_of(output, "name");
    const std::string many =
        name.ends_with("/") ? engine::counted(output["files"].get<long long>(), "file") + ", " : "";
    add(lines, "", fmt::format("{:<20} {}{}", name, many, bytes_of(output["bytes"])));
  }
}

}  // namespace

bool is_shown(std::size_t index, std::size_t count) {
  constexpr std::size_t few = 5;
  return count <= few || index < 2 || index + 2 >= count;
}

std::string time_text(const Json& info, const Json& time) {
  const engine::UnitSystem* units = engine::unit_system_named(text_of(info, "units"));
  if (units && units->time_si > 0 && time.is_number())
    return engine::readable_time(time.get<double>(), *units, 6);
  const std::string unit = text_of(info, "time_unit");
  return text_of(time) + (unit.empty() ? "" : " " + unit);
}

std::vector<InfoLine> info_lines(const Json& info) {
  const bool run = info["kind"] == "run";
  const std::string title = text_of(info, "title");
  Lines lines{{"", text_of(info, run ? "folder" : "file") + ": " + text_of(info, "kind") +
                       (title.empty() ? "" : " of " + engine::quoted(title))}};
  const auto line = [&](const std::string& name, const std::string& text) {
    add(lines, name, text);
  };
  if (run) line("status", status_text(info));
  if (info.contains("steps"))
    line("at", "step " + count_text(info["steps"]) +
                   (info.contains("time") ? ", " + time_of(info, info["time"]) : ""));
  if (info.contains("bodies"))
    line("bodies", count_text(info["bodies"]) +
                       (info.contains("bodies_at_end")
                            ? ", " + count_text(info["bodies_at_end"]) + " at the end"
                            : ""));
  line("computed", joined(info, {"backend", "device", "precision", "simd", "stepping"}));
  line("units", text_of(info, "units"));
  line("softening", text_of(info, "softening"));
  line("columns", list_text(info, "columns"));
  line("species", list_text(info, "species"));
  line("seed", text_of(info, "seed"));
  add_parameters(lines, info);
  line("dt", text_of(info, "dt"));
  line("scene", text_of(info, "scene_file"));
  if (info.contains("energy_error") && info["energy_error"].is_number())
    line(measures_shown(info).energy_error,
         fmt::format("{:.3g}", info["energy_error"].get<double>()) + largest_text(info));
  if (info.contains("energy_given") && info["energy_given"].is_number() &&
      info["energy_given"] != 0.0)
    line("energy given", fmt::format("{:.3g} from outside", info["energy_given"].get<double>()));
  if (info.contains("force_errors") && info["force_errors"].is_object()) {
    const Json& errors = info["force_errors"];
    line("force errors",
         fmt::format("median {:.2g}, 99 % {:.2g}, worst {:.2g} (asked: 99 % below {:g})",
                     errors.value("median", 0.0), errors.value("p99", 0.0),
                     errors.value("worst", 0.0), errors.value("asked", 0.0)) +
             largest_errors_text(errors));
  }
  if (info.contains("center_of_mass_speed") && info["center_of_mass_speed"].is_object()) {
    const Json& speed = info["center_of_mass_speed"];
    line("drift", fmt::format("speed of the centre of mass {:.2g}, at the start {:.2g}; changed by "
                              "{:.2g} of the bodies' rms speed",
                              speed.value("last", 0.0), speed.value("first", 0.0),
                              speed.value("relative", 0.0)));
  }
  line("warning", text_of(info, "warning"));
  line("state hash", text_of(info, "state_hash"));
  add_timings(lines, info);
  line("written by", text_of(info, "version").empty() ? (run ? "" : "another program")
                                                      : "mote " + text_of(info, "version"));
  if (!run) line("size", bytes_of(info["bytes"]));
  line("note", text_of(info, "unread"));
  if (info.contains("notes"))
    for (const Json& note : info["notes"]) line("note", text_of(note));
  add_states(lines, info, "snapshots");
  add_states(lines, info, "checkpoints");
  add_outputs(lines, info);
  line("resume with", text_of(info, "goes_on"));
  return lines;
}

void print_info(const Json& info) {
  const Lines lines = info_lines(info);
  engine::print("{}\n", lines.front().text);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto& [name, text] = lines[i];
    if (text.empty())
      engine::print("  {}\n", name);
    else if (name.empty())
      engine::print("    {}\n", text);
    else
      engine::print("  {:<13} {}\n", name, text);
  }
}

}  // namespace mote::app
