#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>

namespace mote::engine {

/// JSON with keys in the order in which they were set, so that files read well and differ little.
/// Headers name it by this file; files that read or make JSON include engine/json.h, which takes
/// half a second to compile.
using Json = nlohmann::ordered_json;

/// A Json as a member: a value like the Json in it, null by default.
class JsonBox {
 public:
  JsonBox();
  JsonBox(std::nullptr_t) : JsonBox() {}
  JsonBox(Json value);
  JsonBox(const JsonBox& other);
  JsonBox(JsonBox&& other) noexcept;
  JsonBox& operator=(const JsonBox& other);
  JsonBox& operator=(JsonBox&& other) noexcept;
  ~JsonBox();

  operator const Json&() const { return *value_; }
  const Json& operator*() const { return *value_; }
  Json& operator*() { return *value_; }
  const Json* operator->() const { return value_.get(); }
  Json* operator->() { return value_.get(); }
  bool is_null() const;

 private:
  std::unique_ptr<Json> value_;  ///< never null, but after a move
};

}  // namespace mote::engine
