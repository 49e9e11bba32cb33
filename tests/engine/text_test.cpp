#include "engine/text.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <limits>

#include "engine/math/hash.h"

namespace mote::engine {
namespace {

using Limits = std::numeric_limits<double>;

TEST(Text, RecognisesUtf8) {
  for (const char* text : {"", "a", "é", "星", "😀", "\xEF\xBF\xBF", "\xF4\x8F\xBF\xBF"})
    EXPECT_TRUE(engine::is_utf8(text)) << text;
  // A lone continuation, a cut sequence, overlong forms, a surrogate, beyond the last code point.
  for (const char* text : {"\x80", "\xC3", "a\xE6\x98", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80",
                           "\xF4\x90\x80\x80", "\xFF"})
    EXPECT_FALSE(engine::is_utf8(text));
}

TEST(Text, NumbersReadBackBitForBit) {
  for (double x :
       {0.0, -0.0, 0.1, 1.0 / 3, 1e23, 5e-324, Limits::min(), Limits::max(), Limits::lowest()})
    EXPECT_EQ(bits_of(std::strtod(number_text(x).c_str(), nullptr)), bits_of(x)) << number_text(x);
  for (std::uint64_t i = 0; i < 100000; ++i) {
    const double x = std::bit_cast<double>(mix_bits(i));
    if (x - x != 0) continue;  // infinite or not a number
    ASSERT_EQ(bits_of(std::strtod(number_text(x).c_str(), nullptr)), bits_of(x)) << number_text(x);
  }
}

TEST(Text, NumbersAreAsShortAsTheyCanBe) {
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(3), "3");
  EXPECT_EQ(number_text(-2.5), "-2.5");
  EXPECT_EQ(number_text(6.6743e-11), "6.6743e-11");
  EXPECT_EQ(number_text(0.1f), "0.10000000149011612");
}

TEST(Text, QuotedTextEscapesWhatWouldEndItOrHide) {
  EXPECT_EQ(quoted(""), R"("")");
  EXPECT_EQ(quoted("two words"), R"("two words")");
  EXPECT_EQ(quoted(R"(a "b" \c)"), R"("a \"b\" \\c")");
  EXPECT_EQ(quoted(std::string_view("\0\n\x1f", 3)), R"("\x00\x0a\x1f")");
  EXPECT_EQ(quoted("\xc3\xa9"), "\"\xc3\xa9\"");  // UTF-8 stays as it is
}

TEST(Text, WordsAreJoinedBetweenNotAround) {
  EXPECT_EQ(joined({}, ", "), "");
  EXPECT_EQ(joined({"a"}, ", "), "a");
  EXPECT_EQ(joined({"a", "b", ""}, ", "), "a, b, ");
}

const std::vector<std::string> keys{"mass",    "softening", "time", "theta",
                                    "plummer", "velocity",  "x",    "dt"};

TEST(Text, TypicalMisspellingsFindTheWordThatWasMeant) {
  const std::pair<const char*, const char*> misspellings[] = {
      {"sofening", "softening"},  {"softenning", "softening"},
      {"sfotening", "softening"}, {"softenimg", "softening"},
      {"sotfenign", "softening"}, {"Plummer", "plummer"},
      {"plumer", "plummer"},      {"tmie", "time"},
      {"masses", "mass"},         {"velocities", "velocity"},
      {"thetha", "theta"},        {"td", "dt"},
      {"softening", "softening"},
  };
  for (const auto& [word, meant] : misspellings) EXPECT_EQ(closest(word, keys), meant) << word;
}

TEST(Text, UnrelatedWordsFindNothing) {
  for (const char* word : {"", "colour", "gravity", "mist", "zz", "y", "integrator", "softly"})
    EXPECT_EQ(closest(word, keys), "") << word;
  EXPECT_EQ(closest("mass", {}), "");
  EXPECT_EQ(closest("", {"x", ""}), "");
  EXPECT_EQ(closest(std::string(1000, 'a'), {std::string(999, 'a')}), "");  // too long for a word
}

TEST(Text, SmallestEditDistanceWinsAndTheFirstOfEquals) {
  EXPECT_EQ(closest("sample", {"simple", "samples", "sample"}), "sample");
  EXPECT_EQ(closest("sampel", {"samba", "sample"}), "sample");
  EXPECT_EQ(closest("cot", {"cat", "cut"}), "cat");
}

TEST(Text, WordsOfOtherCaseOrOtherProgramsFindOurs) {
  const std::vector<std::string> some{"n", "mass", "softening", "dt", "pc", "arcsec", "Msun"};
  EXPECT_EQ(closest("N", some), "n");
  EXPECT_EQ(closest("DT", some), "dt");
  EXPECT_EQ(closest("count", some), "n");
  EXPECT_EQ(closest("eps", some), "softening");
  EXPECT_EQ(closest("parsec", some), "pc") << "not arcsec, whose edit distance is smaller";
  EXPECT_EQ(closest("solar_mass", some), "Msun");
  EXPECT_EQ(closest("parsec", {"mass"}), "") << "the synonym is not among the candidates";
}

TEST(Text, SuggestionsNameTheNearestOrAll) {
  EXPECT_EQ(did_you_mean("tmie", {"time", "mass"}, "known: "), "did you mean 'time'?");
  EXPECT_EQ(did_you_mean("colour", {"time", "mass"}, "known: "), "known: time, mass");
}

TEST(Text, ThousandsAreSeparated) {
  EXPECT_EQ(counted(1, "thread"), "1 thread");
  EXPECT_EQ(counted(0, "thread"), "0 threads");
  EXPECT_EQ(counted(1234, "thread"), "1,234 threads");
  EXPECT_EQ(with_thousands(0), "0");
  EXPECT_EQ(with_thousands(999), "999");
  EXPECT_EQ(with_thousands(1000), "1,000");
  EXPECT_EQ(with_thousands(123456), "123,456");
  EXPECT_EQ(with_thousands(1234567), "1,234,567");
  EXPECT_EQ(with_thousands(-999), "-999");
  EXPECT_EQ(with_thousands(-1000), "-1,000");
  EXPECT_EQ(with_thousands(-123456), "-123,456");
  EXPECT_EQ(with_thousands(std::numeric_limits<long long>::max()), "9,223,372,036,854,775,807");
  EXPECT_EQ(with_thousands(std::numeric_limits<long long>::min()), "-9,223,372,036,854,775,808");
}

TEST(Text, BytesHaveTheUnitThatKeepsThemBelow1024) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(1023), "1023 B");
  EXPECT_EQ(bytes_text(1024), "1.0 KiB");
  EXPECT_EQ(bytes_text(1536), "1.5 KiB");
  EXPECT_EQ(bytes_text(20 * 1073741824.0), "20.0 GiB");
  EXPECT_EQ(bytes_text(1023.9 * 1024), "1023.9 KiB");
  EXPECT_EQ(bytes_text(1024 * 1024 - 1), "1.0 MiB");  // would round to 1024.0 KiB
  EXPECT_EQ(bytes_text(1023.7), "1.0 KiB");           // would round to 1024 B
  EXPECT_EQ(bytes_text(1099511627776.0 - 1), "1.0 TiB");
  EXPECT_EQ(bytes_text(1152921504606846976.0), "1024.0 PiB");  // there is no larger unit
}

TEST(Text, DurationsNeverShowSixtyOfAUnit) {
  EXPECT_EQ(duration_text(0), "0.0 s");
  EXPECT_EQ(duration_text(2.44), "2.4 s");
  EXPECT_EQ(duration_text(59.94), "59.9 s");
  EXPECT_EQ(duration_text(59.96), "1 min 0 s");
  EXPECT_EQ(duration_text(60), "1 min 0 s");
  EXPECT_EQ(duration_text(119.4), "1 min 59 s");
  EXPECT_EQ(duration_text(119.6), "2 min 0 s");
  EXPECT_EQ(duration_text(200), "3 min 20 s");
  EXPECT_EQ(duration_text(3599.4), "59 min 59 s");
  EXPECT_EQ(duration_text(3599.6), "1 h 0 min");
  EXPECT_EQ(duration_text(3600 + 59 * 60 + 29), "1 h 59 min");
  EXPECT_EQ(duration_text(3600 + 59 * 60 + 31), "2 h 0 min");
  EXPECT_EQ(duration_text(5 * 3600 + 12 * 60), "5 h 12 min");
  for (double seconds = 0; seconds < 8000; seconds += 0.01) {
    const std::string text = duration_text(seconds);
    ASSERT_TRUE(text.rfind("60", 0) != 0 && text.find(" 60 ") == std::string::npos) << text;
  }
}

TEST(Text, DurationsBeyondMeasureAreStillText) {
  EXPECT_EQ(duration_text(Limits::infinity()), "inf s");
  EXPECT_EQ(duration_text(Limits::quiet_NaN()), "nan s");
  EXPECT_EQ(duration_text(3.6e20), "100000000000000000 h 0 min");
}

}  // namespace
}  // namespace mote::engine
