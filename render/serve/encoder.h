#pragma once

#include <memory>
#include <string>

#include "render/picture.h"
#include "render/serve/frame.h"

namespace mote::render::serve {

/// A frame is sent as a header of 12 bytes, little-endian, and the picture. In the header, byte 0
/// is the kind, and byte 1 is 1 if the frame needs no other; width and height (16 bits) begin at
/// bytes 2 and 4, the number (32 bits) at byte 8.
struct EncodedFrame : Frame {
  std::string bytes;
};

/// Encodes the pictures of one window, in order.
class Encoder {
 public:
  /// Returns "JPEG by libjpeg-turbo, H.264 by OpenH264 2.3.1", or why there is no H.264.
  static std::string name();

  Encoder();
  ~Encoder();
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;

  /// A frame of H.264 needs the last one before it unless `key`. Where H.264 cannot be had, the
  /// frame is JPEG. Throws engine::SystemError when a picture cannot be encoded.
  EncodedFrame encode(const Image& image, FrameKind kind, bool key = false);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace mote::render::serve
