#pragma once

#include <string>

namespace mote::app {

/// The title of a scene by the text of its file, without running it; "" if it is not written there
/// as title = "...".
std::string title_in(const std::string& text);

}  // namespace mote::app
