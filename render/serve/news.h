#pragma once

#include <string>

#include "render/serve/address.h"

namespace mote::render::serve {

/// A server has two tokens: the first lets a page steer, the second lets it only watch. The frame
/// key lets other pages show mote's page in a frame, and nothing else; if it is empty, none may.
struct Tokens {
  std::string steer, watch;
  std::string frame_key = {};
};

/// News is what the window says of itself, beside its picture.
struct News {
  std::string title, mode;          ///< "mote - Two galaxies", "running"
  std::string trouble;              ///< why it has stopped, or ""
  std::string pointer = "default";  ///< shape of the mouse pointer, as CSS names it
};

/// Returns, as JSON, a message of news, or, for a farewell, the last message of a server that ends.
std::string news_text(const News& news, bool farewell);

/// Directions say how a browser gets to a server.
struct Directions {
  std::string steer, watch;  ///< URLs with their tokens; watch may be "" where pages only watch
  std::string tunnel;        ///< the command that forwards the port to another machine, or ""
  std::string frame;  ///< the URL for a frame, without origins (see framing.h) and token; or ""
};

/// Returns lines that tell a user of them: what is there ("window") and how to get to it.
std::string text_of(const Directions& directions, const std::string& what);

/// Returns them as a JSON object in one line, for a program.
std::string object_of(const Directions& directions);

/// `address` has the port at which the server listens.
Directions directions_to(const Address& address, const Access& access, const Tokens& tokens);

}  // namespace mote::render::serve
