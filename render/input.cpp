#include "render/input.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace mote::render {
namespace {

struct Name {
  std::string_view text;
  Key key;
};

/// The first name of a key is the displayed one.
constexpr std::array<Name, 22> names = {{{"Space", Key::space},
                                         {"Escape", Key::escape},
                                         {"Esc", Key::escape},
                                         {"Enter", Key::enter},
                                         {"Return", Key::enter},
                                         {"Tab", Key::tab},
                                         {"Backspace", Key::backspace},
                                         {"Insert", Key::insert},
                                         {"Delete", Key::remove},
                                         {"Del", Key::remove},
                                         {"Right", Key::right},
                                         {"Left", Key::left},
                                         {"Down", Key::down},
                                         {"Up", Key::up},
                                         {"PageUp", Key::page_up},
                                         {"PageDown", Key::page_down},
                                         {"Home", Key::home},
                                         {"End", Key::end},
                                         {"Shift", Key::left_shift},
                                         {"Ctrl", Key::left_control},
                                         {"Control", Key::left_control},
                                         {"Alt", Key::left_alt}}};

// Characters of the same US keys without and with Shift.
constexpr std::string_view plain = "`1234567890-=[]\\;',./";
constexpr std::string_view shifted = "~!@#$%^&*()_+{}|:\"<>?";

bool same(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

bool parse_character(char character, Key& key, Modifiers& modifiers) {
  const auto symbol = static_cast<unsigned char>(character);
  if (const auto index = shifted.find(character); index != std::string_view::npos) {
    key = static_cast<Key>(plain[index]);
    modifiers.shift = true;
  } else if (std::isalnum(symbol) || plain.find(character) != std::string_view::npos) {
    key = static_cast<Key>(std::toupper(symbol));
  } else {
    return false;
  }
  return true;
}

bool parse_name(std::string_view text, Key& key, Modifiers& modifiers) {
  if (text.size() == 1) return parse_character(text[0], key, modifiers);
  for (const Name& name : names)
    if (same(name.text, text)) {
      key = name.key;
      return true;
    }
  for (int number = 1; number <= 12; ++number)
    if (same("F" + std::to_string(number), text)) {
      key = static_cast<Key>(static_cast<int>(Key::f1) + number - 1);
      return true;
    }
  return false;
}

bool parse_modifier(std::string_view text, Modifiers& modifiers) {
  if (same(text, "Shift"))
    modifiers.shift = true;
  else if (same(text, "Ctrl") || same(text, "Control"))
    modifiers.control = true;
  else if (same(text, "Alt"))
    modifiers.alt = true;
  else
    return false;
  return true;
}

std::string name_of(Key key) {
  const int code = static_cast<int>(key), f1 = static_cast<int>(Key::f1);
  for (const Name& name : names)
    if (name.key == key) return std::string(name.text);
  if (code >= f1 && code <= static_cast<int>(Key::f12)) return "F" + std::to_string(code - f1 + 1);
  return code > ' ' && code < 127 ? std::string(1, static_cast<char>(code)) : "";
}

}  // namespace

InputEvent mouse_event(InputEvent::Kind kind, double x, double y, int button) {
  InputEvent event;
  event.kind = kind;
  event.x = x;
  event.y = y;
  event.button = button;
  return event;
}

bool parse_key(const std::string& text, Key& key, Modifiers& modifiers) {
  Key found = Key::none;
  Modifiers with;
  std::string_view rest = text;
  // A plus at the very end is the key itself, not a separator: "Ctrl++".
  for (auto separator = rest.find('+');
       separator != std::string_view::npos && separator + 1 < rest.size();
       separator = rest.find('+')) {
    if (!parse_modifier(rest.substr(0, separator), with)) return false;
    rest.remove_prefix(separator + 1);
  }
  if (!parse_name(rest, found, with)) return false;
  key = found;
  modifiers = with;
  return true;
}

std::string text_of(Key key, const Modifiers& modifiers) {
  std::string text;
  if (modifiers.control && key != Key::left_control) text += "Ctrl+";
  if (modifiers.alt && key != Key::left_alt) text += "Alt+";
  if (modifiers.shift && key != Key::left_shift) text += "Shift+";
  return text + name_of(key);
}

}  // namespace mote::render
