#pragma once

#include <memory>

#include "tests/render/gl_test.h"
#include "tests/render/point_writer.h"

namespace mote::render {

/// Content of the shown buffers.
inline Points read_back(const PointBuffers& shown) {
  Points read;
  read.positions.resize(static_cast<std::size_t>(3 * shown.count));
  read.scalars.resize(static_cast<std::size_t>(shown.count));
  const auto fill = [](GLuint buffer, std::vector<float>& values) {
    const auto bytes = static_cast<GLsizeiptr>(values.size() * sizeof(float));
    if (bytes > 0) glGetNamedBufferSubData(buffer, 0, bytes, values.data());
  };
  fill(shown.positions, read.positions);
  fill(shown.scalars, read.scalars);
  if (shown.radii != 0) {
    read.radii.resize(read.scalars.size());
    fill(shown.radii, read.radii);
  }
  return read;
}

/// The next target; waits while OpenGL still reads.
inline SharedTarget next_target(SharedPoints& shared) {
  for (;;) {
    if (const std::optional<SharedTarget> target = shared.begin()) return *target;
    glFinish();
  }
}

inline void write_frame(SharedPoints& shared, PointWriter& writer, const Points& points) {
  const SharedTarget target = next_target(shared);
  writer.write(target, points);
  shared.end(target);
}

/// Tests of shared points, once for each path; skipped if a path is unavailable.
class OnEveryPath : public GlTest, public testing::WithParamInterface<SharePath> {
 protected:
  void SetUp() override {
    GlTest::SetUp();
    if (IsSkipped()) return;
    if (on_gpu() && !no_stepping_gpu().empty()) GTEST_SKIP() << no_stepping_gpu();
    writer_ = std::make_unique<PointWriter>(on_gpu());
    if (GetParam() != SharePath::interop) return;
    const SharedPoints tried(1, 0, ShareRequest::automatic);
    if (tried.status().path != SharePath::interop) GTEST_SKIP() << tried.status().reason;
  }
  void TearDown() override {
    writer_.reset();
    if (IsSkipped()) return;
    EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
  }

  static bool on_gpu() { return GetParam() != SharePath::mapped; }
  static std::unique_ptr<SharedPoints> open(engine::Index count, bool radii = false) {
    const ShareRequest request = GetParam() == SharePath::interop ? ShareRequest::interop
                                 : GetParam() == SharePath::copy  ? ShareRequest::copy
                                                                  : ShareRequest::automatic;
    return std::make_unique<SharedPoints>(count, on_gpu() ? std::optional(0) : std::nullopt,
                                          request, radii);
  }
  PointWriter& writer() { return *writer_; }

 private:
  std::unique_ptr<PointWriter> writer_;
};

inline std::string path_name(const testing::TestParamInfo<SharePath>& info) {
  return info.param == SharePath::mapped    ? "mapped"
         : info.param == SharePath::interop ? "interop"
                                            : "copy";
}

}  // namespace mote::render
