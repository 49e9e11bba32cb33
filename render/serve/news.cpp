#include "render/serve/news.h"

#include <unistd.h>

#include <array>

#include "engine/json.h"

namespace mote::render::serve {
namespace {

std::string machine_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "HOST";
}

/// Returns the host and port of the URL.
std::string shown_place(const Address& address, const Access& access) {
  Address shown = address;
  shown.socket.clear();
  // The tunnel to a Unix socket uses this port.
  if (!address.socket.empty()) shown.port = Address().port;
  if (!access.names.empty()) shown.host = access.names.front();
  const bool any = shown.host == "0.0.0.0" || shown.host == "::";
  return any ? "ADDRESS:" + std::to_string(shown.port) : shown.text();
}

}  // namespace

std::string news_text(const News& news, bool farewell) {
  engine::Json text;
  text["type"] = farewell ? "farewell" : "news";
  text["title"] = news.title;
  text["mode"] = news.mode;
  text["trouble"] = news.trouble;
  text["pointer"] = news.pointer;
  return engine::json_text(text);
}

std::string text_of(const Directions& directions, const std::string& what) {
  std::string text = "mote: the " + what + " is at  " + directions.steer + "\n";
  const std::string indent(6, ' ');
  if (!directions.watch.empty()) text += indent + "to watch only      " + directions.watch + "\n";
  if (!directions.tunnel.empty()) text += indent + "from elsewhere     " + directions.tunnel + "\n";
  return text;
}

std::string object_of(const Directions& directions) {
  engine::Json text;
  text["steer"] = directions.steer;
  text["watch"] = directions.watch;
  text["tunnel"] = directions.tunnel;
  text["frame"] = directions.frame;
  return engine::json_text(text) + "\n";
}

Directions directions_to(const Address& address, const Access& access, const Tokens& tokens) {
  const std::string root =
      (access.tls() ? "https://" : "http://") + shown_place(address, access) + "/";
  Directions directions{root + "#token=" + tokens.steer, root + "#token=" + tokens.watch, "", ""};
  if (!tokens.frame_key.empty()) directions.frame = root + "?frame=" + tokens.frame_key;
  // A server with TLS is reached without a tunnel.
  if (access.tls()) return directions;
  const int port = address.socket.empty() ? address.port : Address().port;
  directions.tunnel =
      "ssh -L " + std::to_string(port) + ":" + address.text() + " " + machine_name();
  return directions;
}

}  // namespace mote::render::serve
