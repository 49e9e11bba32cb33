#include "engine/json.h"

namespace mote::engine {

namespace {

/// More than anything that mote writes has. What goes through a value calls itself for each level,
/// and would come to the end of the stack.
constexpr int most_levels = 200;

void expect_few_levels(const std::string& text) {
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
    if ((c == '[' || c == '{') && ++level > most_levels) {
      const Json none;
      throw Json::other_error::create(501, "there are more than 200 levels", &none);
    }
  }
}

}  // namespace

// Here and nowhere else: the library's reader and writer are templates, and would be compiled anew
// in every file that uses them.
Json parse_json(const std::string& text) {
  expect_few_levels(text);
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
