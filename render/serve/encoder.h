#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "render/picture.h"

namespace mote::render::serve {

/// How the bytes of a frame are to be read.
enum class FrameKind : std::uint8_t {
  jpeg = 1,   ///< a complete picture, with coarser colours while something moves
  still = 2,  ///< a complete picture, JPEG of high quality
};

/// A frame as pages get it: a header of 12 bytes, little-endian, and the picture. Of the header,
/// byte 0 is the kind, bytes 2 and 4 begin the width and the height (16 bits), byte 8 the number
/// (32 bits).
struct EncodedFrame {
  std::uint32_t number = 0;  ///< from 1
  std::string bytes;
};

/// Encodes the pictures of one window, in order.
class Encoder {
 public:
  /// "JPEG by libjpeg-turbo".
  static const char* name();

  Encoder();
  ~Encoder();
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;

  /// Throws engine::SystemError when a picture cannot be encoded.
  EncodedFrame encode(const Image& image, FrameKind kind);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace mote::render::serve
