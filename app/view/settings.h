#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/view/session.h"

namespace mote::app {

/// What setting a parameter comes to.
struct Change {
  sim::Settings settings;  ///< for the next opening
  sim::View view;
  std::vector<std::pair<std::string, engine::ParamValue>> edits;  ///< of live parameters, now
  bool restart = false;  ///< something else than these differs from the scene that is open
  bool colors = false;   ///< the look's scalar has changed
};

/// `path`: a parameter that the scene made with `param`, or a path such as gravity.softening. A parameter of the scene
/// is set by reading the scene again: when nothing comes out of it but other values of live parameters and of the look,
/// they are changed live; else the change waits for a restart. Throws InputError when the value cannot be.
Change change_of(const Session& session, const sim::Settings& settings, const sim::View& view,
                 const sim::LiveSettings& live, const std::string& path, const engine::ParamValue& value);

/// The text that stands for a value in Settings.
std::string setting_text(const engine::ParamValue& value);

}  // namespace mote::app
