#include "sim/scene/param_call.h"

#include <utility>

#include "sim/scene/reader.h"

namespace mote::sim {
namespace {

using engine::ParamType;

ParamType type_of(const Value& standard, const Table& options) {
  if (std::holds_alternative<bool>(standard.data)) return ParamType::boolean;
  if (std::holds_alternative<std::int64_t>(standard.data)) return ParamType::integer;
  if (std::holds_alternative<double>(standard.data)) return ParamType::real;
  return options.find("choices") ? ParamType::choice : ParamType::text;
}

/// What a scene may write into the third argument of `param`.
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
       engine::param(&ParamOptions::unit, {.name = "unit", .help = "kind of quantity: length, time, mass, ..."}),
       engine::param(&ParamOptions::doc, {.name = "doc", .help = "one line for sliders and lists"})}};
  return table;
}

}  // namespace

ParamCalls::ParamCalls(std::string file, const Settings& settings, std::vector<engine::Diagnostic>& problems)
    : file_(std::move(file)), unused_(settings), problems_(&problems) {}

void ParamCalls::problem(const std::string& place, const std::string& key, std::string what, std::string remedy) {
  problems_->push_back({place, key, std::move(what), std::move(remedy)});
}

Value ParamCalls::call(int line, const Value& name, const Value& standard, const Table& options) {
  const std::string place = file_ + ":" + std::to_string(line);
  if (!name.text() || name.text()->empty()) {
    problem(place, "param", "the first argument must be a name, not " + describe(name));
    return standard;
  }
  const std::string& word = *name.text();
  for (const SceneParam& p : params_)
    if (p.info.name == word) {
      problem(place, word, "a parameter of this name exists already", "give each its own name");
      return standard;
    }
  if (std::holds_alternative<std::monostate>(standard.data) || standard.table() ||
      std::holds_alternative<Unusable>(standard.data)) {
    problem(place, word, "the default must be a number, a boolean or text, not " + describe(standard));
    return {std::int64_t{0}, line};
  }
  SceneParam param;
  param.info.name = word;
  param.type = type_of(standard, options);
  read_options(place, word, options, param);
  param.standard = to_param_value(standard, param.type).value_or(engine::ParamValue());
  if (const auto wrong = engine::range_problem(param.info, param.standard))
    problem(place, word, "the default " + describe(standard) + " " + *wrong, "allowed: " + range_of(param.info));
  const Value chosen = choose(word, standard, param);
  param.value = to_param_value(chosen, param.type).value_or(engine::ParamValue());
  params_.push_back(std::move(param));
  return chosen;
}

bool ParamCalls::read_options(const std::string& place, const std::string& name, const Table& options,
                              SceneParam& param) {
  Reader reader(file_, nullptr, *problems_);
  Table known;
  for (const Member& m : options.members) {
    if (m.name != "choices") known.members.push_back(m);
    else if (m.value.table())
      for (const Value& item : m.value.table()->items)
        if (item.text()) param.info.choices.push_back(*item.text());
  }
  ParamOptions read;
  const std::size_t before = problems_->size();
  reader.members(known, 0, name, options_table(), read, nullptr);
  reader.unknown(known, 0, name, names_of(options_table()));
  for (std::size_t i = before; i < problems_->size(); ++i) (*problems_)[i].place = place;
  param.info.minimum = read.minimum;
  param.info.maximum = read.maximum;
  param.info.unit = read.unit;
  param.info.help = read.doc;
  return problems_->size() == before;
}

Value ParamCalls::choose(const std::string& name, const Value& standard, SceneParam& param) {
  const auto setting = unused_.find(name);
  if (setting == unused_.end()) return standard;
  const Value typed = param.type == ParamType::text || param.type == ParamType::choice
                          ? Value{setting->second, command_line}
                          : parse_typed(setting->second);
  unused_.erase(setting);
  const auto value = to_param_value(typed, param.type);
  if (!value) {
    problem("--set " + name, "", "expected " + std::string(name_of(param.type)) + ", got " + describe(typed),
            "default " + engine::text_of(param.standard));
    return standard;
  }
  if (const auto wrong = engine::range_problem(param.info, *value)) {
    problem("--set " + name, "", describe(typed) + " " + *wrong,
            "allowed: " + range_of(param.info) + ", default " + engine::text_of(param.standard));
    return standard;
  }
  // A whole number given for a real one must stay real for the script: 3 / 2 is the same, 3 // 2 is not.
  if (auto d = std::get_if<double>(&*value)) return {*d, command_line};
  return typed;
}

}  // namespace mote::sim
