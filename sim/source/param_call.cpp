#include "sim/source/param_call.h"

#include <algorithm>
#include <utility>

#include "engine/decimal_comma.h"
#include "engine/quantity.h"
#include "sim/source/reader.h"

namespace mote::sim {
namespace {

using engine::ParamType;

/// A quantity with a unit is real even if its default is written as a whole number.
ParamType type_of(const Value& standard, const Table& options) {
  if (std::holds_alternative<bool>(standard.data)) return ParamType::boolean;
  if (std::holds_alternative<std::int64_t>(standard.data))
    return options.find("unit") ? ParamType::real : ParamType::integer;
  if (std::holds_alternative<double>(standard.data)) return ParamType::real;
  if (options.find("unit") && engine::looks_like_quantity(*standard.text())) return ParamType::real;
  return options.find("choices") ? ParamType::choice : ParamType::text;
}

/// The third argument of `param`.
struct ParamOptions {
  double minimum = -engine::unbounded;
  double maximum = engine::unbounded;
  std::string unit;
  std::string doc;
};

const engine::ParamTable<ParamOptions>& options_table() {
  static const engine::ParamTable<ParamOptions> table{
      "param",
      "Options of param(name, default, { ... }).",
      {engine::param(&ParamOptions::minimum, {.name = "min", .help = "smallest value"}),
       engine::param(&ParamOptions::maximum, {.name = "max", .help = "largest value"}),
       engine::param(&ParamOptions::unit,
                     {.name = "unit", .help = "kind of quantity: length, time, mass, ..."}),
       engine::param(&ParamOptions::doc, {.name = "doc", .help = "one-line description"})}};
  return table;
}

Value to_value(const engine::ParamValue& value) {
  Value out{{}, command_line};
  if (auto b = std::get_if<bool>(&value))
    out.data = *b;
  else if (auto i = std::get_if<std::int64_t>(&value))
    out.data = *i;
  else if (auto d = std::get_if<double>(&value))
    out.data = *d;
  else if (auto s = std::get_if<std::string>(&value))
    out.data = *s;
  return out;
}

/// A number with a unit stays text until the units of the scene are known.
engine::ParamValue param_value(const Value& value, ParamType type) {
  if (type == ParamType::real && value.text()) return *value.text();
  return to_param_value(value, type).value_or(engine::ParamValue());
}

}  // namespace

ParamCalls::ParamCalls(const std::vector<std::string>& files, const Settings& settings,
                       std::vector<engine::Diagnostic>& problems)
    : files_(files), unused_(settings), problems_(&problems) {}

void ParamCalls::problem(const std::string& location, const std::string& key, std::string what,
                         std::string remedy) {
  problems_->push_back({location, key, std::move(what), std::move(remedy)});
}

Value ParamCalls::call(bool live, int line, const Value& name, const Value& standard,
                       const Table& options) {
  const std::string location = location_of(line, files_);
  if (!name.text() || name.text()->empty()) {
    problem(location, live ? "live" : "param",
            "the first argument must be a name, not " + describe(name));
    return standard;
  }
  const std::string& word = *name.text();
  for (const SceneParam& p : params_)
    if (p.info.name == word) {
      problem(location, word, "a parameter of this name exists already", "give each its own name");
      return standard;
    }
  if (std::holds_alternative<std::monostate>(standard.data) || standard.table() ||
      std::holds_alternative<Unusable>(standard.data)) {
    problem(location, word,
            "the default must be a number, a boolean or text, not " + describe(standard));
    return {std::int64_t{0}, line};
  }
  SceneParam param;
  param.info.name = word;
  param.type = type_of(standard, options);
  if (live && param.type == ParamType::integer) param.type = ParamType::real;  // live keys are real
  param.location = location;
  param.standard = param_value(standard, param.type);
  read_options(location, options, param);
  if (const auto wrong = engine::range_problem(param.info, param.standard))
    problem(location, word, "the default " + describe(standard) + " " + *wrong,
            "allowed: " + range_of(param.info));
  Value chosen = choose(word, standard, param);
  param.value = param_value(chosen, param.type);
  param.live = live;
  params_.push_back(std::move(param));
  if (live) chosen.param = static_cast<int>(params_.size());
  return chosen;
}

void ParamCalls::read_options(const std::string& location, const Table& options,
                              SceneParam& param) {
  const std::string& name = param.info.name;
  Table known;
  known.items = options.items;
  for (const Member& m : options.members)
    if (m.name == "choices")
      read_choices(location, m.value, param);
    else
      known.members.push_back(m);
  Reader reader({files_.front()}, nullptr, *problems_);
  ParamOptions read;
  std::vector<std::string> names = names_of(options_table());
  names.push_back("choices");
  const std::size_t before = problems_->size();
  reader.members(known, 0, name, options_table(), read, nullptr);
  reader.unknown(known, 0, name, names);
  for (std::size_t i = before; i < problems_->size(); ++i) (*problems_)[i].place = location;
  if (read.minimum > read.maximum) {
    problem(location, name, "min is greater than max", "no value would be allowed");
    read = {};
  }
  param.info.minimum = read.minimum;
  param.info.maximum = read.maximum;
  param.info.unit = read.unit;
  param.info.help = read.doc;
}

void ParamCalls::read_choices(const std::string& location, const Value& choices,
                              SceneParam& param) {
  const auto report = [&](const std::string& what) {
    problem(location, joined_path(param.info.name, "choices"), what,
            "choices are a list of texts, { \"a\", \"b\" }, one of them the default");
  };
  if (param.type != ParamType::choice)
    return report("the default " + engine::text_of(param.standard) + " is not text");
  if (!choices.table()) return report("expected a list, got " + describe(choices));
  for (const Value& item : choices.table()->items) {
    if (!item.text()) return report("expected text, got " + describe(item));
    param.info.choices.push_back(*item.text());
  }
}

Value ParamCalls::choose(const std::string& name, const Value& standard, SceneParam& param) {
  const auto setting = unused_.find(name);
  if (setting == unused_.end()) return standard;
  const Value typed = param.type == ParamType::text || param.type == ParamType::choice
                          ? Value{setting->second, command_line}
                          : parse_typed(setting->second);
  const std::string comma = engine::comma_remedy(setting->second);
  unused_.erase(setting);
  if (param.type == ParamType::real && !param.info.unit.empty() && comma.empty() && typed.text() &&
      engine::looks_like_quantity(*typed.text()))
    return typed;
  const auto value = to_param_value(typed, param.type);
  if (!value) {
    // A whole number as default makes an integer parameter; the author may not have meant that.
    const bool fraction =
        param.type == ParamType::integer && std::holds_alternative<double>(typed.data);
    const std::string text = engine::text_of(param.standard);
    problem("--set " + name, "",
            "expected " + with_article(param.type) + ", got " + describe(typed),
            !comma.empty()
                ? comma
                : "default " + text +
                      (fraction ? " (" + text + ".0 in the scene would allow fractions)" : ""));
    return standard;
  }
  if (const auto wrong = engine::range_problem(param.info, *value)) {
    problem("--set " + name, "", describe(typed) + " " + *wrong,
            "allowed: " + range_of(param.info) + ", default " + engine::text_of(param.standard));
    return standard;
  }
  // The type is that of the parameter, not of the typed value: 1e3 for an integer is an integer, 3
  // for a real is real.
  return to_value(*value);
}

std::string param_setting(const engine::ParamValue& value) {
  const auto* const text = std::get_if<std::string>(&value);
  return text ? *text : engine::text_of(value);
}

void resolve_units(std::vector<SceneParam>& params, const engine::UnitSystem& units,
                   std::vector<engine::Diagnostic>& problems) {
  const auto convert = [&](const SceneParam& p, const std::string& location,
                           engine::ParamValue& value) {
    const auto* text = std::get_if<std::string>(&value);
    if (p.type != ParamType::real || !text) return;
    const engine::Converted read = engine::convert(*text, p.info.unit, units);
    const std::string name = location == p.location ? p.info.name : "";
    const auto wrong = read.value ? engine::range_problem(p.info, *read.value) : std::nullopt;
    if (!read.value) {
      // If the script uses the text in the scene, the same mistake was reported there.
      std::erase_if(problems,
                    [&](const engine::Diagnostic& d) { return d.problem == read.problem; });
      problems.push_back({location, name, read.problem, read.remedy});
    }
    if (wrong)
      problems.push_back({location, name, *text + " " + *wrong, "allowed: " + range_of(p.info)});
    value = read.value.value_or(0);
  };
  for (SceneParam& p : params) {
    const bool set = p.value != p.standard;
    convert(p, p.location, p.standard);
    if (set)
      convert(p, "--set " + p.info.name, p.value);
    else
      p.value = p.standard;
  }
}

namespace {

/// `path`: of the value; restored when it returns.
void find_live(std::vector<SceneParam>& params, const Value& value, std::string& path) {
  if (value.param > 0) params[static_cast<std::size_t>(value.param - 1)].paths.push_back(path);
  const Table* const table = value.table();
  if (!table) return;
  const std::size_t length = path.size();
  const auto visit = [&](const std::string& name, const Value& child) {
    path += (length == 0 ? "" : ".") + name;
    find_live(params, child, path);
    path.resize(length);
  };
  for (const Member& m : table->members) visit(m.name, m.value);
  for (std::size_t i = 0; i < table->items.size(); ++i)
    visit(std::to_string(i + 1), table->items[i]);
}

}  // namespace

void find_live_values(std::vector<SceneParam>& params, const Value& scene) {
  if (std::none_of(params.begin(), params.end(), [](const SceneParam& p) { return p.live; }))
    return;
  std::string path;
  find_live(params, scene, path);
}

std::vector<std::string> live_paths_of(std::span<const SceneParam> params,
                                       const std::string& name) {
  for (const SceneParam& param : params)
    if (param.live && param.info.name == name && !param.paths.empty()) return param.paths;
  return {name};
}

}  // namespace mote::sim
