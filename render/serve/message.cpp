#include "render/serve/message.h"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/json.h"

namespace mote::render::serve {
namespace {

using Kind = InputEvent::Kind;

[[noreturn]] void refuse(const std::string& why) {
  throw MessageError(why);
}

const engine::Json& member(const engine::Json& message, const char* name) {
  const auto found = message.find(name);
  if (found == message.end()) refuse(std::string("there is no ") + name);
  return *found;
}

double number(const engine::Json& message, const char* name, double low, double high) {
  const engine::Json& value = member(message, name);
  if (!value.is_number()) refuse(std::string(name) + " is no number");
  const auto found = value.get<double>();
  if (!(found >= low && found <= high)) refuse(std::string(name) + " is out of range");
  return found;
}

std::string text(const engine::Json& message, const char* name, std::size_t longest) {
  const engine::Json& value = member(message, name);
  if (!value.is_string()) refuse(std::string(name) + " is no text");
  auto found = value.get<std::string>();
  if (found.size() > longest) refuse(std::string(name) + " is too long");
  return found;
}

bool flag(const engine::Json& message, const char* name) {
  const auto found = message.find(name);
  if (found == message.end()) return false;
  if (!found->is_boolean()) refuse(std::string(name) + " is neither true nor false");
  return found->get<bool>();
}

ViewSize view_size(const engine::Json& message) {
  return {static_cast<int>(number(message, "width", 1, 1e5)),
          static_cast<int>(number(message, "height", 1, 1e5)), number(message, "ratio", 0.1, 16)};
}

Modifiers modifiers_in(const engine::Json& message) {
  return {flag(message, "shift"), flag(message, "control"), flag(message, "alt")};
}

std::vector<InputEvent> mouse(const engine::Json& message, Kind kind) {
  InputEvent event =
      mouse_event(kind, number(message, "x", -1e5, 1e5), number(message, "y", -1e5, 1e5));
  event.modifiers = modifiers_in(message);
  if (kind == Kind::mouse_down || kind == Kind::mouse_up)
    event.button = static_cast<int>(number(message, "button", 0, 2));
  if (kind == Kind::wheel) event.amount = number(message, "amount", -100, 100);
  return {event};
}

std::vector<InputEvent> key(const engine::Json& message) {
  InputEvent event;
  const bool down = flag(message, "down"), repeat = flag(message, "repeat");
  event.kind = !down ? Kind::key_up : repeat ? Kind::key_repeat : Kind::key_down;
  Modifiers of_character;  // the page says itself whether Shift is down
  if (!parse_key(text(message, "key", 16), event.key, of_character)) refuse("the key is unknown");
  event.modifiers = modifiers_in(message);
  return {event};
}

/// Decodes UTF-8, which the JSON reader has found to be well-formed.
std::vector<InputEvent> typed(const std::string& utf8) {
  std::vector<InputEvent> events;
  for (std::size_t i = 0; i < utf8.size();) {
    const auto lead = static_cast<unsigned char>(utf8[i++]);
    const int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
    char32_t character = more == 0 ? lead : lead & (0x3fU >> more);
    for (int k = 0; k < more && i < utf8.size(); ++k)
      character = character << 6 | (static_cast<unsigned char>(utf8[i++]) & 0x3fU);
    // Control characters are keys, not text.
    if (character < 0x20 || character == 0x7f) continue;
    InputEvent event;
    event.kind = Kind::text;
    event.character = character;
    events.push_back(event);
  }
  return events;
}

Message input(const engine::Json& message, const std::string& type) {
  constexpr std::array<std::pair<std::string_view, Kind>, 4> kinds = {{{"move", Kind::mouse_move},
                                                                       {"down", Kind::mouse_down},
                                                                       {"up", Kind::mouse_up},
                                                                       {"wheel", Kind::wheel}}};
  for (const auto& [name, kind] : kinds)
    if (type == name) return mouse(message, kind);
  if (type == "key") return key(message);
  if (type == "text") return typed(text(message, "text", 4096));
  refuse("its type is unknown");
}

Message read_object(const engine::Json& message) {
  const std::string type = text(message, "type", 16);
  if (type == "hello")
    return Hello{text(message, "token", 256), view_size(message), flag(message, "steer"),
                 message.contains("page") ? text(message, "page", 64) : "", flag(message, "h264")};
  if (type == "size") return view_size(message);
  if (type == "seen")
    return Seen{static_cast<std::uint32_t>(
        number(message, "frame", 0, std::numeric_limits<std::uint32_t>::max()))};
  if (type == "visibility") return Visibility{flag(message, "hidden")};
  if (type == "decoder") return Decoder{flag(message, "h264")};
  if (type == "steer") return Steer{};
  if (type == "renew") return Renew{};
  if (type == "release") return Release{};
  if (type == "clipboard") return Clipboard{text(message, "text", longest_message)};
  return input(message, type);
}

}  // namespace

Message read_message(std::string_view text_of_message) {
  if (text_of_message.size() > longest_message) refuse("it is longer than 64 KiB");
  engine::Json message;
  try {
    message = engine::parse_json(std::string(text_of_message));
  } catch (const std::exception&) {
    refuse("it is not JSON");
  }
  if (!message.is_object()) refuse("it is no JSON object");
  return read_object(message);
}

}  // namespace mote::render::serve
