#include "render/shared_points.h"

#include <unistd.h>

#include <condition_variable>
#include <fstream>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

#include "render/gl/handle.h"
#include "render/gl/shader.h"
#include "tests/render/share_test.h"

namespace mote::render {
namespace {

using engine::Index;

INSTANTIATE_TEST_SUITE_P(By, OnEveryPath,
                         testing::Values(SharePath::mapped, SharePath::interop, SharePath::copy),
                         path_name);

TEST(SharedPoints, GrowByHalfAsFarAsPointsCanBeShown) {
  EXPECT_EQ(grown_capacity(0), 0);
  EXPECT_EQ(grown_capacity(1000), 1500);
  EXPECT_EQ(grown_capacity(300'000'000), max_shown);
  EXPECT_EQ(grown_capacity(max_shown), max_shown);
  EXPECT_EQ(grown_capacity(max_shown + 1), max_shown + 1);  // which is refused later, with a reason
}

TEST_P(OnEveryPath, WhatIsWrittenIsWhatIsShown) {
  constexpr Index count = 1000;
  const auto shared = open(count);
  EXPECT_EQ(shared->status().path, GetParam());
  for (int frame = 0; frame < 7; ++frame) {
    write_frame(*shared, writer(), Points::of_frame(frame, count));
    ASSERT_EQ(shared->shown().count, count);
    EXPECT_EQ(read_back(shared->shown()), Points::of_frame(frame, count)) << "frame " << frame;
    shared->drawn();
  }
}

TEST_P(OnEveryPath, RadiiComeWithThePointsThatHaveThem) {
  constexpr Index count = 700;
  const auto shared = open(count, true);
  for (int frame = 0; frame < 5; ++frame) {
    write_frame(*shared, writer(), Points::of_frame(frame, count, true));
    EXPECT_EQ(read_back(shared->shown()), Points::of_frame(frame, count, true))
        << "frame " << frame;
    shared->drawn();
  }
  EXPECT_EQ(next_target(*open(count)).radii, nullptr);
}

TEST_P(OnEveryPath, BeforeTheFirstFrameNothingIsShown) {
  const auto shared = open(10);
  EXPECT_EQ(shared->shown().count, 0);
  shared->drawn();
  const SharedTarget target = next_target(*shared);
  EXPECT_EQ(shared->shown().count, 0);
  shared->cancel(target);
  EXPECT_EQ(shared->shown().count, 0);
  EXPECT_EQ(shared->status().frames, 0U);
}

TEST_P(OnEveryPath, APlaceIsNeverWhatIsShown) {
  constexpr Index count = 500;
  const auto shared = open(count);
  write_frame(*shared, writer(), Points::of_frame(0, count));
  for (int frame = 1; frame < 10; ++frame) {
    const PointBuffers before = shared->shown();
    const SharedTarget target = next_target(*shared);
    writer().write(target, Points::of_frame(frame, count));
    EXPECT_EQ(read_back(shared->shown()), Points::of_frame(frame - 1, count)) << "frame " << frame;
    shared->drawn();
    shared->end(target);
    EXPECT_NE(shared->shown().positions, before.positions);
    EXPECT_NE(shared->shown().scalars, before.scalars);
  }
}

// Shown earlier, a frame would make the drawing wait for what the device has ahead of it.
TEST_P(OnEveryPath, ItIsKnownWhenAFrameIsWritten) {
  constexpr Index count = 1'000'000;
  const auto shared = open(count);
  for (int frame = 0; frame < 3; ++frame) {
    const SharedTarget target = next_target(*shared);
    writer().write(target, Points::of_frame(frame, count));
    while (!shared->is_written()) std::this_thread::yield();
    shared->wait_until_written();
    EXPECT_TRUE(shared->is_written());
    shared->end(target);
    EXPECT_EQ(read_back(shared->shown()), Points::of_frame(frame, count));
    shared->drawn();
  }
}

TEST_P(OnEveryPath, OnePlaceIsHandedOutAtATime) {
  const auto shared = open(10);
  const SharedTarget target = next_target(*shared);
  EXPECT_FALSE(shared->begin());
  shared->cancel(target);
  EXPECT_TRUE(shared->begin());
}

TEST_P(OnEveryPath, AFrameThatIsGivenUpIsNotShown) {
  constexpr Index count = 100;
  const auto shared = open(count);
  write_frame(*shared, writer(), Points::of_frame(0, count));
  for (int i = 0; i < 5; ++i) {
    const SharedTarget target = next_target(*shared);
    if (i % 2 == 0) writer().write(target, Points::of_frame(9, count));
    shared->cancel(target);
    EXPECT_EQ(read_back(shared->shown()), Points::of_frame(0, count));
  }
  EXPECT_EQ(shared->status().frames, 1U);
  write_frame(*shared, writer(), Points::of_frame(1, count));
  EXPECT_EQ(read_back(shared->shown()), Points::of_frame(1, count));
}

TEST_P(OnEveryPath, EveryByteThroughHostMemoryIsCounted) {
  constexpr Index count = 333;
  const auto shared = open(count);
  for (int frame = 0; frame < 12; ++frame)
    write_frame(*shared, writer(), Points::of_frame(frame, count));
  shared->cancel(next_target(*shared));
  EXPECT_EQ(shared->status().frames, 12U);
  EXPECT_EQ(shared->status().host_bytes, GetParam() == SharePath::interop ? 0U : 12U * 333U * 16U);
}

TEST_P(OnEveryPath, NoPointsAreAFrameToo) {
  const auto shared = open(0);
  for (int frame = 0; frame < 3; ++frame) write_frame(*shared, writer(), {});
  EXPECT_EQ(shared->shown().count, 0);
  EXPECT_NE(shared->shown().positions, 0U);
  EXPECT_EQ(shared->status().frames, 3U);
  EXPECT_EQ(shared->status().host_bytes, 0U);
}

TEST_P(OnEveryPath, AnotherNumberOfPointsIsAnotherObject) {
  auto shared = open(100);
  for (const Index count : {100, 1, 20000, 3}) {
    shared = open(count);
    write_frame(*shared, writer(), Points::of_frame(5, count));
    EXPECT_EQ(read_back(shared->shown()), Points::of_frame(5, count)) << count << " points";
  }
}

TEST_P(OnEveryPath, ItMayEndWhileAPlaceIsHandedOut) {
  for (const bool written : {false, true}) {
    const auto shared = open(1000);
    write_frame(*shared, writer(), Points::of_frame(0, 1000));
    const SharedTarget target = next_target(*shared);
    if (written) writer().write(target, Points::of_frame(1, 1000));
  }
}

/// The second byte count is that of five points modulo 2^64.
TEST_P(OnEveryPath, MorePointsThanAnyMachineHoldsAreRefused) {
  for (const Index count : {Index{1} << 58, (Index{1} << 62) + 5}) {
    try {
      open(count);
      ADD_FAILURE() << count << " points were accepted";
    } catch (const engine::SystemError& error) {
      EXPECT_NE(std::string(error.what()).find(std::to_string(count) + " points"),
                std::string::npos)
          << error.what();
    }
  }
  while (glGetError() != GL_NO_ERROR) {
  }
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitizers_keep_memory = true;
#else
constexpr bool sanitizers_keep_memory = false;
#endif

std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t pages = 0, resident = 0;
  file >> pages >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// A frame is 160 KB: keeping one in ten would show. The drivers' own threads keep far less than
/// the limit.
TEST_P(OnEveryPath, AThousandFramesLeaveNothingBehind) {
  constexpr Index count = 10000;
  const auto shared = open(count);
  const Points points[2] = {Points::of_frame(0, count), Points::of_frame(1, count)};
  std::size_t before = 0;
  for (int frame = 0; frame < 1100; ++frame) {
    if (frame == 100) before = resident_bytes();
    write_frame(*shared, writer(), points[frame % 2]);
    shared->shown();
    shared->drawn();
  }
  if (!sanitizers_keep_memory) {
    EXPECT_LT(resident_bytes(), before + (8 << 20));
  }
  EXPECT_EQ(read_back(shared->shown()), points[1]);
  EXPECT_EQ(shared->status().frames, 1100U);
}

/// Thousands of calls in every permitted order, against a simple model of what must be shown.
TEST_P(OnEveryPath, EveryOrderOfCallsShowsTheNewestFrame) {
  std::mt19937 random(20);
  std::unique_ptr<SharedPoints> shared;
  std::optional<SharedTarget> target;
  Index count = 0;
  int frame = 0, written = -1, shown = -1;
  std::uint64_t ended = 0;
  for (int call = 0; call < 4000; ++call) {
    const unsigned kind = shared ? random() % 32 : 0;
    if (kind == 0) {  // with or without an outstanding target
      count = static_cast<Index>(random() % 400);
      shared = open(count);
      target.reset();
      shown = -1;
      ended = 0;
    } else if (!target && kind < 24) {
      target = shared->begin();
      written = -1;
    } else if (target && kind < 12) {
      written = frame++;
      writer().write(*target, Points::of_frame(written, count));
    } else if (target && written >= 0 && kind < 20) {
      shared->end(*std::exchange(target, {}));
      shown = written;
      ++ended;
    } else if (target && kind < 22) {
      shared->cancel(*std::exchange(target, {}));
    } else if (kind < 28) {
      const PointBuffers buffers = shared->shown();
      ASSERT_EQ(buffers.count, shown < 0 ? 0 : count) << "call " << call;
      if (shown >= 0) {
        ASSERT_EQ(read_back(buffers), Points::of_frame(shown, count)) << "call " << call;
      }
    } else {
      shared->drawn();
    }
    ASSERT_EQ(shared->status().frames, ended);
  }
  EXPECT_GT(frame, 500);
}

/// A one-slot mailbox between two threads.
template <class T>
class Mailbox {
 public:
  void put(T value) {
    {
      const std::lock_guard lock(mutex_);
      value_ = std::move(value);
    }
    filled_.notify_one();
  }
  T take() {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [&] { return value_.has_value(); });
    T value = std::move(*value_);
    value_.reset();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable filled_;
  std::optional<T> value_;
};

/// As in the viewer: this thread shows and draws, another one steps and writes.
TEST_P(OnEveryPath, AnotherThreadWritesWhileThisOneDraws) {
  constexpr Index count = 2000;
  constexpr int frames = 200;
  const auto shared = open(count);
  Mailbox<SharedTarget> targets;
  Mailbox<int> written;
  std::thread simulation([&] {
    PointWriter own(on_gpu());
    for (int frame = 0; frame < frames; ++frame) {
      own.write(targets.take(), Points::of_frame(frame, count));
      written.put(frame);
    }
  });
  for (int frame = 0; frame < frames; ++frame) {
    const SharedTarget target = next_target(*shared);
    targets.put(target);
    if (frame > 0) {
      EXPECT_EQ(read_back(shared->shown()), Points::of_frame(frame - 1, count));
    }
    shared->drawn();
    EXPECT_EQ(written.take(), frame);
    shared->end(target);
  }
  simulation.join();
  EXPECT_EQ(read_back(shared->shown()), Points::of_frame(frames - 1, count));
}

constexpr const char* everywhere = R"(#version 450 core
void main() { gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0); }
)";
/// Reads every scalar at every pixel, which takes a while; white if all have the expected value.
constexpr const char* all_are_one = R"(#version 450 core
layout(std430, binding = 0) readonly buffer Scalars { float scalars[]; };
out vec4 color;
void main() {
  bool good = true;
  for (int i = 0; i < scalars.length(); ++i) good = good && scalars[i] == 1.0;
  color = vec4(good ? 1.0 : 0.0);
}
)";

ShaderHandle compiled(GLenum kind, const char* text) {
  ShaderHandle shader(glCreateShader(kind));
  glShaderSource(shader.name(), 1, &text, nullptr);
  glCompileShader(shader.name());
  return shader;
}

/// A picture that reads buffers of points for a long time.
class LongPicture {
 public:
  static constexpr int width = 64, height = 64;

  LongPicture()
      : program_(glCreateProgram()),
        image_(make_texture(GL_TEXTURE_2D)),
        target_(make_framebuffer()) {
    const ShaderHandle vertices = compiled(GL_VERTEX_SHADER, everywhere);
    const ShaderHandle pixels = compiled(GL_FRAGMENT_SHADER, all_are_one);
    glAttachShader(program_.name(), vertices.name());
    glAttachShader(program_.name(), pixels.name());
    glLinkProgram(program_.name());
    glTextureStorage2D(image_.name(), 1, GL_R8, width, height);
    glNamedFramebufferTexture(target_.name(), GL_COLOR_ATTACHMENT0, image_.name(), 0);
  }
  void draw(GLuint scalars) {
    glBindFramebuffer(GL_FRAMEBUFFER, target_.name());
    glViewport(0, 0, width, height);
    glBindVertexArray(vertices_.name());
    glUseProgram(program_.name());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, scalars);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glUseProgram(0);
    glBindVertexArray(0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
  }
  int white_pixels() const {
    std::vector<unsigned char> pixels(width * height);
    glGetTextureImage(image_.name(), 0, GL_RED, GL_UNSIGNED_BYTE, width * height, pixels.data());
    return static_cast<int>(std::count(pixels.begin(), pixels.end(), 255));
  }

 private:
  ProgramHandle program_;
  TextureHandle image_;
  FramebufferHandle target_;
  VertexArrayHandle vertices_ = make_vertex_array();
};

TEST_P(OnEveryPath, WhatIsStillBeingDrawnIsNotWritten) {
  constexpr Index count = 4096;
  const auto frame_of = [](float scalar) {
    return Points{std::vector<float>(3 * count), std::vector<float>(count, scalar)};
  };
  for (const bool says_drawn : {true, false}) {
    const auto shared = open(count);
    LongPicture picture;
    write_frame(*shared, writer(), frame_of(1));
    const GLuint slow = shared->shown().scalars;
    picture.draw(slow);
    if (says_drawn) shared->drawn();
    // Without `drawn`, the end of the next frame implies it.
    int others = 0;
    for (int frame = 0; frame < 6; ++frame, ++others) {
      write_frame(*shared, writer(), frame_of(2));
      if (shared->shown().scalars == slow) break;
    }
    EXPECT_GE(others, 1);
    EXPECT_EQ(picture.white_pixels(), LongPicture::width * LongPicture::height)
        << (says_drawn ? "with drawn()" : "without drawn()");
  }
}

}  // namespace
}  // namespace mote::render
