#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/app/program.h"

namespace mote::test {

/// Expects that a text has all these parts.
inline void expect_all(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << part << " in:\n" << text;
}

/// Runs commands in an empty folder.
class Commands : public testing::Test {
 protected:
  const std::filesystem::path& here() const { return folder_.path(); }

  std::string good(const std::vector<std::string>& words) const {
    const Result result = mote(here(), words);
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.err, "");
    return result.out;
  }
  std::string wrong(const std::vector<std::string>& words) const {
    const Result result = mote(here(), words);
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.out, "");
    return result.err;
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace mote::test
