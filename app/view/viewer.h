#pragma once

#include "app/view/options.h"

namespace mote::app {

/// Watches a scene in a window, or in memory when `offscreen`. Returns when the user closes it, or
/// the script ends. Throws InputError for a script that is wrong, SystemError when nothing can be
/// drawn.
int run_view(const ViewOptions& options);

/// "" when a window can be tried, else why not.
std::string no_window_reason();

/// What keys and mouse do in the window, as a table in Markdown. Throws InputError in builds
/// without pictures.
std::string key_table();

}  // namespace mote::app
