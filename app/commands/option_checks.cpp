#include "app/commands/option_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/run/parse_time.h"
#include "engine/text.h"
#include "sim/scene/tables.h"

namespace mote::app {
namespace {

bool number(const std::string& text, double& value) {
  return CLI::detail::lexical_cast(text, value) && std::isfinite(value);
}

/// Validates a whole number and writes it in digits, as CLI11 reads it: 1e3 becomes 1000.
CLI::Validator must_be_whole(double low, double high, const std::string& range, std::string type) {
  return CLI::Validator(
      [low, high, range](std::string& text) {
        double value = 0;
        if (!number(text, value) || value < low || value > high || value != std::floor(value))
          return fmt::format("must be a whole number from {}, not {}", range, text);
        text = fmt::format("{:.0f}", value);
        return std::string();
      },
      std::move(type));
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
const CLI::Validator whole_or_zero = must_be_whole(0, 1e15, "0 to 1e15", "N");
const CLI::Validator whole_above_zero = must_be_whole(1, 1e15, "1 to 1e15", "N");

CLI::Validator whole_from(int low, int high) {
  return must_be_whole(low, high, fmt::format("{} to {}", low, high),
                       fmt::format("INT in [{} - {}]", low, high));
}

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

std::string run_or_out(const std::string& given, const std::string& argument) {
  std::error_code ignored;
  if (!given.empty()) return given;
  if (!std::filesystem::is_directory("out", ignored)) throw CLI::RequiredError(argument);
  return "out";
}

void add_overlay(CLI::App& command, std::string& overlay) {
  const std::vector<engine::ParamSheet::Row> rows = engine::sheet_of(sim::view_table()).rows;
  const auto row = std::find_if(rows.begin(), rows.end(),
                                [](const auto& r) { return r.info.name == "overlay"; });
  command.add_option("--overlay", overlay, row->info.help + "; overrides the scene")
      ->check(CLI::IsMember(row->info.choices));
}

}  // namespace mote::app
