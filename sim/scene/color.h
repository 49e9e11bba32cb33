#pragma once

#include <string>

#include "sim/source/reader.h"

namespace mote::sim {

/// Reports the key `color` of a table unless it is "#rrggbb" or "".
void check_color(Reader& reader, const std::string& color, const Table& table,
                 const std::string& path);

}  // namespace mote::sim
