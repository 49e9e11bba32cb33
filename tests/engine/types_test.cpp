#include "engine/types.h"

#include <gtest/gtest.h>

namespace mote::engine {
namespace {

TEST(Types, NamesOfBackendsReadBack) {
  for (Backend backend : {Backend::automatic, Backend::cpu, Backend::cuda})
    EXPECT_EQ(backend_named(name_of(backend)), backend);
  EXPECT_EQ(name_of(Backend::automatic), "auto");
}

TEST(Types, NamesOfPrecisionsReadBack) {
  for (Precision precision : {Precision::single, Precision::mixed, Precision::double_})
    EXPECT_EQ(precision_named(name_of(precision)), precision);
  EXPECT_EQ(name_of(Precision::double_), "double");
}

TEST(Types, UnknownWordsNameNothing) {
  for (const char* word : {"", "?", "CPU", "automatic", "full", "float"}) {
    EXPECT_FALSE(backend_named(word)) << word;
    EXPECT_FALSE(precision_named(word)) << word;
  }
}

}  // namespace
}  // namespace mote::engine
