#pragma once

#include <boost/asio/generic/stream_protocol.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "render/serve/address.h"
#include "render/serve/audience.h"
#include "render/serve/site.h"

namespace boost::asio::ssl {
class context;
}

namespace mote::render::serve {

/// IP and Unix sockets share one type, since each type costs as much to compile as all else.
using Protocol = boost::asio::generic::stream_protocol;

/// A Topic says what a message to a page is about. Of every topic but frames, only the newest
/// waiting message is of use.
enum class Topic { frame, news, roles, clipboard, farewell };
struct Outgoing {
  Topic topic;
  std::shared_ptr<const std::string> bytes;
};

/// Closing says why a WebSocket is closed. Its value is the code of RFC 6455, and the page does not
/// come back by itself after `refused`.
enum class Closing : std::uint16_t { ended = 1001, refused = 1008, come_again = 1013 };

/// A Connection reads one request and answers it, or becomes the WebSocket of a page.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection() = default;
  virtual ~Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  virtual void start() = 0;
  virtual void write(Outgoing message) = 0;
  /// Closes it with a reason, once what is being written is.
  virtual void finish(Closing closing, const std::string& reason) = 0;
  /// Closes it at once.
  virtual void cut() = 0;

  bool trusted = false;               ///< it has asked with a token, by HTTP
  std::optional<std::uint64_t> told;  ///< the version of the roles that the page knows
  std::optional<std::chrono::steady_clock::time_point> ended;  ///< when `finish` was called
};

/// A Reception is what connections tell and ask the server that holds them.
class Reception {
 public:
  virtual ~Reception() = default;

  virtual const Access& access() const = 0;
  virtual Site& site() = 0;
  /// Returns the key with which other pages may show the page in a frame (see framing.h).
  virtual const std::string& frame_key() const = 0;
  /// Tells whether no further page can be served.
  virtual bool full() const = 0;
  /// Tells whether a token lets a page steer, or nothing if the token is wrong.
  virtual std::optional<bool> steers(std::string_view token) const = 0;
  /// Tells whether a page has sent its token.
  virtual bool is_known(Audience::Id id) const = 0;

  /// A connection has become a WebSocket.
  virtual void join(Audience::Id id, std::shared_ptr<Connection> page) = 0;
  virtual void receive(Audience::Id id, std::string_view text) = 0;
  virtual void leave(Audience::Id id) = 0;
  /// A connection is gone.
  virtual void forget(Audience::Id id) = 0;
};

/// Makes a connection over a socket, encrypted if `secure` is given. Both it and the reception must
/// outlive the connection.
std::shared_ptr<Connection> make_connection(Reception& reception, Audience::Id id,
                                            Protocol::socket socket,
                                            boost::asio::ssl::context* secure);

/// Names the library that reads HTTP and WebSockets, as "Boost 1.74".
std::string connection_library();

}  // namespace mote::render::serve
