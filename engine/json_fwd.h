#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>

namespace mote::engine {

/// JSON that keeps the order in which keys were set, so that files read well and diff well. Headers
/// include this file; sources that read or make JSON include engine/json.h, which takes half a
/// second to compile.
using Json = nlohmann::ordered_json;

/// A Json member for classes whose headers only know the forward declaration. A value, null by
/// default.
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
  std::unique_ptr<Json> value_;  ///< null only after a move
};

}  // namespace mote::engine
