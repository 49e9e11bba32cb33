#include "render/serve/encoder.h"

#include <turbojpeg.h>

#include <algorithm>
#include <vector>

#include "engine/check.h"

namespace mote::render::serve {
namespace {

struct Header {
  FrameKind kind;
  int width, height;
  std::uint32_t number;

  std::string text() const {
    std::string bytes(12, '\0');
    const auto put = [&](std::size_t at, std::uint32_t value, int count) {
      for (int i = 0; i < count; ++i)
        bytes[at + static_cast<std::size_t>(i)] = static_cast<char>(value >> (8 * i));
    };
    put(0, static_cast<std::uint32_t>(kind), 1);
    put(2, static_cast<std::uint32_t>(width), 2);
    put(4, static_cast<std::uint32_t>(height), 2);
    put(8, number, 4);
    return bytes;
  }
};

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
  }
  ~Parts() { tjDestroy(handle); }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  tjhandle handle;
  std::vector<unsigned char> buffer;
  std::uint32_t number = 0;
};

Encoder::Encoder() : parts_(std::make_unique<Parts>()) {}

Encoder::~Encoder() = default;

const char* Encoder::name() {
  return "JPEG by libjpeg-turbo";
}

EncodedFrame Encoder::encode(const Image& image, FrameKind kind) {
  const Quality quality = kind == FrameKind::still ? still : moving;
  unsigned long size = tjBufSize(image.width, image.height, quality.sampling);
  parts_->buffer.resize(std::max<std::size_t>(parts_->buffer.size(), size));
  unsigned char* bytes = parts_->buffer.data();
  if (tjCompress2(parts_->handle, image.rgb.data(), image.width, 0, image.height, TJPF_RGB, &bytes,
                  &size, quality.sampling, quality.percent, TJFLAG_FASTDCT | TJFLAG_NOREALLOC) != 0)
    throw engine::SystemError("encode a picture", tjGetErrorStr2(parts_->handle),
                              "use a smaller window");
  EncodedFrame frame;
  frame.number = ++parts_->number;
  frame.bytes = Header{kind, image.width, image.height, frame.number}.text();
  frame.bytes.append(reinterpret_cast<const char*>(bytes), size);
  return frame;
}

}  // namespace mote::render::serve
