#pragma once

#include <memory>
#include <string>

#include "render/serve/audience.h"
#include "render/serve/encoder.h"
#include "render/serve/exchange.h"
#include "render/serve/news.h"
#include "render/serve/serve.h"
#include "render/serve/site.h"

namespace mote::render::serve {

/// A Server serves a site by HTTP, in a thread of its own. If the site is a window, it also serves
/// the WebSockets of its pages: it sends the newest frame to every page that can take one, and
/// passes the input of the page that steers to the Exchange.
class Server {
 public:
  /// At most this many pages are served; further ones are answered by 503.
  static constexpr int most_pages = Audience::most_pages;
  /// At most this many connections have yet to say a token. When another one comes, the one that
  /// has waited longest is closed, so that they cannot keep pages out.
  static constexpr int most_strangers = 16;

  /// Names the libraries that it uses, as "Boost 1.74, OpenSSL 3.0.17".
  static std::string libraries();

  /// Listens from here on. `exchange` is null if the site is no window. Both must outlive the
  /// server. Throws engine::InputError if the address cannot be used.
  Server(const ServerOptions& options, Site& site, Exchange* exchange);
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
