#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace mote::render::serve {

/// OpenH264, Cisco's encoder, loaded with dlopen: builds and machines without it work, and mote
/// distributes nothing that is subject to the patents of H.264.
struct OpenH264 {
  std::string version;  ///< "2.3.1", or "" if it cannot be used
  std::string problem;  ///< why it cannot be used, with the remedy, or empty
};
/// Looks for the library that MOTE_OPENH264 names, otherwise for the usual one.
const OpenH264& openh264();

/// A picture as brightness and two colours of half its width and height (I420), in the matrix and
/// the full range of JPEG (BT.601).
struct Planes {
  int width = 0, height = 0;  ///< pixels, even
  std::array<std::vector<unsigned char>, 3> samples;
};

/// Encodes a stream of H.264 in Annex B, of constrained baseline profile. A picture of another
/// size begins a new stream.
class H264Encoder {
 public:
  struct Picture {
    std::string bytes;
    bool key = false;  ///< needs no picture before it
  };

  /// Throws engine::SystemError if OpenH264 cannot be used.
  H264Encoder();
  ~H264Encoder();
  H264Encoder(const H264Encoder&) = delete;
  H264Encoder& operator=(const H264Encoder&) = delete;

  /// Throws engine::SystemError if the encoder fails, as for sizes that H.264 does not have.
  Picture encode(const Planes& planes, bool key);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace mote::render::serve
