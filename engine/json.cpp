#include "engine/json.h"

namespace mote::engine {

// Here and nowhere else: the library's reader and writer are templates, and would be compiled anew in every file that
// uses them.
Json parse_json(const std::string& text) {
  return Json::parse(text);
}

std::string json_text(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace mote::engine
