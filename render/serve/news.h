#pragma once

#include <string>

#include "render/serve/address.h"

namespace mote::render::serve {

/// The tokens of a server: the first may steer, the second may only watch.
struct Tokens {
  std::string steer, watch;
};

/// What the window says of itself, beside its picture.
struct News {
  std::string title, mode;          ///< "mote - Two galaxies", "running"
  std::string trouble;              ///< why it has stopped, or ""
  std::string pointer = "default";  ///< shape of the mouse pointer, as CSS names it
};

/// A message of news, or the last one of a server that ends. JSON.
std::string news_text(const News& news, bool farewell);

/// How a browser gets to a server.
struct Directions {
  std::string steer, watch;  ///< URLs with their tokens
  std::string tunnel;        ///< the command that forwards the port to another machine, or ""
};

/// `address`: with the port at which the server listens.
Directions directions_to(const Address& address, const Access& access, const Tokens& tokens);

}  // namespace mote::render::serve
