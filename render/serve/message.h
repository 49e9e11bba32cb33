#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "render/input.h"

namespace mote::render::serve {

/// A ViewSize is the size of a page's picture.
struct ViewSize {
  int width = 0, height = 0;  ///< pixels of the display
  double ratio = 1;           ///< pixels of the display in one of the page
};

// A page sends the following messages.

/// A page sends this message first.
struct Hello {
  std::string token;
  ViewSize size;
  bool steer = true;      ///< wants to steer, if no page does
  std::string page = {};  ///< random, and the same when the page connects again; may be ""
  bool h264 = false;      ///< decodes H.264
};
struct Seen {
  std::uint32_t frame = 0;  ///< the page shows this frame
};
struct Visibility {
  bool hidden = false;  ///< the page is in a tab that is not shown
};
/// The page has a new decoder of H.264, which begins with a key frame, or none any more.
struct Decoder {
  bool h264 = false;
};
/// The page takes over from the one that steers.
struct Steer {};
/// The page wants new tokens, so that addresses that others have no longer work.
struct Renew {};
/// The page no longer has the keyboard: what is pressed counts as let go.
struct Release {};
struct Clipboard {
  std::string text;  ///< to be pasted
};

using Message = std::variant<Hello, ViewSize, Seen, Visibility, Decoder, Steer, Renew, Release,
                             Clipboard, std::vector<InputEvent>>;

/// A MessageError says why a message is refused: its page is not ours, or is broken.
class MessageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Longer messages are refused [bytes].
inline constexpr std::size_t longest_message = 64 * 1024;

/// Reads a message, a JSON object with its `type`. Throws MessageError for anything else, and for
/// numbers that no page has.
Message read_message(std::string_view text);

}  // namespace mote::render::serve
