#include "engine/check.h"
#include "render/serve/h264_encoder.h"

namespace mote::render::serve {

const OpenH264& openh264() {
  static const OpenH264 absent{"", "this build lacks OpenH264 (libopenh264-dev)"};
  return absent;
}

struct H264Encoder::Parts {};

H264Encoder::H264Encoder() {
  throw engine::SystemError("start the H.264 encoder", openh264().problem, "use JPEG");
}

H264Encoder::~H264Encoder() = default;

H264Encoder::Picture H264Encoder::encode(const Planes&, bool) {
  return {};
}

}  // namespace mote::render::serve
