#include "app/run/parse_time.h"

#include <charconv>
#include <cmath>

#include "engine/check.h"
#include "engine/quantity.h"

namespace mote::app {

std::optional<double> number_of_time(const std::string& typed) {
  const char* const end = typed.data() + typed.size();
  const char* const begin = typed.data() + (typed.starts_with('+') ? 1 : 0);
  double value = 0;
  const auto [stop, error] = std::from_chars(begin, end, value);
  const bool whole = stop == end || engine::has_unit(typed);
  return error == std::errc() && whole && std::isfinite(value) ? std::optional(value)
                                                               : std::nullopt;
}

std::optional<double> time_in(const TypedTime& typed, const char* option,
                              const engine::UnitSystem& units) {
  if (!typed) return std::nullopt;
  const engine::Converted read = engine::convert_typed(*typed, "time", units);
  if (!read.value) throw engine::InputError(option, read.problem, read.remedy);
  if (!std::isfinite(*read.value))
    throw engine::InputError(option, *typed + " is not a finite number");
  return read.value;
}

}  // namespace mote::app
