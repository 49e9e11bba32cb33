#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "render/picture.h"

namespace mote::render::serve {

/// The kind says how the bytes of a frame are to be read.
enum class FrameKind : std::uint8_t {
  jpeg = 1,   ///< a complete picture, with coarser colours while something moves
  still = 2,  ///< a complete picture, JPEG of high quality
};

/// A frame is sent as a header of 12 bytes, little-endian, and the picture. In the header, byte 0
/// is the kind; width and height (16 bits) begin at bytes 2 and 4, the number (32 bits) at byte 8.
struct EncodedFrame {
  std::uint32_t number = 0;  ///< from 1
  std::string bytes;
};

/// Encodes the pictures of one window, in order.
class Encoder {
 public:
  /// Returns "JPEG by libjpeg-turbo".
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
