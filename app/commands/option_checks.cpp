#include "app/commands/option_checks.h"

#include <fmt/format.h>

#include <cmath>

#include "app/typed_time.h"

namespace mote::app {
namespace {

bool number(const std::string& text, double& value) {
  return CLI::detail::lexical_cast(text, value) && std::isfinite(value);
}

/// A check of a number, and what it must be.
CLI::Validator must_be(const char* what, bool (*good)(double), const char* type) {
  return CLI::Validator(
      [what, good](std::string& text) {
        double value = 0;
        return number(text, value) && good(value) ? std::string()
                                                  : fmt::format("must be {}, not {}", what, text);
      },
      type);
}

/// A check of a time, with a unit or without.
CLI::Validator must_be_time(const char* what, bool (*good)(double)) {
  return CLI::Validator(
      [what, good](std::string& text) {
        const auto value = number_of_time(text);
        return value && good(*value)
                   ? std::string()
                   : fmt::format("must be {}, with a unit or without, as in 10 or \"10 Myr\", not {}", what,
                                 text);
      },
      "TIME");
}

}  // namespace

const CLI::Validator time_or_zero = must_be_time("a number >= 0", [](double x) { return x >= 0; });
const CLI::Validator time_above_zero = must_be_time("a number > 0", [](double x) { return x > 0; });
const CLI::Validator whole_or_zero = must_be(
    "a whole number from 0 to 1e15", [](double x) { return x >= 0 && x <= 1e15 && x == std::floor(x); }, "N");
const CLI::Validator whole_above_zero = must_be(
    "a whole number from 1 to 1e15", [](double x) { return x >= 1 && x <= 1e15 && x == std::floor(x); }, "N");
const CLI::Validator seconds_or_zero = must_be(
    "a number >= 0", [](double x) { return x >= 0; }, "SECONDS");
const CLI::Validator seconds_above_zero = must_be(
    "a number > 0", [](double x) { return x > 0; }, "SECONDS");

}  // namespace mote::app
