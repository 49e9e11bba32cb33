#include "engine/json.h"

#include <gtest/gtest.h>

namespace mote::engine {
namespace {

std::string levels(int count) {
  const auto n = static_cast<std::size_t>(count);
  return std::string(n, '[') + std::string(n, ']');
}

// Traversal is recursive, and a file could have as many levels as bytes.
TEST(Json, DepthIsLimitedSoThatTheStackSuffices) {
  EXPECT_NO_THROW(parse_json(levels(200)));
  EXPECT_THROW(parse_json(levels(201)), Json::exception);
  EXPECT_THROW(parse_json(levels(10'000'000)), Json::exception);
  EXPECT_NO_THROW(
      parse_json("[\"" + std::string(1000, '[') + "\\\"" + std::string(1000, '{') + "\"]"));
  EXPECT_NO_THROW(parse_json("[" + std::string(2000, ' ') + "[], [], {}]"));
}

}  // namespace
}  // namespace mote::engine
