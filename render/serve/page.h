#pragma once

#include <string_view>

namespace mote::render::serve {

/// Returns the page that shows a window: page.html, which is compiled into the program.
std::string_view page_text();

}  // namespace mote::render::serve
