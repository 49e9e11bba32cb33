#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "engine/json_fwd.h"

namespace mote::engine {

/// Throws Json::exception if the text is not JSON.
Json parse_json(const std::string& text);

/// One line, or indented by `indent` spaces. Invalid UTF-8 (possible in paths) is replaced.
std::string json_text(const Json& json, int indent = -1);

}  // namespace mote::engine
