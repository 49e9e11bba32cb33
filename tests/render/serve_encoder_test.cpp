// These tests decode what the page gets, with another decoder than OpenH264's own.
#include "render/serve/encoder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <vector>

#include "render/serve/h264_encoder.h"
#include "tests/support/temporary_folder.h"

namespace mote::render::serve {
namespace {

namespace fs = std::filesystem;

struct Color {
  int red, green, blue;
};
const std::vector<Color> colors = {{10, 10, 16},  {255, 255, 255}, {220, 40, 30},  {30, 200, 60},
                                   {40, 60, 230}, {240, 180, 20},  {128, 128, 128}};

/// Returns a picture of stripes of different colours, which a moment moves to the right.
Image stripes(int width, int height, int moment) {
  Image image{width, height, {}};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const auto stripe = static_cast<std::size_t>((x + 2000 - 2 * moment) / 24);
      const Color& color = colors[stripe % colors.size()];
      for (const int level : {color.red, color.green, color.blue})
        image.rgb.push_back(static_cast<std::uint8_t>(level));
    }
  return image;
}

class ServeEncoder : public testing::Test {
 protected:
  void SetUp() override {
    if (!openh264().problem.empty()) GTEST_SKIP() << openh264().problem;
    if (std::system("command -v ffmpeg >/dev/null 2>&1") != 0)
      GTEST_SKIP() << "the program ffmpeg is missing";
  }
  EncodedFrame encode(const Image& image, bool key = false) {
    EncodedFrame frame = encoder_.encode(image, FrameKind::h264, key);
    EXPECT_EQ(frame.kind, FrameKind::h264);
    return frame;
  }
  /// Decodes the frames of a stream; pictures have even sizes.
  std::vector<std::vector<std::uint8_t>> decode(const std::vector<EncodedFrame>& frames, int width,
                                                int height) const {
    const fs::path stream = folder_.path() / "a.h264", pictures = folder_.path() / "a.rgb";
    std::ofstream file(stream, std::ios::binary);
    for (const EncodedFrame& frame : frames) file << frame.bytes.substr(12);
    file.close();
    const std::string command = "ffmpeg -loglevel error -y -i " + stream.string() +
                                " -vsync passthrough -f rawvideo -pix_fmt rgb24 " +
                                pictures.string();
    EXPECT_EQ(std::system(command.c_str()), 0);
    std::ifstream raw(pictures, std::ios::binary);
    std::vector<std::vector<std::uint8_t>> decoded;
    std::vector<std::uint8_t> picture(static_cast<std::size_t>(3 * width * height));
    while (raw.read(reinterpret_cast<char*>(picture.data()),
                    static_cast<std::streamsize>(picture.size())))
      decoded.push_back(picture);
    return decoded;
  }

  Encoder encoder_;
  test::TemporaryFolder folder_;
};

/// Returns the mean difference of the middles of stripes, in greys.
double difference(const Image& image, const std::vector<std::uint8_t>& decoded, int width) {
  double sum = 0, count = 0;
  for (int y = 0; y < image.height; ++y)
    for (int x = 2; x < image.width - 2; ++x)
      for (int i = 0; i < 3; ++i) {
        const auto at = [&](int column, int across) {
          return static_cast<std::size_t>(3 * (y * across + column) + i);
        };
        // At the edges of stripes colours are coarser than the picture.
        if (image.rgb[at(x - 2, image.width)] != image.rgb[at(x + 2, image.width)]) continue;
        sum += std::abs(image.rgb[at(x, image.width)] - decoded[at(x, width)]);
        ++count;
      }
  return sum / count;
}

TEST_F(ServeEncoder, MakesAStreamOfThePicturesInTheirColors) {
  std::vector<EncodedFrame> frames;
  for (int moment = 0; moment < 12; ++moment) frames.push_back(encode(stripes(320, 180, moment)));
  EXPECT_LT(frames[5].bytes.size(), frames[0].bytes.size() / 3) << "the others have what is new";
  const auto decoded = decode(frames, 320, 180);
  ASSERT_EQ(decoded.size(), frames.size());
  for (int moment = 0; moment < 12; ++moment)
    EXPECT_LT(difference(stripes(320, 180, moment), decoded[static_cast<std::size_t>(moment)], 320),
              3)
        << moment;
}

TEST_F(ServeEncoder, MakesOddSizesEven) {
  const Image image = stripes(161, 91, 0);
  const EncodedFrame frame = encode(image);
  EXPECT_EQ(frame.bytes.substr(2, 4), std::string("\xa1\0\x5b\0", 4)) << "the page needs the size";
  const auto decoded = decode({frame}, 162, 92);
  ASSERT_EQ(decoded.size(), 1U);
  EXPECT_LT(difference(image, decoded[0], 162), 3);
}

TEST_F(ServeEncoder, SaysWhichFrameIsNeeded) {
  const Image image = stripes(64, 64, 0);
  const EncodedFrame first = encode(image);
  EXPECT_EQ(first.needs, 0U);
  EXPECT_EQ(first.bytes[1], 1);
  EXPECT_EQ(encode(image).needs, 1U);
  EXPECT_EQ(encoder_.encode(image, FrameKind::still).needs, 0U);
  const EncodedFrame next = encode(image);
  EXPECT_EQ(next.number, 4U);
  EXPECT_EQ(next.needs, 2U) << "a JPEG is no part of the stream";
  EXPECT_EQ(next.bytes[1], 0);
}

TEST_F(ServeEncoder, BeginsWithAKeyFrameOnRequestAndAfterAChangeOfSize) {
  encode(stripes(64, 64, 0));
  encode(stripes(64, 64, 1));
  const EncodedFrame key = encode(stripes(64, 64, 2), /*key=*/true);
  EXPECT_EQ(key.needs, 0U);
  EXPECT_LT(difference(stripes(64, 64, 2), decode({key}, 64, 64).at(0), 64), 3);
  EXPECT_EQ(encode(stripes(64, 64, 3)).needs, key.number);
  const EncodedFrame larger = encode(stripes(96, 64, 4));
  EXPECT_EQ(larger.needs, 0U);
  EXPECT_LT(difference(stripes(96, 64, 4), decode({larger}, 96, 64).at(0), 96), 3);
}

TEST_F(ServeEncoder, TakesTheLargestPictures) {
  for (const auto& [width, height] : {std::pair(3840, 2400), std::pair(8192, 1125)})
    EXPECT_EQ(encode(Image{width, height,
                           std::vector<std::uint8_t>(static_cast<std::size_t>(3 * width * height))})
                  .needs,
              0U);
}

TEST_F(ServeEncoder, SendsJpegOnceH264HasFailed) {
  const int width = 4400, height = 2400;  // more than H.264 has (36,864 blocks of 16 x 16)
  const Image image{width, height, std::vector<std::uint8_t>(std::size_t{3} * width * height)};
  EXPECT_EQ(encoder_.encode(image, FrameKind::h264).kind, FrameKind::jpeg);
  EXPECT_EQ(encoder_.encode(stripes(64, 64, 0), FrameKind::h264).kind, FrameKind::jpeg);
}

}  // namespace
}  // namespace mote::render::serve
