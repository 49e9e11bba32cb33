#pragma once

#include <memory>
#include <string>

#include "render/serve/encoder.h"
#include "render/serve/exchange.h"
#include "render/serve/news.h"
#include "render/serve/serve.h"

namespace mote::render::serve {

/// An HTTP server of one page and its WebSockets, with a thread of its own. Frames go to every page
/// that can take them, the last one first; input of the page that steers goes to the Exchange.
class Server {
 public:
  /// The most connections; further ones are answered by 503.
  static constexpr int most_connections = 32;

  /// The libraries below it: "Boost 1.74, OpenSSL 3.0.17".
  static std::string libraries();

  /// Listens from here on. Throws engine::InputError if the address cannot be used.
  Server(const ServerOptions& options, Exchange& exchange);
  /// Takes leave of the pages.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  const Directions& directions() const;

  // These return at once, and may be called by any thread.
  void send(EncodedFrame frame);
  void tell(const News& news);
  /// Puts a text into the clipboard of the page that steers.
  void copy(const std::string& text);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace mote::render::serve
