#include "engine/params.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/text.h"

namespace mote::engine {
namespace {

std::string number_range(const ParamInfo& info) {
  const bool below = std::isfinite(info.maximum);
  if (!std::isfinite(info.minimum)) return below ? "<= " + number_text(info.maximum) : "";
  if (!below) return (info.minimum_excluded ? "> " : ">= ") + number_text(info.minimum);
  if (info.minimum_excluded)
    return "> " + number_text(info.minimum) + " and <= " + number_text(info.maximum);
  return number_text(info.minimum) + " .. " + number_text(info.maximum);
}

/// A long double represents every 64-bit integer, so a large one is not rounded into the range.
std::optional<std::string> number_problem(const ParamInfo& info, long double number) {
  if (!std::isfinite(number)) return "is not a finite number";
  const bool low = info.minimum_excluded ? number <= info.minimum : number < info.minimum;
  if (low || number > info.maximum) return "is out of range";
  return std::nullopt;
}

}  // namespace

std::string_view name_of(ParamType type) {
  switch (type) {
    case ParamType::boolean:
      return "boolean";
    case ParamType::integer:
      return "integer";
    case ParamType::real:
      return "number";
    case ParamType::text:
      return "text";
    case ParamType::choice:
      return "text";
    case ParamType::vector:
      return "vector {x, y, z}";
  }
  return "?";
}

std::string text_of(const ParamValue& value) {
  if (auto b = std::get_if<bool>(&value)) return *b ? "true" : "false";
  if (auto i = std::get_if<std::int64_t>(&value)) return std::to_string(*i);
  if (auto d = std::get_if<double>(&value)) return number_text(*d);
  if (auto s = std::get_if<std::string>(&value)) return engine::quoted(*s);
  if (auto v = std::get_if<Vec3d>(&value))
    return fmt::format("{{{}, {}, {}}}", number_text(v->x), number_text(v->y), number_text(v->z));
  return "none";
}

std::string range_of(const ParamInfo& info) {
  if (!info.choices.empty()) return "one of: " + joined(info.choices, ", ");
  return number_range(info);
}

std::optional<std::string> range_problem(const ParamInfo& info, const ParamValue& value) {
  if (auto i = std::get_if<std::int64_t>(&value))
    return number_problem(info, static_cast<long double>(*i));
  if (auto d = std::get_if<double>(&value)) return number_problem(info, *d);
  if (auto v = std::get_if<Vec3d>(&value)) {
    for (double component : {v->x, v->y, v->z})
      if (auto problem = number_problem(info, component)) return problem;
    return std::nullopt;
  }
  if (auto s = std::get_if<std::string>(&value); s && !info.choices.empty())
    if (std::find(info.choices.begin(), info.choices.end(), *s) == info.choices.end())
      return "is not one of the choices";
  return std::nullopt;
}

}  // namespace mote::engine
