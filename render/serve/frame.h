#pragma once

#include <cstdint>

namespace mote::render::serve {

/// The kind says how the bytes of a frame are to be read.
enum class FrameKind : std::uint8_t {
  jpeg = 1,   ///< a complete picture, with coarser colours while something moves
  still = 2,  ///< a complete picture, JPEG of high quality
  h264 = 3,   ///< a picture of a stream of H.264 (Annex B), without what equals the one before
};

/// A Frame has the properties of a frame that decide which pages can decode it.
struct Frame {
  FrameKind kind = FrameKind::jpeg;
  std::uint32_t number = 0;  ///< from 1
  std::uint32_t needs = 0;   ///< the frame that a page must have decoded just before; 0: none
};

}  // namespace mote::render::serve
