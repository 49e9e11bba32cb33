#pragma once

#include <gtest/gtest.h>

#include <optional>

#include "engine/check.h"
#include "render/context.h"

namespace mote::render {

/// A test that draws. Skipped, with the reason, if OpenGL is unavailable.
class GlTest : public testing::Test {
 protected:
  void SetUp() override {
    try {
      context_.emplace();
    } catch (const engine::SystemError& error) {
      GTEST_SKIP() << error.what();
    }
  }
  EglContext& context() { return *context_; }

 private:
  std::optional<EglContext> context_;
};

}  // namespace mote::render
