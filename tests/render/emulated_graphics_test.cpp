#include <GL/glew.h>
#include <cuda_gl_interop.h>

#include <cstring>
#include <thread>
#include <vector>

#include "render/gl/handle.h"
#include "tests/emulator/emulator_test.h"
#include "tests/emulator/gl/graphics.h"
#include "tests/render/gl_test.h"

/// The emulated CUDA enforces the documented rules for OpenGL buffers.
namespace mote::render {
namespace {

constexpr std::size_t bytes = 1000;

class EmulatedGraphics : public GlTest {
 protected:
  void SetUp() override {
    GlTest::SetUp();
    if (IsSkipped()) return;
    ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
    ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    buffer = new_buffer();
    ASSERT_EQ(cudaGraphicsGLRegisterBuffer(&resource, buffer.name(),
                                           cudaGraphicsRegisterFlagsWriteDiscard),
              cudaSuccess);
  }
  void TearDown() override {
    if (IsSkipped()) return;
    EXPECT_EQ(cudaGraphicsUnregisterResource(resource), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    EXPECT_EQ(emulator::registered_buffers(), 0U);
    cudaGetLastError();
  }

  static BufferHandle new_buffer() {
    BufferHandle made = make_buffer();
    const std::vector<char> content(bytes, 'a');
    glNamedBufferStorage(made.name(), bytes, content.data(), 0);
    return made;
  }
  std::vector<char> content() const {
    std::vector<char> read(bytes);
    glGetNamedBufferSubData(buffer.name(), 0, bytes, read.data());
    return read;
  }
  void* mapped() {
    void* pointer = nullptr;
    std::size_t size = 0;
    EXPECT_EQ(cudaGraphicsMapResources(1, &resource, stream), cudaSuccess);
    EXPECT_EQ(cudaGraphicsResourceGetMappedPointer(&pointer, &size, resource), cudaSuccess);
    EXPECT_EQ(size, bytes);
    return pointer;
  }
  void unmap() { EXPECT_EQ(cudaGraphicsUnmapResources(1, &resource, stream), cudaSuccess); }

  cudaStream_t stream = nullptr;
  BufferHandle buffer;
  cudaGraphicsResource_t resource = nullptr;
};

TEST_F(EmulatedGraphics, OpenGlSeesWhatWasWrittenOnceItIsUnmapped) {
  void* pointer = mapped();
  EXPECT_EQ(cudaMemsetAsync(pointer, 'b', bytes, stream), cudaSuccess);
  EXPECT_NE(content()[0], 'b');
  unmap();
  EXPECT_EQ(content(), std::vector<char>(bytes, 'b'));
}

TEST_F(EmulatedGraphics, WhatIsNotWrittenIsGarbageOnBothSides) {
  char first = 'a';
  void* pointer = mapped();
  EXPECT_EQ(cudaMemcpy(&first, pointer, 1, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_NE(first, 'a');
  EXPECT_NE(content()[0], 'a');
  unmap();
  EXPECT_NE(content()[0], 'a');
}

TEST_F(EmulatedGraphics, WithoutDiscardTheContentStays) {
  ASSERT_EQ(cudaGraphicsUnregisterResource(resource), cudaSuccess);
  ASSERT_EQ(cudaGraphicsGLRegisterBuffer(&resource, buffer.name(), cudaGraphicsRegisterFlagsNone),
            cudaSuccess);
  mapped();
  unmap();
  EXPECT_EQ(content(), std::vector<char>(bytes, 'a'));
}

TEST_F(EmulatedGraphics, APointerDiesWhenTheBufferIsUnmapped) {
  void* pointer = mapped();
  unmap();
  std::size_t size = 0;
  EXPECT_EQ(cudaMemsetAsync(pointer, 0, bytes, stream), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphicsResourceGetMappedPointer(&pointer, &size, resource), cudaErrorUnknown);
}

TEST_F(EmulatedGraphics, MappingAndUnmappingTwiceAreErrors) {
  EXPECT_EQ(cudaGraphicsUnmapResources(1, &resource, stream), cudaErrorUnknown);
  mapped();
  EXPECT_EQ(cudaGraphicsMapResources(1, &resource, stream), cudaErrorUnknown);
  EXPECT_EQ(cudaGraphicsUnregisterResource(resource), cudaErrorUnknown);
  unmap();
  EXPECT_EQ(cudaGraphicsUnmapResources(1, &resource, stream), cudaErrorUnknown);
  cudaGraphicsResource_t twice[2] = {resource, resource};
  EXPECT_EQ(cudaGraphicsMapResources(2, twice, stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(emulator::mapped_buffers(), 0U);
}

TEST_F(EmulatedGraphics, NothingGoesWithoutAContext) {
  std::thread([&] {
    unsigned count = 7;
    int device = -1;
    cudaGraphicsResource_t other = nullptr;
    EXPECT_EQ(cudaGLGetDevices(&count, &device, 1, cudaGLDeviceListAll),
              cudaErrorInvalidGraphicsContext);
    EXPECT_EQ(count, 0U);
    EXPECT_EQ(cudaGraphicsGLRegisterBuffer(&other, buffer.name(), 0),
              cudaErrorInvalidGraphicsContext);
    EXPECT_EQ(cudaGraphicsMapResources(1, &resource, stream), cudaErrorInvalidGraphicsContext);
    EXPECT_EQ(cudaGraphicsUnregisterResource(resource), cudaErrorInvalidGraphicsContext);
  }).join();
}

TEST_F(EmulatedGraphics, OnlyBuffersThatOpenGlHasFreeCanBeRegistered) {
  cudaGraphicsResource_t other = nullptr;
  EXPECT_EQ(cudaGraphicsGLRegisterBuffer(&other, buffer.name(), 0), cudaErrorInvalidValue)
      << "twice";
  EXPECT_EQ(cudaGraphicsGLRegisterBuffer(&other, 4711, 0), cudaErrorInvalidValue) << "no buffer";
  const BufferHandle open = make_buffer();
  glNamedBufferStorage(open.name(), 16, nullptr, GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT);
  ASSERT_NE(glMapNamedBufferRange(open.name(), 0, 16, GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT),
            nullptr);
  EXPECT_EQ(cudaGraphicsGLRegisterBuffer(&other, open.name(), 0), cudaErrorInvalidValue)
      << "mapped by OpenGL";
  EXPECT_EQ(other, nullptr);
}

TEST_F(EmulatedGraphics, DeviceZeroDrawsUnlessItIsSwitchedOff) {
  unsigned count = 0;
  int device = -1;
  EXPECT_EQ(cudaGLGetDevices(&count, &device, 1, cudaGLDeviceListAll), cudaSuccess);
  EXPECT_EQ(count, 1U);
  EXPECT_EQ(device, 0);
  setenv("MOTE_EMULATOR_NO_INTEROP", "1", 1);
  EXPECT_EQ(cudaGLGetDevices(&count, &device, 1, cudaGLDeviceListAll), cudaErrorNoDevice);
  EXPECT_EQ(count, 0U);
  unsetenv("MOTE_EMULATOR_NO_INTEROP");
}

using EmulatedGraphicsDeathTest = EmulatedGraphics;

TEST_F(EmulatedGraphicsDeathTest, ABufferThatIsDeletedBeforeItIsUnregistered) {
  EXPECT_DEATH(
      {
        buffer = {};
        cudaGraphicsUnregisterResource(resource);
      },
      "was deleted while CUDA had it registered");
}

class TwoStreamsDeathTest : public EmulatedGraphics {
 protected:
  void SetUp() override {
    EmulatedGraphics::SetUp();
    if (IsSkipped()) return;
    ASSERT_EQ(cudaStreamCreateWithFlags(&writer, cudaStreamNonBlocking), cudaSuccess);
    ASSERT_EQ(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), cudaSuccess);
  }
  void TearDown() override {
    if (!IsSkipped()) {
      EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
      EXPECT_EQ(cudaStreamDestroy(writer), cudaSuccess);
    }
    EmulatedGraphics::TearDown();
  }
  void follow(cudaStream_t later, cudaStream_t earlier) {
    EXPECT_EQ(cudaEventRecord(event, earlier), cudaSuccess);
    EXPECT_EQ(cudaStreamWaitEvent(later, event), cudaSuccess);
  }

  cudaStream_t writer = nullptr;
  cudaEvent_t event = nullptr;
};

TEST_F(TwoStreamsDeathTest, MayUseABufferOneBehindTheOther) {
  for (int frame = 0; frame < 3; ++frame) {
    void* pointer = mapped();
    follow(writer, stream);
    EXPECT_EQ(cudaMemsetAsync(pointer, 'c', bytes, writer), cudaSuccess);
    follow(stream, writer);
    unmap();
  }
  EXPECT_EQ(content(), std::vector<char>(bytes, 'c'));
}

TEST_F(TwoStreamsDeathTest, MayUseItWhenTheHostHasWaited) {
  void* pointer = mapped();
  follow(writer, stream);
  EXPECT_EQ(cudaMemsetAsync(pointer, 'c', bytes, writer), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(writer), cudaSuccess);
  unmap();
}

TEST_F(TwoStreamsDeathTest, WritingBeforeTheBufferIsMappedIsSeen) {
  void* pointer = mapped();
  EXPECT_DEATH(cudaMemsetAsync(pointer, 'c', bytes, writer), "without waiting for it");
  unmap();
}

TEST_F(TwoStreamsDeathTest, UnmappingBeforeTheWriterIsDoneIsSeen) {
  void* pointer = mapped();
  follow(writer, stream);
  EXPECT_EQ(cudaMemsetAsync(pointer, 'c', bytes, writer), cudaSuccess);
  EXPECT_DEATH(unmap(), "while a stream may still write it");
  follow(stream, writer);
  unmap();
}

}  // namespace
}  // namespace mote::render
