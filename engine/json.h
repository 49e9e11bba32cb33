#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "engine/json_fwd.h"

namespace mote::engine {

/// Throws Json::exception where the text is none.
Json parse_json(const std::string& text);

/// In one line, or indented by so many spaces. What is not UTF-8 (paths need not be) is replaced.
std::string json_text(const Json& json, int indent = -1);

}  // namespace mote::engine
