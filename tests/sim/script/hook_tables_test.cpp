#include "sim/script/hook_tables.h"

#include <gtest/gtest.h>

#include <limits>

#include "engine/json.h"
#include "tests/support/temporary_folder.h"

namespace mote::test {
namespace {

using sim::HookRow;

class HookTables : public testing::Test {
 protected:
  std::string text(const char* name) const { return engine::read_file(folder_ / "rows" / name); }
  std::string refusal(const std::string& name, const HookRow& row) {
    return message_of<engine::InputError>([&] { files_.add_row(name, 0.5, 3, row); });
  }
  TemporaryFolder folder_;
  sim::HookTables files_{folder_ / "rows", "Gyr", sim::max_row_bytes};
};

TEST_F(HookTables, AreCompleteAtTheEndWithEveryBitAndQuotes) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  files_.add_row(
      "a", 0.1 + 0.2, 3,
      {{"n", std::int64_t{1} << 60}, {"t, \"x\"", std::string("p,\"q\"")}, {"y", 1e-300}});
  files_.add_row("a", 1, 4, {{"n", -infinity}, {"t, \"x\"", true}, {"y", std::string("plain")}});
  files_.add_row("b-_9", 1, 4, {{"x", 2.0}});
  EXPECT_FALSE(std::filesystem::exists(folder_ / "rows/a.csv"));
  files_.commit();
  EXPECT_EQ(text("a.csv"),
            "time,step,n,\"t, \"\"x\"\"\",y\n"
            "0.30000000000000004,3,1152921504606846976,\"p,\"\"q\"\"\",1e-300\n"
            "1,4,-inf,true,plain\n");
  EXPECT_EQ(text("b-_9.csv"), "time,step,x\n1,4,2\n");
  EXPECT_EQ(text("b-_9.units.json"), "{\n  \"time\": \"Gyr\"\n}\n");
}

TEST_F(HookTables, DiscardRowsAfterAStep) {
  for (const std::uint64_t step : {1, 2, 2, 5}) files_.add_row("a", 0.5, step, {{"x", 1.0}});
  files_.add_row("b", 0.5, 9, {{"x", 1.0}});
  files_.discard_after(2);
  files_.add_row("a", 0.5, 3, {{"x", 7.0}});
  files_.discard_after(2);
  files_.add_row("a", 0.5, 4, {{"x", 8.0}});
  files_.commit();
  EXPECT_EQ(text("a.csv"), "time,step,x\n0.5,1,1\n0.5,2,1\n0.5,2,1\n0.5,4,8\n");
  EXPECT_EQ(text("b.csv"), "time,step,x\n");
}

// A header is 12 bytes, each row "0.5,3,1\n" 8 bytes; the limit is on the sum of both files.
TEST_F(HookTables, StayBelowTheLimitWhenResumed) {
  const auto fill = [](sim::HookTables& files, const char* name) {
    int rows = 0;
    const std::string message = message_of<engine::InputError>([&] {
      for (; rows < 1000; ++rows) files.add_row(name, 0.5, 3, {{"x", 1.0}});
    });
    EXPECT_EQ(message,
              std::string("rows/") + name +
                  ".csv: the tables of hooks are limited to 100 B in a run; write fewer rows, or "
                  "trust the scene with --trust");
    return rows;
  };
  sim::HookTables files(folder_ / "rows", "Gyr", 100);
  EXPECT_EQ(fill(files, "a"), 11);
  files.flush();
  const engine::Json sizes = files.sizes();
  sim::HookTables later(folder_ / "rows", "Gyr", 100);
  later.resume(sizes);
  EXPECT_EQ(fill(later, "a"), 0);
  sim::HookTables two(folder_ / "two", "Gyr", 100);
  for (int i = 0; i < 5; ++i) two.add_row("a", 0.5, 3, {{"x", 1.0}});
  EXPECT_EQ(fill(two, "b"), 4);
}

// Versions before this one wrote the unit of time into the header.
TEST_F(HookTables, GoOnInAnOlderFileAndRemoveLaterOnes) {
  files_.add_row("later", 0.5, 3, {{"x", 1.0}});
  files_.flush();
  const std::string older = "time [Gyr],step,x\n0.5,3,1\n";
  engine::write_file(folder_ / "rows/old.csv", older + "0.6,4,1\n");
  sim::HookTables again(folder_ / "rows", "Gyr", sim::max_row_bytes);
  again.resume(engine::Json{{"old", {{"bytes", older.size()}, {"columns", {"x"}}}}});
  EXPECT_FALSE(std::filesystem::exists(folder_ / "rows/later.csv.part"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "rows/later.units.json"));
  again.add_row("old", 0.7, 5, {{"x", 2.0}});
  again.add_row("new", 0.7, 5, {{"x", 2.0}});
  again.commit();
  EXPECT_EQ(text("old.csv"), older + "0.7,5,2\n");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "rows/old.units.json"));
  EXPECT_EQ(text("new.csv"), "time,step,x\n0.7,5,2\n");
}

TEST_F(HookTables, RefuseInvalidNamesAndOtherColumns) {
  for (const std::string name :
       {"", "../a", "a/b", "a.csv", "a b", "\xc3\xa4", "/etc/x", ".", "a\n"})
    EXPECT_NE(refusal(name, {{"x", 1.0}})
                  .find("is not a valid file name; use 1 to 64 letters, digits, - and _"),
              std::string::npos)
        << name;
  EXPECT_NE(refusal(std::string(65, 'a'), {{"x", 1.0}}), "");
  EXPECT_EQ(refusal("a", {{"time", 1.0}}), "the column time is added automatically; leave it out");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "rows"));
  EXPECT_EQ(refusal("a", {{"x", 1.0}, {"y", 1.0}}), "");
  EXPECT_EQ(refusal("a", {{"x", 1.0}, {"z", 1.0}}),
            "the row has the columns x, z; the first row of a.csv has x, y");
}

}  // namespace
}  // namespace mote::test
