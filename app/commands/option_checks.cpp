#include "app/commands/option_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "app/parse_time.h"
#include "engine/text.h"
#include "sim/scene/tables.h"

namespace mote::app {
namespace {

bool number(const std::string& text, double& value) {
  return CLI::detail::lexical_cast(text, value) && std::isfinite(value);
}

/// Validates a number; `what` describes the valid ones.
CLI::Validator must_be(const char* what, bool (*good)(double), const char* type) {
  return CLI::Validator(
      [what, good](std::string& text) {
        double value = 0;
        return number(text, value) && good(value) ? std::string()
                                                  : fmt::format("must be {}, not {}", what, text);
      },
      type);
}

/// Validates a time, with or without a unit.
CLI::Validator must_be_time(const char* what, bool (*good)(double)) {
  return CLI::Validator(
      [what, good](std::string& text) {
        const auto value = number_of_time(text);
        return value && good(*value)
                   ? std::string()
                   : fmt::format(
                         "must be {}, with or without a unit, as in 10 or \"10 Myr\", not {}", what,
                         text);
      },
      "TIME");
}

}  // namespace

const CLI::Validator time_or_zero = must_be_time("a number >= 0", [](double x) { return x >= 0; });
const CLI::Validator time_above_zero = must_be_time("a number > 0", [](double x) { return x > 0; });
const CLI::Validator whole_or_zero = must_be(
    "a whole number from 0 to 1e15",
    [](double x) { return x >= 0 && x <= 1e15 && x == std::floor(x); }, "N");
const CLI::Validator whole_above_zero = must_be(
    "a whole number from 1 to 1e15",
    [](double x) { return x >= 1 && x <= 1e15 && x == std::floor(x); }, "N");
const CLI::Validator seconds_or_zero = must_be(
    "a number >= 0", [](double x) { return x >= 0; }, "SECONDS");
const CLI::Validator seconds_above_zero = must_be(
    "a number > 0", [](double x) { return x > 0; }, "SECONDS");

CLI::Validator file_ending(std::vector<std::string> endings) {
  const std::string type = "FILE" + engine::joined(endings, "|");
  return CLI::Validator(
      [endings = std::move(endings)](std::string& text) {
        const std::string ending = std::filesystem::path(text).extension().string();
        const bool good =
            text.empty() || std::find(endings.begin(), endings.end(), ending) != endings.end();
        return good ? std::string()
                    : "must end in " + engine::joined(endings, " or ") + ", not " + text;
      },
      type);
}

CLI::Validator known(const std::vector<std::string>& choices) {
  return CLI::Validator([](std::string&) { return std::string(); },
                        "{" + engine::joined(choices, ",") + "}");
}

const CLI::Validator size_text = CLI::Validator(
    [](std::string& text) {
      int width = 0, height = 0;
      char rest = 0;
      const bool good = std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &rest) == 2 &&
                        width >= 16 && height >= 16 && width <= 16384 && height <= 16384;
      return good ? std::string() : "must be WIDTHxHEIGHT from 16x16 to 16384x16384, not " + text;
    },
    "WIDTHxHEIGHT");

std::optional<std::array<double, 4>> plane_of(const std::string& text) {
  std::array<double, 4> n{};
  char rest = 0;
  const bool four =
      std::sscanf(text.c_str(), "%lf,%lf,%lf,%lf%c", &n[0], &n[1], &n[2], &n[3], &rest) == 4;
  const bool finite = std::all_of(n.begin(), n.end(), [](double v) { return std::isfinite(v); });
  return four && finite && (n[0] != 0 || n[1] != 0 || n[2] != 0) ? std::optional(n) : std::nullopt;
}

const CLI::Validator plane_text = CLI::Validator(
    [](std::string& text) {
      return plane_of(text) ? std::string()
                            : "must be NX,NY,NZ,OFFSET with a normal of some length, such as "
                              "0,0,1,2.5, not " +
                                  text;
    },
    "NX,NY,NZ,OFFSET");

void add_overlay(CLI::App& command, std::string& overlay) {
  const std::vector<engine::ParamSheet::Row> rows = engine::sheet_of(sim::view_table()).rows;
  const auto row = std::find_if(rows.begin(), rows.end(),
                                [](const auto& r) { return r.info.name == "overlay"; });
  command.add_option("--overlay", overlay, row->info.help + "; overrides the scene")
      ->check(CLI::IsMember(row->info.choices));
}

}  // namespace mote::app
