#include <gtest/gtest.h>

#include <limits>

#include "render/ui/widgets.h"

namespace mote::render::ui {
namespace {

TEST(UiText, NumbersAreShortAndHaveTheirUnit) {
  struct Row {
    double value;
    const char *unit, *text;
  };
  for (const Row& row : {
           Row{0, "", "0"},
           Row{0, "kpc", "0 kpc"},
           Row{-0.0, "", "0"},
           Row{1, "m", "1 m"},
           Row{65536, "", "65,536"},
           Row{1048576, "bodies", "1,048,576 bodies"},
           Row{-1234567, "", "-1,234,567"},
           Row{3.14159265, "Gyr", "3.142 Gyr"},
           Row{-0.25, "", "-0.25"},
           Row{0.1 + 0.2, "", "0.3"},
           Row{9.99996, "", "10"},
           Row{99999.6, "", "100,000"},
           Row{12345.6, "", "12,350"},
           Row{1234567.5, "", "1.235e6"},
           Row{0.001, "", "0.001"},
           Row{0.0012345, "", "0.001234"},
           Row{0.0001, "", "1e-4"},
           Row{1.5e-12, "Msun", "1.5e-12 Msun"},
           Row{6.0221408e23, "", "6.022e23"},
           Row{1e15, "", "1e15"},
           Row{std::numeric_limits<double>::quiet_NaN(), "", "NaN"},
           Row{-std::numeric_limits<double>::infinity(), "m", "-inf m"},
           Row{std::numeric_limits<double>::max(), "", "1.798e308"},
           Row{std::numeric_limits<double>::denorm_min(), "", "4.941e-324"},
       })
    EXPECT_EQ(number_with_unit(row.value, row.unit), row.text);
}

TEST(UiText, BytesHaveTheUnitThatFits) {
  struct Row {
    double bytes;
    const char* text;
  };
  constexpr double kib = 1024, mib = kib * kib, gib = kib * mib;
  for (const Row& row :
       {Row{0, "0 B"}, Row{512, "512 B"}, Row{1023, "1023 B"}, Row{1023.6, "1 KiB"},
        Row{kib, "1 KiB"}, Row{1536, "1.5 KiB"}, Row{300 * mib, "300 MiB"},
        Row{300.4 * mib, "300 MiB"}, Row{100.3 * mib, "100 MiB"}, Row{1.5 * gib, "1.5 GiB"},
        Row{1023.7 * mib, "1 GiB"}, Row{99.96 * gib, "100 GiB"}, Row{80 * gib, "80 GiB"},
        Row{2048 * gib, "2 TiB"}})
    EXPECT_EQ(bytes_text(row.bytes), row.text) << row.bytes;
}

}  // namespace
}  // namespace mote::render::ui
