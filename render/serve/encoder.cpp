#include "render/serve/encoder.h"

#include <turbojpeg.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "engine/check.h"
#include "engine/log.h"
#include "render/serve/h264_encoder.h"

namespace mote::render::serve {
namespace {

std::string header(const Frame& frame, int width, int height) {
  std::string bytes(12, '\0');
  const auto put = [&](std::size_t at, std::uint32_t value, int count) {
    for (int i = 0; i < count; ++i)
      bytes[at + static_cast<std::size_t>(i)] = static_cast<char>(value >> (8 * i));
  };
  put(0, static_cast<std::uint32_t>(frame.kind), 1);
  put(1, frame.needs == 0 ? 1 : 0, 1);
  put(2, static_cast<std::uint32_t>(width), 2);
  put(4, static_cast<std::uint32_t>(height), 2);
  put(8, frame.number, 4);
  return bytes;
}

/// While something moves colours may be coarser than brightness, which takes half of the time; in a
/// still picture words are sharp.
struct Quality {
  int percent, sampling;
};
constexpr Quality moving{80, TJSAMP_420}, still{95, TJSAMP_444};

}  // namespace

struct Encoder::Parts {
  Parts() : handle(tjInitCompress()) {
    if (!handle)
      throw engine::SystemError("start the JPEG encoder", tjGetErrorStr2(nullptr),
                                "close other programs, if memory is short");
    if (openh264().problem.empty()) h264 = std::make_unique<H264Encoder>();
  }
  ~Parts() { tjDestroy(handle); }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  void check(int error) const {
    if (error != 0)
      throw engine::SystemError("encode a picture", tjGetErrorStr2(handle), "use a smaller window");
  }
  std::string jpeg(const Image& image, const Quality& quality);
  const Planes& planes_of(const Image& image);

  tjhandle handle;
  std::vector<unsigned char> buffer;
  Planes planes;
  std::unique_ptr<H264Encoder> h264;  // none where there is no H.264
  std::uint32_t number = 0;           // of the last frame
  std::uint32_t coded = 0;            // number of the last one of H.264
};

std::string Encoder::Parts::jpeg(const Image& image, const Quality& quality) {
  unsigned long size = tjBufSize(image.width, image.height, quality.sampling);
  buffer.resize(std::max<std::size_t>(buffer.size(), size));
  unsigned char* bytes = buffer.data();
  check(tjCompress2(handle, image.rgb.data(), image.width, 0, image.height, TJPF_RGB, &bytes, &size,
                    quality.sampling, quality.percent, TJFLAG_FASTDCT | TJFLAG_NOREALLOC));
  return {reinterpret_cast<const char*>(bytes), size};
}

/// A side of odd length gets a further pixel like its last one.
const Planes& Encoder::Parts::planes_of(const Image& image) {
  planes.width = tjPlaneWidth(0, image.width, TJSAMP_420);
  planes.height = tjPlaneHeight(0, image.height, TJSAMP_420);
  std::array<unsigned char*, 3> data{};
  for (int i = 0; i < 3; ++i) {
    auto& samples = planes.samples[static_cast<std::size_t>(i)];
    samples.resize(tjPlaneSizeYUV(i, image.width, 0, image.height, TJSAMP_420));
    data[static_cast<std::size_t>(i)] = samples.data();
  }
  check(tjEncodeYUVPlanes(handle, image.rgb.data(), image.width, 0, image.height, TJPF_RGB,
                          data.data(), nullptr, TJSAMP_420, 0));
  return planes;
}

Encoder::Encoder() : parts_(std::make_unique<Parts>()) {}

Encoder::~Encoder() = default;

std::string Encoder::name() {
  const OpenH264& found = openh264();
  return "JPEG by libjpeg-turbo, " + (found.problem.empty() ? "H.264 by OpenH264 " + found.version
                                                            : "no H.264 (" + found.problem + ")");
}

EncodedFrame Encoder::encode(const Image& image, FrameKind kind, bool key) {
  Parts& p = *parts_;
  EncodedFrame frame;
  frame.kind = kind == FrameKind::still ? kind : FrameKind::jpeg;
  frame.number = p.number + 1;
  std::string bytes;
  if (kind == FrameKind::h264 && p.h264) try {
      H264Encoder::Picture picture = p.h264->encode(p.planes_of(image), key);
      frame.kind = FrameKind::h264;
      frame.needs = picture.key ? 0 : p.coded;
      bytes = std::move(picture.bytes);
    } catch (const engine::SystemError& e) {
      engine::log().warn("pictures are sent as JPEG from here on: {}", e.what());
      p.h264.reset();
    }
  if (frame.kind != FrameKind::h264)
    bytes = p.jpeg(image, kind == FrameKind::still ? still : moving);
  p.number = frame.number;
  if (frame.kind == FrameKind::h264) p.coded = frame.number;
  frame.bytes = header(frame, image.width, image.height) + bytes;
  return frame;
}

}  // namespace mote::render::serve
