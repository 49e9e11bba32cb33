#include "render/serve/server.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/beast/websocket/ssl.hpp>
#include <cstring>
#include <deque>
#include <map>
#include <optional>
#include <thread>
#include <type_traits>

#include "engine/check.h"
#include "engine/json.h"
#include "engine/log.h"
#include "render/serve/audience.h"
#include "render/serve/page.h"
#include "render/serve/token.h"

namespace mote::render::serve {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
namespace fs = std::filesystem;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;
using std::chrono::seconds;

// IP and Unix sockets share one type, since each type costs as much to compile as all else here.
using Protocol = asio::generic::stream_protocol;
using Plain = beast::basic_stream<Protocol>;
using Secure = beast::ssl_stream<Plain>;
using Acceptor = asio::basic_socket_acceptor<Protocol>;

constexpr seconds handshake_timeout(10), idle_timeout(60), farewell_timeout(3), cut_after(3);
/// Pages take a line on which nothing comes for three times as long for dead.
constexpr seconds news_interval(10);
constexpr std::uint32_t longest_header = 8 * 1024;
/// A page that has not sent its token may send no more than that.
constexpr std::size_t longest_greeting = 1024;

/// A Topic says what a message to a page is about. Of every topic but frames, only the newest
/// waiting message is of use.
enum class Topic { frame, news, roles, clipboard, farewell };
struct Outgoing {
  Topic topic;
  std::shared_ptr<const std::string> bytes;
};

using Bytes = std::shared_ptr<const std::string>;

Bytes shared(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

/// A Connection hides whether it is encrypted.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  explicit Connection(int& count) : count_(count) { ++count_; }
  virtual ~Connection() { --count_; }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  virtual void start() = 0;
  virtual void write(Outgoing message) = 0;
  /// Closes it with a reason, once what is being written is.
  virtual void finish(websocket::close_code code, const std::string& reason) = 0;
  /// Closes it at once.
  virtual void cut() = 0;

  std::optional<std::uint64_t> told;       ///< the version of the roles that the page knows
  std::optional<Clock::time_point> ended;  ///< when `finish` was called

 private:
  int& count_;
};

/// The Hall holds the connections of a server. Only the server's thread uses it, apart from what
/// the constructor sets.
struct Hall {
  Hall(const ServerOptions& options, Exchange& to_window);
  ~Hall();
  Hall(const Hall&) = delete;
  Hall& operator=(const Hall&) = delete;

  void open(const Address& address);
  void open_socket(const fs::path& path);
  void accept();
  void greet(Protocol::socket socket);
  void tick();
  void say_farewell();

  // Connections call these.
  void join(Audience::Id id, std::shared_ptr<Connection> page);
  void receive(Audience::Id id, std::string_view text);
  void refuse(Audience::Id id, websocket::close_code code, const std::string& reason);
  void leave(Audience::Id id);
  void update();
  bool full() const { return connections > Server::most_connections; }

  Access access;
  Exchange& exchange;
  Tokens tokens{random_token(), random_token()};
  Directions directions;
  fs::path socket_file;
  int connections = 0;  // it outlives the connections, which count themselves
  asio::io_context context{1};
  asio::ssl::context secure{asio::ssl::context::tls_server};
  Acceptor acceptor{context};
  asio::steady_timer timer{context}, retry{context}, farewell{context};
  Clock::time_point news_sent{};
  Audience audience;
  std::map<Audience::Id, std::shared_ptr<Connection>> pages;
  Audience::Id ids = 0;
  std::optional<std::uint32_t> number;  // of the last frame
  Bytes frame, news;
  News said;
  std::thread thread;
};

/// A Peer is a connection over a stream: it reads a request, then answers it or becomes a
/// WebSocket.
template <class Stream>
class Peer final : public Connection {
 public:
  template <class... Arguments>
  Peer(Hall& server, Protocol::socket socket, Arguments&... arguments)
      : Connection(server.connections),
        server_(server),
        id_(++server.ids),
        stream_(std::move(socket), arguments...) {}

  void start() override {
    beast::get_lowest_layer(stream_).expires_after(handshake_timeout);
    if constexpr (std::is_same_v<Stream, Secure>)
      stream_.async_handshake(asio::ssl::stream_base::server, [self = self()](error_code error) {
        if (!error) self->read_request();
      });
    else
      read_request();
  }

  void write(Outgoing message) override {
    if (ended && message.topic != Topic::farewell) return;
    // The first one is being written. After a farewell a page needs no pictures.
    if (message.topic == Topic::farewell)
      for (std::size_t i = queue_.size(); i-- > 1;)
        if (queue_[i].topic == Topic::frame)
          queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(i));
    for (std::size_t i = 1; i < queue_.size(); ++i)
      if (queue_[i].topic == message.topic && message.topic != Topic::frame) {
        queue_[i] = std::move(message);
        return;
      }
    queue_.push_back(std::move(message));
    if (queue_.size() == 1) write_next();
  }

  void finish(websocket::close_code code, const std::string& reason) override {
    if (ended) return;
    ended = Clock::now();
    reason_ = websocket::close_reason(code, reason.substr(0, 100));
    if (queue_.empty()) close();
  }

  void cut() override { beast::get_lowest_layer(*socket_).close(); }

 private:
  std::shared_ptr<Peer> self() { return std::static_pointer_cast<Peer>(shared_from_this()); }

  void read_request() {
    parser_.header_limit(longest_header);
    http::async_read(stream_, buffer_, parser_, [self = self()](error_code error, std::size_t) {
      if (!error) self->answer();
    });
  }

  void answer() {
    request_ = parser_.release();
    const std::string host(request_[http::field::host]), origin(request_[http::field::origin]),
        target(request_.target());
    if (server_.full())
      return respond(http::status::service_unavailable, "too many pages are open\n");
    if (!allows_host(host, server_.access))
      return respond(http::status::forbidden,
                     "use an IP address or localhost; --serve-host allows a name\n");
    if (websocket::is_upgrade(request_)) {
      if (target != "/ws") return respond(http::status::not_found, "there is no such socket\n");
      if (!is_own_origin(origin, host, server_.access))
        return respond(http::status::forbidden, "this socket is for mote's own page\n");
      return upgrade();
    }
    if (request_.method() != http::verb::get)
      return respond(http::status::method_not_allowed, "there is nothing but one page to get\n");
    if (target != "/") return respond(http::status::not_found, "there is no such page\n");
    respond_page(host);
  }

  /// The nonce is new for every page, so that nothing but the page's own script and style runs.
  void respond_page(const std::string& host) {
    const std::string nonce = random_token(), mark = "{{nonce}}";
    std::string page(page_text());
    for (std::size_t at = 0; (at = page.find(mark, at)) != page.npos;)
      page.replace(at, mark.size(), nonce);
    response_.set(http::field::content_type, "text/html; charset=utf-8");
    const std::string own = (server_.access.tls() ? "wss://" : "ws://") + host;
    response_.set("Content-Security-Policy",
                  "default-src 'none'; script-src 'nonce-" + nonce + "'; style-src 'nonce-" +
                      nonce + "'; connect-src 'self' " + own +
                      "; img-src blob:; base-uri 'none'; form-action 'none'; "
                      "frame-ancestors 'none'");
    respond(http::status::ok, page);
  }

  void respond(http::status status, const std::string& text) {
    response_.result(status);
    response_.version(11);
    response_.keep_alive(false);
    if (response_.count(http::field::content_type) == 0)
      response_.set(http::field::content_type, "text/plain; charset=utf-8");
    response_.set(http::field::cache_control, "no-store");
    response_.set("X-Frame-Options", "DENY");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Referrer-Policy", "no-referrer");
    response_.body() = text;
    response_.prepare_payload();
    http::async_write(stream_, response_, [self = self()](error_code error, std::size_t) {
      if (!error) self->hang_up();
    });
  }

  void hang_up() {
    if constexpr (std::is_same_v<Stream, Secure>) {
      stream_.async_shutdown([self = self()](error_code) {});
    } else {
      error_code ignored;
      stream_.socket().shutdown(asio::socket_base::shutdown_send, ignored);
    }
  }

  void upgrade() {
    beast::get_lowest_layer(stream_).expires_never();  // the WebSocket has its own limits
    socket_.emplace(std::move(stream_));
    socket_->set_option(
        websocket::stream_base::timeout{handshake_timeout, idle_timeout, /*pings=*/true});
    socket_->auto_fragment(false);  // pieces of a picture would be a packet each
    socket_->async_accept(request_, [self = self()](error_code error) {
      if (error) return;
      self->server_.join(self->id_, self);
      self->listen();
    });
  }

  void listen() {
    socket_->read_message_max(server_.audience.is_known(id_) ? longest_message : longest_greeting);
    socket_->async_read(buffer_, [self = self()](error_code error, std::size_t) {
      if (error) return self->server_.leave(self->id_);
      const std::string text = beast::buffers_to_string(self->buffer_.data());
      self->buffer_.consume(self->buffer_.size());
      if (!self->ended) self->server_.receive(self->id_, text);
      self->listen();  // it reads until the other side has closed, too
    });
  }

  void write_next() {
    socket_->binary(queue_.front().topic == Topic::frame);
    socket_->async_write(asio::buffer(*queue_.front().bytes),
                         [self = self()](error_code error, std::size_t) {
                           if (error) return self->server_.leave(self->id_);
                           self->queue_.pop_front();
                           if (self->reason_ && self->only_frames()) return self->close();
                           if (!self->queue_.empty()) self->write_next();
                         });
  }

  /// Tells whether only frames wait, which a page that is being closed no longer needs.
  bool only_frames() const {
    for (const Outgoing& message : queue_)
      if (message.topic != Topic::frame) return false;
    return true;
  }

  void close() {
    socket_->async_close(*reason_, [self = self()](error_code) { self->server_.leave(self->id_); });
  }

  Hall& server_;
  const Audience::Id id_;
  Stream stream_;
  std::optional<websocket::stream<Stream>> socket_;
  beast::flat_buffer buffer_{longest_message + longest_header};
  http::request_parser<http::empty_body> parser_;
  http::request<http::empty_body> request_;
  http::response<http::string_body> response_;
  std::deque<Outgoing> queue_;
  std::optional<websocket::close_reason> reason_;
};

/// Programs that mote starts, as ffmpeg, must not keep its sockets open.
template <class Socket>
void close_on_exec(Socket& socket) {
  ::fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
}

asio::ip::tcp::endpoint endpoint_of(const Address& address, int port) {
  return {asio::ip::make_address(address.host), static_cast<unsigned short>(port)};
}

/// Tries to listen at an address.
error_code listen_at(Acceptor& acceptor, const Protocol::endpoint& endpoint,
                     const fs::path& file = {}) {
  error_code error;
  acceptor.open(endpoint.protocol(), error);
  if (!error) close_on_exec(acceptor);
  if (!error && file.empty()) acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  // Nobody can connect before it listens.
  if (!error && !file.empty() && ::chmod(file.c_str(), S_IRUSR | S_IWUSR) != 0)
    error = error_code(errno, boost::system::system_category());
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) {
    error_code ignored;
    acceptor.close(ignored);
  }
  return error;
}

/// Finds the first port after a busy one at which one can listen; returns 0 if none is nearby.
int next_free_port(asio::io_context& context, const Address& address) {
  for (int port = address.port + 1; port <= std::min(address.port + 200, 65535); ++port) {
    Acceptor trial(context);
    if (!listen_at(trial, endpoint_of(address, port))) return port;
  }
  return 0;
}

void use_certificate(asio::ssl::context& context, const Access& access) {
  error_code error;
  context.set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_tlsv1 |
                      asio::ssl::context::no_tlsv1_1);
  context.use_certificate_chain_file(access.certificate.string(), error);
  if (error)
    throw engine::InputError("--tls", access.certificate.string() + ": " + error.message(),
                             "name a file of certificates in PEM");
  context.use_private_key_file(access.key.string(), asio::ssl::context::pem, error);
  if (error)
    throw engine::InputError("--tls", access.key.string() + ": " + error.message(),
                             "name the file with the certificate's private key in PEM");
}

Hall::Hall(const ServerOptions& options, Exchange& to_window)
    : access(options.access), exchange(to_window), audience(tokens, to_window) {
  const Address address = parse_address(options.where);
  check_exposure(address, access);
  if (access.tls()) use_certificate(secure, access);
  open(address);
  news = shared(news_text(said, false));
  accept();
  tick();
  thread = std::thread([this] {
    for (;;) try {
        context.run();
        return;
      } catch (const std::exception& e) {
        engine::log().error("the server of the window: {}", e.what());
      }
  });
}

Hall::~Hall() {
  asio::post(context, [this] { say_farewell(); });
  if (thread.joinable()) thread.join();
  std::error_code ignored;
  if (!socket_file.empty()) fs::remove(socket_file, ignored);
}

void Hall::open(const Address& address) {
  if (!address.socket.empty()) {
    open_socket(address.socket);
    directions = directions_to(address, access, tokens);
    return;
  }
  const error_code error = listen_at(acceptor, endpoint_of(address, address.port));
  const std::string place = "--serve=" + address.text();
  if (error == boost::system::errc::address_in_use) {
    Address free = address;
    free.port = next_free_port(context, address);
    throw engine::InputError(place, "the port is in use",
                             free.port > 0 ? "use --serve=" + free.text() : "use another one");
  }
  if (error)
    throw engine::InputError(place, "mote cannot listen there: " + error.message(),
                             "use an address of this machine, and a port from 1024 on");
  Address actual = address;
  asio::ip::tcp::endpoint bound;
  const auto endpoint = acceptor.local_endpoint();
  std::memcpy(bound.data(), endpoint.data(), endpoint.size());
  actual.port = bound.port();
  directions = directions_to(actual, access, tokens);
}

void Hall::open_socket(const fs::path& path) {
  const std::string place = "--serve=" + path.string();
  std::error_code none;
  if (fs::is_socket(path, none)) {
    // A socket at which no process listens is left over from a run that was killed.
    asio::local::stream_protocol::socket probe(context);
    error_code refused;
    probe.connect({path.string()}, refused);
    if (refused != asio::error::connection_refused)
      throw engine::InputError(place,
                               refused ? "the socket is not ours: " + refused.message()
                                       : std::string("the socket is in use"),
                               "use another path");
    fs::remove(path, none);
  }
  const error_code error =
      listen_at(acceptor, asio::local::stream_protocol::endpoint(path.string()), path);
  if (error)
    throw engine::InputError(place, "mote cannot listen there: " + error.message(),
                             "name a new file in a folder that you may write");
  socket_file = path;
}

void Hall::accept() {
  acceptor.async_accept([this](error_code error, Protocol::socket socket) {
    if (error == asio::error::operation_aborted) return;
    if (!error) {
      accept();
      return greet(std::move(socket));
    }
    // This happens when no more files can be opened; another try at once would fail again.
    retry.expires_after(std::chrono::milliseconds(100));
    retry.async_wait([this](error_code stopped) {
      if (!stopped) accept();
    });
  });
}

void Hall::greet(Protocol::socket socket) {
  close_on_exec(socket);
  const int on = 1;  // without it small messages wait for each other; Unix sockets refuse it
  ::setsockopt(socket.native_handle(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (connections >= 2 * Server::most_connections) return;  // there are too many even to answer
  if (access.tls())
    std::make_shared<Peer<Secure>>(*this, std::move(socket), secure)->start();
  else
    std::make_shared<Peer<Plain>>(*this, std::move(socket))->start();
}

void Hall::tick() {
  timer.expires_after(seconds(1));
  timer.async_wait([this](error_code stopped) {
    if (stopped || !acceptor.is_open()) return;
    tick();
    const auto now = Clock::now();
    const auto all = pages;  // pages may leave during the loops
    // The page may come back, for example when its machine was asleep.
    for (const auto& [id, reason] : audience.overdue(now))
      refuse(id, websocket::close_code::try_again_later, reason);
    for (const auto& [id, page] : all)
      if (page->ended && now - *page->ended > cut_after) {
        page->cut();
        leave(id);
      }
    if (now - news_sent < news_interval) return;
    news_sent = now;
    for (const auto& [id, page] : pages)
      if (page->told) page->write({Topic::news, news});
  });
}

void Hall::say_farewell() {
  error_code ignored;
  acceptor.close(ignored);
  retry.cancel();
  timer.cancel();
  farewell.expires_after(farewell_timeout);
  farewell.async_wait([this](error_code) { context.stop(); });
  const Bytes text = shared(news_text(said, true));
  const auto all = pages;
  for (const auto& [id, page] : all) {
    if (audience.is_known(id)) page->write({Topic::farewell, text});
    page->finish(websocket::close_code::going_away, "mote has ended");
  }
  if (pages.empty()) context.stop();
}

void Hall::join(Audience::Id id, std::shared_ptr<Connection> page) {
  audience.join(id, Clock::now());
  pages[id] = std::move(page);
}

void Hall::receive(Audience::Id id, std::string_view text) {
  const std::string refusal = audience.receive_text(id, text, Clock::now());
  if (!refusal.empty()) refuse(id, websocket::close_code::policy_error, refusal);
  update();
}

void Hall::refuse(Audience::Id id, websocket::close_code code, const std::string& reason) {
  engine::log().debug("a page is closed: {}", reason);
  audience.leave(id);
  if (const auto page = pages.find(id); page != pages.end()) page->second->finish(code, reason);
}

void Hall::leave(Audience::Id id) {
  audience.leave(id);
  pages.erase(id);
  update();
  if (pages.empty() && !acceptor.is_open()) context.stop();
}

/// Tells pages what has changed, and sends the last frame to those that can take it.
void Hall::update() {
  for (const auto& [id, page] : pages) {
    if (!audience.is_known(id)) continue;
    if (!page->told) page->write({Topic::news, news});
    if (page->told != audience.version()) {
      page->told = audience.version();
      page->write({Topic::roles, shared(audience.roles_text(id))});
    }
    if (number && audience.wants(id, *number)) {
      page->write({Topic::frame, frame});
      audience.sent(id, *number, Clock::now());
    }
  }
  exchange.set_demand(audience.demand());
}

}  // namespace

struct Server::Parts : Hall {
  using Hall::Hall;
};

Server::Server(const ServerOptions& options, Exchange& exchange)
    : parts_(std::make_unique<Parts>(options, exchange)) {}

Server::~Server() = default;

std::string Server::libraries() {
  return "Boost " + std::to_string(BOOST_VERSION / 100000) + "." +
         std::to_string(BOOST_VERSION / 100 % 1000) + ", OpenSSL " +
         OpenSSL_version(OPENSSL_VERSION_STRING);
}

const Directions& Server::directions() const {
  return parts_->directions;
}

void Server::send(EncodedFrame frame) {
  asio::post(parts_->context,
             [parts = parts_.get(), number = frame.number, bytes = shared(std::move(frame.bytes))] {
               parts->number = number;
               parts->frame = bytes;
               parts->update();
             });
}

void Server::tell(const News& news) {
  asio::post(parts_->context, [parts = parts_.get(), news] {
    parts->said = news;
    parts->news = shared(news_text(news, false));
    for (const auto& [id, page] : parts->pages)
      if (page->told) page->write({Topic::news, parts->news});
  });
}

void Server::copy(const std::string& text) {
  engine::Json message;
  message["type"] = "clipboard";
  message["text"] = text;
  asio::post(parts_->context, [parts = parts_.get(), bytes = shared(engine::json_text(message))] {
    const auto steering = parts->audience.steering();
    if (!steering) return;
    if (const auto page = parts->pages.find(*steering); page != parts->pages.end())
      page->second->write({Topic::clipboard, bytes});
  });
}

}  // namespace mote::render::serve
