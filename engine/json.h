#pragma once

// The literals of the library would have every file that includes it compile a parser, half of what
// the file costs. "..."_json is not used: it is deleted, and its body becomes a template, which no
// one instantiates. NOLINTNEXTLINE(bugprone-reserved-identifier)
#define _json(text, length)                 \
  _json(const char*, std::size_t) = delete; \
  inline nlohmann::json parse_of_literal(auto s, auto n)
#include <nlohmann/json.hpp>
#undef _json
#include <string>

#include "engine/json_fwd.h"

namespace mote::engine {

/// Throws Json::exception if the text is not JSON.
Json parse_json(const std::string& text);

/// One line, or indented by `indent` spaces. Invalid UTF-8 (possible in paths) is replaced.
std::string json_text(const Json& json, int indent = -1);

}  // namespace mote::engine
