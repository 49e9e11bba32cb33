#include "engine/json.h"

namespace mote::engine {

namespace {

/// Deeper than anything that mote writes. Code that traverses a value is recursive; a deeper one
/// could overflow the stack.
constexpr int max_levels = 200;

void check_depth(const std::string& text) {
  int level = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
      continue;
    }
    if (c == '"') in_string = true;
    if (c == ']' || c == '}') --level;
    if ((c == '[' || c == '{') && ++level > max_levels) {
      const Json none;
      throw Json::other_error::create(501, "there are more than 200 levels", &none);
    }
  }
}

}  // namespace

// The library's parser and serializer are templates: only this file compiles them.
Json parse_json(const std::string& text) {
  check_depth(text);
  return Json::parse(text);
}

std::string json_text(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

JsonBox::JsonBox() : value_(std::make_unique<Json>()) {}
JsonBox::JsonBox(Json value) : value_(std::make_unique<Json>(std::move(value))) {}
JsonBox::JsonBox(const JsonBox& other)
    : value_(other.value_ ? std::make_unique<Json>(*other.value_) : nullptr) {}
JsonBox::JsonBox(JsonBox&& other) noexcept = default;
JsonBox& JsonBox::operator=(const JsonBox& other) {
  if (this != &other) *this = JsonBox(other);
  return *this;
}
JsonBox& JsonBox::operator=(JsonBox&& other) noexcept = default;
JsonBox::~JsonBox() = default;

bool JsonBox::is_null() const {
  return value_->is_null();
}

}  // namespace mote::engine
