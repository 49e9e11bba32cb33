#pragma once

#include <CLI/CLI.hpp>

namespace mote::app {

/// What options must be, in the words of all other messages.
extern const CLI::Validator time_or_zero, time_above_zero;    ///< with a unit or without
extern const CLI::Validator whole_or_zero, whole_above_zero;  ///< up to 1e15
extern const CLI::Validator seconds_or_zero, seconds_above_zero;

}  // namespace mote::app
