#include "sim/field/module/fields_physics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <type_traits>
#include <utility>

#include "engine/json.h"
#include "engine/quantity.h"
#include "engine/text.h"
#include "sim/field/field_check.h"
#include "sim/field/field_force.h"
#include "sim/motion/integrators.h"
#include "sim/scene/misplaced.h"

namespace mote::sim {
namespace {

using engine::Json;

/// One kind of built-in field.
struct Kind {
  std::string name;
  engine::ParamSheet sheet;
  std::function<Field(Reader&, const Table&, int line, const std::string& path, Json& echo)> read;
};

template <class Owner>
Kind kind_of() {
  const engine::ParamTable<Owner>& table = field_table<Owner>();
  return {
      table.name, engine::sheet_of(table),
      [&table](Reader& reader, const Table& from, int line, const std::string& path, Json& echo) {
        Owner field;
        reader.members(from, line, path, table, field, &echo);
        std::vector<std::string> known = names_of(table);
        known.push_back("kind");
        reader.unknown(from, line, path, known);
        return Field(field);
      }};
}

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{kind_of<UniformField>(),    kind_of<PointMass>(),
                                     kind_of<LogarithmicHalo>(), kind_of<MiyamotoNagai>(),
                                     kind_of<HarmonicTrap>(),    kind_of<Drag>(),
                                     kind_of<RotatingFrame>()};
  return all;
}

/// Reads field { acceleration = { "..", "..", ".." }, potential = "..", name = number, ... }.
class ExpressionFieldReader {
 public:
  ExpressionFieldReader(Reader& reader, const Table& table, int line, std::string path, Json& echo)
      : reader_(reader), table_(table), line_(line), path_(std::move(path)), echo_(echo) {}

  ExpressionField read() {
    ExpressionField field;
    echo_["kind"] = "field";
    constants();
    accelerations(field);
    if (const Member* potential = table_.find("potential")) {
      field.has_potential = true;
      const std::size_t before = reader_.problem_count();
      field.potential =
          expression(field, potential->value, joined_path(path_, "potential"), echo_["potential"]);
      if (reader_.problem_count() == before && field.graph.depends_on_velocity(field.potential))
        reader_.problem(
            potential->value.line, joined_path(path_, "potential"), "depends on the velocity",
            "a potential is a function of x, y, z, r, m and t; leave it out if there is none");
    }
    // An unused name is probably misspelt, unless an expression could not be read.
    if (!failed_)
      for (const auto& [name, value] : constants_)
        if (!used_.contains(name))
          reader_.problem(table_.find(name)->value.line, joined_path(path_, name),
                          "is not used by any expression", "leave it out");
    return field;
  }

 private:
  void constants() {
    for (const Member& m : table_.members) {
      if (m.name == "kind" || m.name == "acceleration" || m.name == "potential") continue;
      const std::string key = joined_path(path_, m.name);
      const auto value = to_param_value(m.value, engine::ParamType::real);
      if (!value) {
        const std::string near = engine::closest(m.name, {"acceleration", "potential"});
        const bool unit = m.value.text() && engine::has_unit(*m.value.text());
        reader_.problem(
            m.value.line, key,
            (unit ? "takes a plain number, no unit, got " : "expected a number, got ") +
                describe(m.value),
            !near.empty() ? "did you mean '" + near + "'?"
            : unit        ? "expressions have no dimensions: write it in the units of the scene"
                   : "keys besides acceleration and potential are numbers used in expressions");
      } else if (!std::isfinite(std::get<double>(*value))) {
        reader_.problem(m.value.line, key, describe(m.value) + " is not a finite number");
      } else if (!is_name(m.name)) {
        reader_.problem(m.value.line, key, "is not a valid name in expressions",
                        "use letters, digits and _, starting with no digit");
      } else if (is_expression_word(m.name)) {
        reader_.problem(m.value.line, key, "is a reserved name in expressions",
                        "choose another name");
      } else {
        constants_[m.name] = std::get<double>(*value);
        echo_[m.name] = constants_[m.name];
        continue;
      }
      failed_ = true;
      // Avoids a second problem in expressions that use it.
      if (is_name(m.name) && !is_expression_word(m.name)) constants_[m.name] = 1;
    }
    if (!table_.items.empty())
      reader_.problem(table_.items[0].line, joined_path(path_, "1"),
                      "a value without a key, " + describe(table_.items[0]),
                      "known here: acceleration, potential and names of numbers");
  }

  static bool is_name(const std::string& name) {
    const auto letter = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    return !name.empty() && letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
      return letter(c) || (c >= '0' && c <= '9');
    });
  }

  void accelerations(ExpressionField& field) {
    const std::string key = joined_path(path_, "acceleration");
    const Member* given = table_.find("acceleration");
    const Table* list = given ? given->value.table() : nullptr;
    if (!list || list->items.size() != 3 || !list->members.empty()) {
      reader_.problem(given ? given->value.line : line_, key,
                      given ? "expected a list of three expressions, got " + describe(given->value)
                            : "is missing",
                      "acceleration = { \"-k*x\", \"-k*y\", 0 }, k = 1");
      failed_ = true;
      return;
    }
    Json& echo = echo_["acceleration"] = Json::array({nullptr, nullptr, nullptr});
    for (std::size_t axis = 0; axis < 3; ++axis)
      field.acceleration[axis] = expression(field, list->items[axis],
                                            joined_path(key, std::to_string(axis + 1)), echo[axis]);
  }

  Expressions::Index expression(ExpressionField& field, const Value& value, const std::string& key,
                                Json& echo) {
    const auto number = to_param_value(value, engine::ParamType::real);
    if (!value.text() && !number) {
      reader_.problem(value.line, key, "expected an expression, got " + describe(value),
                      "text such as \"-k*x\", or a number");
      failed_ = true;
      return 0;
    }
    const std::string text =
        value.text() ? *value.text() : engine::number_text(std::get<double>(*number));
    if (engine::is_utf8(text)) echo = text;
    try {
      return field.graph.read(text, constants_, &used_);
    } catch (const ExpressionProblem& wrong) {
      reader_.add(diagnostic_of(wrong, text, reader_.location(value.line, key),
                                value.line == command_line ? "" : key));
      failed_ = true;
      return 0;
    }
  }

  Reader& reader_;
  const Table& table_;
  int line_;
  std::string path_;
  Json& echo_;
  Constants constants_;
  std::set<std::string> used_;
  bool failed_ = false;
};

engine::ParamSheet expression_sheet() {
  using engine::ParamType;
  const auto row = [](const char* name, const char* help, bool required, ParamType type) {
    return engine::ParamSheet::Row{{.name = name, .help = help, .required = required}, type, {}};
  };
  return {
      "field",
      "A field given by formulas, in `fields`; see [external fields](#external-fields).",
      {row("acceleration",
           "three expressions, for x, y and z, in velocity / time: text or numbers, without units",
           true, ParamType::text),
       row("potential",
           "expression for the potential energy per mass; without it energy is not conserved",
           false, ParamType::text),
       row("NAME", "any other key: a number that expressions use by this name", false,
           ParamType::real)}};
}

const std::vector<std::string>& field_kinds() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{"field"};
    for (const Kind& kind : kinds()) all.push_back(kind.name);
    return all;
  }();
  return names;
}

/// Suggests the field that a table without a kind may mean, by its first key; or "".
std::string meant_as_field(const Value& item) {
  const Table* const table = item.table();
  if (table == nullptr || table->members.empty()) return "";
  const Member& first = table->members.front();
  for (const std::string& kind : field_kinds())
    if (first.name == kind) return "write fields = { " + kind + " { ... } }";
  if (first.name != "gravity" && first.name != "g" && first.name != "acceleration") return "";
  return "write " + uniform_field_for(first.value);
}

/// Reads the items of a list into `fields`; expressions that could not be read are left out.
void add_fields(Reader& reader, const Table& list, std::vector<Field>& fields, Json& echo) {
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const Value& item = list.items[i];
    const std::string path = joined_path("fields", std::to_string(i + 1));
    const Member* kind = item.table() ? item.table()->find("kind") : nullptr;
    const std::string* const name = kind ? kind->value.text() : nullptr;
    const std::string known = "known: " + engine::joined(field_kinds(), ", ");
    if (!name) {
      reader.problem(item.line, path, "expected a field, got " + describe(item),
                     is_function(item) ? "call the function, as in drag { linear = 0.1 }"
                     : !meant_as_field(item).empty() ? meant_as_field(item)
                                                     : known);
      continue;
    }
    const bool second = *name == "rotating_frame" &&
                        std::any_of(fields.begin(), fields.end(), [](const Field& field) {
                          return std::holds_alternative<RotatingFrame>(field);
                        });
    Json& own = echo.emplace_back(Json::object());
    if (*name == "field") {
      const std::size_t before = reader.problem_count();
      Field field = ExpressionFieldReader(reader, *item.table(), item.line, path, own).read();
      if (reader.problem_count() == before) fields.push_back(std::move(field));
      continue;
    }
    const auto found = std::find_if(kinds().begin(), kinds().end(),
                                    [&](const Kind& k) { return k.name == *name; });
    if (found == kinds().end()) {
      reader.problem(kind->value.line, joined_path(path, "kind"),
                     "no such kind of field: " + engine::quoted(*name),
                     engine::did_you_mean(*name, field_kinds(), "known: "));
      continue;
    }
    own["kind"] = *name;
    fields.push_back(found->read(reader, *item.table(), item.line, path, own));
    if (second) reader.problem(item.line, path, "is a second rotating frame", "keep one");
  }
}

std::unique_ptr<Physics> read_fields(const SceneReading& from) {
  const Value* const given = from.find("fields");
  if (!given) return nullptr;
  Json& echo = from.echo["fields"] = Json::array();
  const Table* const table = given->table();
  if (!table) {
    from.reader.problem(
        given->line, "fields", "expected a list, got " + describe(*given),
        "a list of fields, fields = { uniform { acceleration = { 0, 0, -9.81 } } }");
    return nullptr;
  }
  from.reader.unknown(*table, given->line, "fields", {}, table->items.size());
  std::vector<Field> fields;
  add_fields(from.reader, *table, fields, echo);
  if (fields.empty()) return nullptr;
  return std::make_unique<FieldsPhysics>(std::move(fields));
}

/// Calls use(path, table, field) for each built-in field.
template <class Fields, class Use>
void for_each_built_in(Fields& fields, const Use& use) {
  for (std::size_t i = 0; i < fields.size(); ++i)
    std::visit(
        [&]<class Owner>(Owner& field) {
          if constexpr (!std::is_same_v<std::remove_const_t<Owner>, ExpressionField>)
            use("fields." + std::to_string(i + 1), field_table<std::remove_const_t<Owner>>(),
                field);
        },
        fields[i]);
}

const ModuleInfo& fields_info() {
  static const ModuleInfo info = [] {
    ModuleInfo made{.name = "external",
                    .subject = "fields",
                    .help = "external fields, built in or given by expressions",
                    .cuda = true,
                    .sheets = {expression_sheet()},
                    .keys = {{"fields", "external fields", "mote.item|mote.item[]"}},
                    .functions = field_kinds()};
    for (const Kind& kind : kinds()) made.sheets.push_back(kind.sheet);
    return made;
  }();
  return info;
}

}  // namespace

PhysicsModule fields_module() {
  return {&fields_info, &read_fields};
}

std::vector<PhysicsParam> FieldsPhysics::params() const {
  std::vector<PhysicsParam> all;
  for_each_built_in(parameters, [&](const std::string& path, const auto& table, const auto& field) {
    append_params(all, path, table, field);
  });
  return all;
}

bool FieldsPhysics::set(std::string_view path, const engine::ParamValue& value) {
  bool found = false;
  for_each_built_in(parameters, [&](const std::string& own, const auto& table, auto& field) {
    found = found || set_param(path, own, table, field, value);
  });
  return found;
}

const ModuleInfo& FieldsPhysics::info() const {
  return fields_info();
}

std::vector<std::string> FieldsPhysics::features() const {
  std::vector<std::string> all;
  if (has_velocity_flow(parameters)) all.push_back(velocity_fields);
  if (!expressions_of(parameters, true).empty()) all.push_back(velocity_expressions);
  for (const Field& field : parameters)
    if (std::holds_alternative<UniformField>(field)) return all.emplace_back("uniform field"), all;
  return all;
}

void FieldsPhysics::check_start(const engine::Cpu&, const Model& model,
                                const State<engine::Host>& state, engine::Backend) const {
  const Step& stages = info_of(model.integrator).stages;
  if (!stages.empty() && !flow_of(model.integrator).courant)
    check_fields(parameters, state, stages, model.integrator.dt, model.file.string());
}

void FieldsPhysics::add_forces(const engine::Cpu&, const Model& model, const State<engine::Host>&,
                               Forces<engine::Cpu>& forces) const {
  add_force<engine::Cpu, FieldForce>(
      forces, FieldForce(parameters, gravitational_of(model), info_of(model.integrator).order),
      [this](FieldForce& force) { force.change(parameters); });
}

engine::Vec3d FieldsPhysics::uniform_acceleration() const {
  engine::Vec3d sum{0, 0, 0};
  for (const Field& field : parameters)
    if (const auto* uniform = std::get_if<UniformField>(&field)) sum += uniform->acceleration;
  return sum;
}

std::vector<EnergyEffect> FieldsPhysics::energy_effects(const Model& model) const {
  std::vector<EnergyEffect> effects;
  const Domain domain = domain_of(model);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Field& field = parameters[i];
    EnergyEffect effect{
        std::holds_alternative<Drag>(field) ? EnergyEffect::Kind::takes : EnergyEffect::Kind::gives,
        energy_problem(field, domain)};
    if (effect.text.empty()) continue;
    effect.text = "fields." + std::to_string(i + 1) + " (" + name_of(field) + "): " + effect.text;
    effects.push_back(std::move(effect));
  }
  return effects;
}

}  // namespace mote::sim
