#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/math/vec.h"
#include "engine/types.h"

namespace mote::engine {

/// Type of a parameter. `choice` is one of a fixed list of texts.
enum class ParamType { boolean, integer, real, text, choice, vector };

std::string_view name_of(ParamType type);

/// A value of any parameter; `monostate` is "not given".
using ParamValue = std::variant<std::monostate, bool, std::int64_t, double, std::string, Vec3d>;

/// The value as written in a scene: true, 3, 0.02, "leapfrog", {1, 0, 0}; or "none".
std::string text_of(const ParamValue& value);

inline constexpr double unbounded = std::numeric_limits<double>::infinity();

/// The single description of a parameter: scene schema, command line, window and docs use it.
struct ParamInfo {
  std::string name;             ///< key in scenes
  std::string help;             ///< one line: what it is
  std::string unit = {};        ///< kind of quantity, as in engine/quantity.h; "" for a pure number
  double minimum = -unbounded;  ///< least value of a number, or of each component of a vector
  double maximum = unbounded;
  bool minimum_excluded = false;  ///< the value must be greater than `minimum`
  bool required = false;          ///< has no default
  bool positional = false;  ///< may be written without its key, as the first item of its table
  bool live = false;        ///< may change while a simulation runs
  std::vector<std::string> choices = {};
};

/// "0 .. 1", "> 0", ">= 0", "one of: a, b", or "" when everything of the type is allowed.
std::string range_of(const ParamInfo& info);

/// Why `value` is outside the parameter's range, or nothing if it is inside. Does not check the
/// type.
std::optional<std::string> range_problem(const ParamInfo& info, const ParamValue& value);

/// A parameter of `Owner`, with access to its member.
template <class Owner>
struct Param {
  ParamInfo info;
  ParamType type;
  std::function<ParamValue(const Owner&)> get;
  std::function<void(Owner&, const ParamValue&)> set;  ///< the value has the type of the parameter
};

/// A parameter of `Owner` that holds a list. `info` and `type` are those of an item; a single item
/// may be written without a list.
template <class Owner>
struct ListParam {
  ParamInfo info;
  ParamType type;
  std::function<std::vector<ParamValue>(const Owner&)> get;
  std::function<void(Owner&, const std::vector<ParamValue>&)> set;  ///< the values have the type
};

/// A named group of parameters: one table of a scene, one section of the docs, one panel of the
/// window.
template <class Owner>
struct ParamTable {
  std::string name;
  std::string help;
  std::vector<Param<Owner>> params;
  std::vector<ListParam<Owner>> lists = {};
};

/// A table without its owner, from which the reference, the schema and the docs are generated.
struct ParamSheet {
  struct Row {
    ParamInfo info;
    ParamType type;
    ParamValue standard;  ///< the default
    bool list = false;    ///< a list of such values
  };
  std::string name;
  std::string help;
  std::vector<Row> rows;
};

namespace detail {

template <class T>
struct ParamTraits;
template <>
struct ParamTraits<bool> {
  static constexpr ParamType type = ParamType::boolean;
  using Stored = bool;
};
template <>
struct ParamTraits<std::int64_t> {
  static constexpr ParamType type = ParamType::integer;
  using Stored = std::int64_t;
};
template <>
struct ParamTraits<double> {
  static constexpr ParamType type = ParamType::real;
  using Stored = double;
};
template <>
struct ParamTraits<std::string> {
  static constexpr ParamType type = ParamType::text;
  using Stored = std::string;
};
template <>
struct ParamTraits<Vec3d> {
  static constexpr ParamType type = ParamType::vector;
  using Stored = Vec3d;
};
template <class T>
struct ParamTraits<std::optional<T>> : ParamTraits<T> {};

template <class T>
ParamValue to_value(const T& member) {
  return member;
}
template <class T>
ParamValue to_value(const std::optional<T>& member) {
  return member ? ParamValue(*member) : ParamValue();
}

}  // namespace detail

/// Describes a member: `param(&Gravity::softening, {.name = "softening", .help = "...", .unit =
/// "length"})`. Its default is the value in a default-constructed owner; an empty optional has
/// none.
template <class Owner, class T>
Param<Owner> param(T Owner::*member, ParamInfo info) {
  using Traits = detail::ParamTraits<T>;
  const ParamType type = info.choices.empty() ? Traits::type : ParamType::choice;
  return {std::move(info), type,
          [member](const Owner& owner) { return detail::to_value(owner.*member); },
          [member](Owner& owner, const ParamValue& value) {
            owner.*member = std::get<typename Traits::Stored>(value);
          }};
}

/// Describes a list by its items: `list_param(&Snapshots::times, {...})`.
template <class Owner, class T>
ListParam<Owner> list_param(std::vector<T> Owner::*member, ParamInfo info) {
  using Traits = detail::ParamTraits<T>;
  const ParamType type = info.choices.empty() ? Traits::type : ParamType::choice;
  return {std::move(info), type,
          [member](const Owner& owner) {
            return std::vector<ParamValue>((owner.*member).begin(), (owner.*member).end());
          },
          [member](Owner& owner, const std::vector<ParamValue>& values) {
            (owner.*member).clear();
            for (const ParamValue& value : values)
              (owner.*member).push_back(std::get<typename Traits::Stored>(value));
          }};
}

/// The sheet of a table; defaults are those of a default-constructed owner.
template <class Owner>
ParamSheet sheet_of(const ParamTable<Owner>& table) {
  ParamSheet sheet{table.name, table.help, {}};
  const Owner standard{};
  for (const Param<Owner>& p : table.params)
    sheet.rows.push_back({p.info, p.type, p.info.required ? ParamValue() : p.get(standard)});
  for (const ListParam<Owner>& p : table.lists) {
    const std::vector<ParamValue> values = p.get(standard);
    sheet.rows.push_back({p.info, p.type, values.size() == 1 ? values[0] : ParamValue(), true});
  }
  return sheet;
}

}  // namespace mote::engine
