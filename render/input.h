#pragma once

#include <cstdint>
#include <string>

namespace mote::render {

/// Keys by their label (US layout): letters are their capital letter, digits themselves, other
/// printing keys their character; the rest is named here.
enum class Key : int {
  none = 0,
  space = ' ',
  comma = ',',
  minus = '-',
  period = '.',
  equal = '=',
  left_bracket = '[',
  right_bracket = ']',
  escape = 256,
  enter,
  tab,
  backspace,
  insert,
  remove,
  right,
  left,
  down,
  up,
  page_up,
  page_down,
  home,
  end,
  f1 = 290,
  f2,
  f3,
  f4,
  f5,
  f6,
  f7,
  f8,
  f9,
  f10,
  f11,
  f12,
  left_shift = 340,
  left_control,
  left_alt
};

struct Modifiers {
  bool shift = false, control = false, alt = false;
};

/// One user action. Pixels are those of the surface, from its upper left corner.
struct InputEvent {
  enum class Kind {
    key_down,
    key_up,
    key_repeat,
    text,
    mouse_move,
    mouse_down,
    mouse_up,
    wheel,
    drop,
    close
  };
  Kind kind = Kind::mouse_move;
  Key key = Key::none;  ///< the key, for key events
  Modifiers modifiers = {};
  char32_t character = 0;  ///< the character, for text
  double x = 0, y = 0;     ///< position of the mouse [pixels]
  int button = 0;          ///< 0 left, 1 right, 2 middle
  double amount = 0;       ///< turn of the wheel [notches], > 0 away from the user
  std::string path = {};   ///< path of a file dropped on the window
};

/// A mouse event at a position; `button` for press and release.
InputEvent mouse_event(InputEvent::Kind kind, double x, double y, int button = 0);

/// Parses "Space", "Ctrl+Shift+S", "F9", ".", "Left", "a", as in help and scripts. False for an
/// unknown key.
bool parse_key(const std::string& text, Key& key, Modifiers& modifiers);
/// Name of a key with its modifiers, such as "Ctrl+Shift+S".
std::string text_of(Key key, const Modifiers& modifiers);

}  // namespace mote::render
