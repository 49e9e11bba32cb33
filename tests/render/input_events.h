#pragma once

#include "render/input.h"

namespace mote::render {

// User input as events of a surface.

inline InputEvent mouse(InputEvent::Kind kind, double x, double y, int button = 0,
                        Modifiers held = {}) {
  InputEvent event;
  event.kind = kind;
  event.x = x;
  event.y = y;
  event.button = button;
  event.modifiers = held;
  return event;
}

inline InputEvent wheel(double amount) {
  InputEvent event;
  event.kind = InputEvent::Kind::wheel;
  event.amount = amount;
  return event;
}

inline InputEvent key(InputEvent::Kind kind, Key which, Modifiers held = {}) {
  InputEvent event;
  event.kind = kind;
  event.key = which;
  event.modifiers = held;
  return event;
}

/// The key of a capital letter.
inline InputEvent key(InputEvent::Kind kind, char letter, Modifiers held = {}) {
  return key(kind, static_cast<Key>(letter), held);
}

inline InputEvent text(char32_t character) {
  InputEvent event;
  event.kind = InputEvent::Kind::text;
  event.character = character;
  return event;
}

}  // namespace mote::render
