#pragma once

#include <nlohmann/json.hpp>

namespace mote::engine {

/// JSON with keys in the order in which they were set, so that files read well and differ little.
using Json = nlohmann::ordered_json;

}  // namespace mote::engine
