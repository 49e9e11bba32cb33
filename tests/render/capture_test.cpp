#include "render/capture.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <stb_image.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>

#include "engine/check.h"
#include "engine/files.h"
#include "engine/log.h"
#include "render/piped_program.h"
#include "tests/support/temporary_folder.h"

namespace mote::render {
namespace {

using test::Environment;
using test::TemporaryFolder;
namespace fs = std::filesystem;

Image gradient(int width, int height, int shift = 0) {
  Image image{width, height, {}};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < 3; ++c)
        image.rgb.push_back(static_cast<std::uint8_t>(x * 3 + y * 5 + c * 70 + shift));
  return image;
}

/// Standard output of a command.
std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  for (int c; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  pclose(pipe);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

std::string probe(const fs::path& movie, const std::string& entries) {
  return output_of("ffprobe -v error -count_frames -select_streams v:0 -show_entries stream=" +
                   entries + " -of csv=p=0 " + movie.string());
}

void write_program(const fs::path& path, const std::string& text) {
  engine::write_file(path, text);
  chmod(path.c_str(), 0755);
}

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(Png, ReadsBackAsItWas) {
  const TemporaryFolder folder;
  const Image image = gradient(37, 21);
  write_png(folder.path() / "a.png", image);
  int width = 0, height = 0, channels = 0;
  unsigned char* read = stbi_load((folder.path() / "a.png").c_str(), &width, &height, &channels, 0);
  ASSERT_NE(read, nullptr);
  EXPECT_EQ(width, 37);
  EXPECT_EQ(height, 21);
  EXPECT_EQ(channels, 3);
  EXPECT_EQ(std::vector<std::uint8_t>(read, read + image.rgb.size()), image.rgb);
  stbi_image_free(read);
  EXPECT_EQ(files_in(folder.path()), 1u) << "something was left behind";
}

TEST(Png, AnImpossiblePathIsNamed) {
  try {
    write_png("/nowhere/at/all.png", gradient(4, 4));
    FAIL() << "written";
  } catch (const engine::SystemError& error) {
    EXPECT_NE(std::string(error.what()).find("/nowhere/at/all.png"), std::string::npos);
  }
}

class MovieWithFfmpeg : public testing::Test {
 protected:
  void SetUp() override {
    if (!program_named("ffmpeg") || !program_named("ffprobe"))
      GTEST_SKIP() << "ffmpeg or ffprobe is not on PATH";
  }
  TemporaryFolder folder_;
  fs::path path_ = folder_.path() / "movie.mp4";
};

TEST_F(MovieWithFfmpeg, HasThePicturesThatWereAdded) {
  Movie movie(path_, 25);
  for (int i = 0; i < 12; ++i) movie.add(gradient(64, 48, i));
  EXPECT_FALSE(fs::exists(path_)) << "visible before it is whole";
  EXPECT_EQ(movie.finish(), path_);
  EXPECT_EQ(probe(path_, "codec_name,width,height,pix_fmt,r_frame_rate,nb_read_frames"),
            "h264,64,48,yuv420p,25/1,12");
  EXPECT_EQ(files_in(folder_.path()), 1u) << "something was left behind";
}

TEST_F(MovieWithFfmpeg, KeepsTheColours) {
  Movie movie(path_);
  Image image{64, 64, {}};
  for (int i = 0; i < 64 * 64; ++i) image.rgb.insert(image.rgb.end(), {200, 90, 40});
  for (int i = 0; i < 3; ++i) movie.add(image);
  movie.finish();
  const std::string bytes = output_of("ffmpeg -v error -i " + path_.string() +
                                      " -frames:v 1 -f rawvideo -pix_fmt rgb24 - | head -c 3");
  ASSERT_EQ(bytes.size(), 3u);
  EXPECT_NEAR(static_cast<unsigned char>(bytes[0]), 200, 4);
  EXPECT_NEAR(static_cast<unsigned char>(bytes[1]), 90, 4);
  EXPECT_NEAR(static_cast<unsigned char>(bytes[2]), 40, 4);
}

TEST_F(MovieWithFfmpeg, OddSizesBecomeEven) {
  Movie movie(path_);
  for (int i = 0; i < 2; ++i) movie.add(gradient(63, 47));
  movie.finish();
  EXPECT_EQ(probe(path_, "width,height"), "64,48");
}

TEST_F(MovieWithFfmpeg, UnfinishedLeavesNothing) {
  {
    Movie movie(path_);
    // Waits for ffmpeg's file; ffmpeg buffers its first part for a while.
    for (int i = 0; i < 2000 && files_in(folder_.path()) == 0; ++i)
      movie.add(gradient(320, 240, i));
    ASSERT_EQ(files_in(folder_.path()), 1u);
  }
  EXPECT_EQ(files_in(folder_.path()), 0u);
}

TEST_F(MovieWithFfmpeg, UnfinishedLeavesAnEarlierMovieAsItWas) {
  engine::write_file(path_, "earlier");
  {
    Movie movie(path_);
    movie.add(gradient(64, 48));
  }
  EXPECT_EQ(engine::read_file(path_), "earlier");
}

TEST_F(MovieWithFfmpeg, PicturesOfAnotherSizeAreRefused) {
  Movie movie(path_);
  movie.add(gradient(64, 48));
  EXPECT_THROW(movie.add(gradient(48, 64)), engine::SystemError);
}

TEST_F(MovieWithFfmpeg, WithoutPicturesThereIsNone) {
  Movie movie(path_);
  EXPECT_EQ(movie.finish(), fs::path());
  EXPECT_EQ(files_in(folder_.path()), 0u);
}

TEST(Movie, OfAFolderThatIsNotThereIsRefusedAtOnce) {
  EXPECT_THROW(Movie("/nowhere/at/all.mp4"), engine::SystemError);
}

TEST(Movie, AnFfmpegThatDiesGivesItsLastWordsAndNoSignal) {
  const TemporaryFolder folder;
  write_program(folder.path() / "ffmpeg", "#!/bin/sh\necho 'the disk is on fire' >&2\nexit 7\n");
  const Environment path("PATH", folder.path().string() + ":/usr/bin:/bin");
  signal(SIGPIPE, SIG_DFL);  // a SIGPIPE would end the test
  Movie movie(folder.path() / "movie.mp4");
  try {
    for (int i = 0; i < 100; ++i) movie.add(gradient(320, 240));
    movie.finish();
    FAIL() << "no error";
  } catch (const engine::SystemError& error) {
    EXPECT_NE(std::string(error.what()).find("the disk is on fire"), std::string::npos)
        << error.what();
  }
  EXPECT_FALSE(fs::exists(folder.path() / "movie.mp4"));
}

TEST(Movie, AnFfmpegThatFailsAtTheEndIsNotASuccess) {
  const TemporaryFolder folder;
  write_program(folder.path() / "ffmpeg",
                "#!/bin/sh\ncat >/dev/null\necho 'no space left' >&2\nexit 1\n");
  const Environment path("PATH", folder.path().string() + ":/usr/bin:/bin");
  Movie movie(folder.path() / "movie.mp4");
  movie.add(gradient(64, 48));
  try {
    movie.finish();
    FAIL() << "no error";
  } catch (const engine::SystemError& error) {
    EXPECT_NE(std::string(error.what()).find("no space left"), std::string::npos) << error.what();
  }
}

TEST(Movie, WithoutFfmpegBecomesASequenceAndSaysSoOnce) {
  const TemporaryFolder folder;
  const Environment path("PATH", "");
  const engine::LogLines said;
  fs::create_directory(folder.path() / "frames");
  engine::write_file(folder.path() / "frames/frame_000004.png", "of a longer sequence before");

  Movie movie(folder.path() / "movie.mp4");
  for (int i = 0; i < 3; ++i) movie.add(gradient(31, 17, i));
  EXPECT_EQ(movie.finish(), folder.path() / "frames");

  EXPECT_EQ(files_in(folder.path() / "frames"), 3u);
  EXPECT_TRUE(fs::exists(folder.path() / "frames/frame_000001.png"));
  EXPECT_TRUE(fs::exists(folder.path() / "frames/frame_000003.png"));
  EXPECT_FALSE(fs::exists(folder.path() / "movie.mp4"));
  const std::vector<std::string> lines = said.lines();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("warning: "), std::string::npos) << lines[0];
  EXPECT_NE(lines[0].find("ffmpeg"), std::string::npos) << lines[0];
}

TEST(PipedProgram, ThatCannotStartIsNamed) {
  EXPECT_THROW(PipedProgram("/nowhere/at/all", {}), engine::SystemError);
}

TEST(PipedProgram, IsFoundOnPathOnly) {
  EXPECT_TRUE(program_named("sh"));
  EXPECT_FALSE(program_named("no-such-program-here"));
}

}  // namespace
}  // namespace mote::render
