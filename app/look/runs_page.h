#pragma once

#include <string_view>

namespace mote::app {

/// Returns the page that shows runs: runs_page.html, which is compiled into the program.
std::string_view runs_page();

}  // namespace mote::app
