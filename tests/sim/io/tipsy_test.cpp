#include "sim/io/tipsy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "engine/check.h"
#include "tests/support/temporary_folder.h"

namespace mote::sim {
namespace {

using test::message_of;

/// Builds a TIPSY file as its manual describes it, byte by byte.
class TipsyFile {
 public:
  explicit TipsyFile(bool big_endian) : big_endian_(big_endian) {}

  template <class T>
  TipsyFile& put(T value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    if (big_endian_) std::reverse(bytes, bytes + sizeof value);
    text_.append(bytes, sizeof value);
    return *this;
  }
  TipsyFile& header(int gas, int dark, int stars, bool padded = true, int dimensions = 3) {
    put(0.25).put(gas + dark + stars).put(dimensions).put(gas).put(dark).put(stars);
    return padded ? put(0) : *this;
  }
  /// mass, x, y, z, vx, vy, vz are `first`, `first` + 1, ...; `more` further numbers follow.
  TipsyFile& particle(float first, int more) {
    for (int i = 0; i < 7; ++i) put(first + static_cast<float>(i));
    for (int i = 0; i < more; ++i) put(-99.0f);
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  bool big_endian_;
  std::string text_;
};

class Tipsy : public testing::Test {
 protected:
  Bodies read(const std::string& text) { return read_bodies_tipsy(folder_.file("a.tipsy", text)); }
  std::string complaint(const std::string& text) {
    std::string all = message_of<engine::InputError>([&] { read(text); });
    const std::string folder = (folder_ / "").string();
    if (all.starts_with(folder)) all.erase(0, folder.size());
    return all.substr(0, all.find("; mote reads"));
  }
  test::TemporaryFolder folder_;
};

TEST_F(Tipsy, IsReadInEitherByteOrderWithAndWithoutPadding) {
  for (const bool big : {true, false})
    for (const bool padded : {true, false}) {
      const Bodies b = read(TipsyFile(big)
                                .header(1, 2, 1, padded)
                                .particle(1, 5)
                                .particle(10, 2)
                                .particle(20, 2)
                                .particle(30, 4)
                                .text());
      ASSERT_EQ(b.count(), 4);
      EXPECT_EQ(b.mass, (std::vector<double>{1, 10, 20, 30}));
      EXPECT_EQ(b.position[3].z, 33);
      EXPECT_EQ(b.velocity[0].x, 5);
      EXPECT_EQ(b.velocity[2].z, 26);
    }
}

TEST_F(Tipsy, OfMoreThanOneBlockIsReadCompletely) {
  TipsyFile file(true);
  file.header(0, 10000, 0);
  for (int i = 0; i < 10000; ++i) file.particle(static_cast<float>(i), 2);
  const Bodies b = read(file.text());
  ASSERT_EQ(b.count(), 10000);
  EXPECT_EQ(b.mass[9999], 9999);
}

TEST_F(Tipsy, ThatIsBrokenIsRejectedWithOneLine) {
  const std::string good = TipsyFile(true).header(0, 1, 0).particle(1, 2).text();
  EXPECT_EQ(complaint(""), "a.tipsy: is too short for a TIPSY file");
  EXPECT_EQ(complaint(good.substr(0, 60)),
            "a.tipsy: has 60 bytes, but its header announces 1 bodies, which are 68 bytes");
  EXPECT_EQ(complaint(good + "x"),
            "a.tipsy: has 69 bytes, but its header announces 1 bodies, which are 68 bytes");
  EXPECT_EQ(complaint(TipsyFile(true).header(0, 1, 0, true, 2).particle(1, 2).text()),
            "a.tipsy: is not a TIPSY file: its header does not announce 3 dimensions");
  EXPECT_EQ(
      complaint(
          TipsyFile(true).put(0.0).put(2).put(3).put(0).put(1).put(0).put(0).particle(1, 2).text()),
      "a.tipsy: its header announces 2 bodies, but 1 of gas, dark matter and stars");
  EXPECT_EQ(complaint(TipsyFile(false).header(0x7fffffff, 0, 0).text()),
            "a.tipsy: has 32 bytes, but its header announces 2147483647 bodies, which are "
            "103079215088 bytes");
}

TEST_F(Tipsy, RejectsInvalidNumbers) {
  EXPECT_EQ(complaint(TipsyFile(true).header(0, 0, 1).particle(-1, 4).text()),
            "a.tipsy: star particle 1 has a negative mass");
  EXPECT_EQ(complaint(TipsyFile(true)
                          .header(1, 0, 0)
                          .particle(std::numeric_limits<float>::infinity(), 5)
                          .text()),
            "a.tipsy: gas particle 1 holds a number that is not finite");
}

}  // namespace
}  // namespace mote::sim
