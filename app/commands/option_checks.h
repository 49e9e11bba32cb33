#pragma once

#include <CLI/CLI.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace mote::app {

/// Validators, with messages in the style of all other ones.
extern const CLI::Validator time_or_zero, time_above_zero;  ///< a time, with or without a unit
/// Whole numbers, 1e3 too. For `transform`, not `check`: they write it as 1000, which CLI11 reads.
extern const CLI::Validator whole_or_zero, whole_above_zero;  ///< up to 1e15
CLI::Validator whole_from(int low, int high);
extern const CLI::Validator seconds_or_zero, seconds_above_zero;
/// A file with one of these extensions, so that a scene that follows --picture is not taken for its
/// file.
CLI::Validator file_ending(std::vector<std::string> endings);
/// Accepts everything, and lists these texts in help and completion: for options that are checked
/// when the command runs, with a better message.
CLI::Validator known(const std::vector<std::string>& choices);
extern const CLI::Validator size_text;  ///< "1920x1080"
/// The normal and offset of a plane, "0,0,1,2.5"; nothing for other texts.
std::optional<std::array<double, 4>> plane_of(const std::string& text);
extern const CLI::Validator plane_text;
/// The argument, or "out", the folder of runs that name none, if that is there. Throws
/// RequiredError.
std::string run_or_out(const std::string& given, const std::string& argument);
/// Adds --overlay: what explains pictures, in place of the scene's view.overlay.
void add_overlay(CLI::App& command, std::string& overlay);

}  // namespace mote::app
