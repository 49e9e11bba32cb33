#pragma once

#include "app/view/options.h"

namespace mote::app {

/// Shows a scene in a window, or draws into memory when `offscreen`. Returns when the user closes
/// it or the script ends. Throws InputError for an invalid script, SystemError when drawing is
/// impossible.
int run_view(const ViewOptions& options);

/// Why no window can be opened; "" if one can be tried.
std::string no_window_reason();

/// Keys and mouse actions of the window in two columns, or as the Markdown table of docs/window.md.
/// Throws InputError in builds without rendering.
std::string key_table(bool markdown);

}  // namespace mote::app
