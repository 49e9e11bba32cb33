// All that needs Boost.Beast is in this file, since Beast takes most of its compile time.
#include "render/serve/connection.h"

#include <boost/asio/ssl.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/beast/websocket/ssl.hpp>
#include <boost/version.hpp>
#include <deque>
#include <limits>
#include <type_traits>

#include "engine/log.h"
#include "render/serve/framing.h"
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

using Plain = beast::basic_stream<Protocol>;
using Secure = beast::ssl_stream<Plain>;

constexpr seconds handshake_timeout(10), idle_timeout(60);
/// A file is sent and received in pieces, each of which may take that long.
constexpr seconds piece_timeout(30);
constexpr std::uint32_t longest_header = 8 * 1024;
/// A page that has not sent its token may send no more than that.
constexpr std::size_t longest_greeting = 1024;

/// A FileOnTheWay is removed unless it has arrived somewhere else.
struct FileOnTheWay {
  explicit FileOnTheWay(fs::path file) : path(std::move(file)) {}
  ~FileOnTheWay() {
    std::error_code ignored;
    fs::remove(path, ignored);
  }
  FileOnTheWay(const FileOnTheWay&) = delete;
  FileOnTheWay& operator=(const FileOnTheWay&) = delete;

  fs::path path;
};

/// Returns a name that is safe between quotes in a header.
std::string header_name(std::string name) {
  for (char& c : name)
    if (c < ' ' || c > '~' || c == '"' || c == '\\' || c == '/') c = '_';
  return name;
}

/// A Peer is a connection over a stream of either kind.
template <class Stream>
class Peer final : public Connection {
 public:
  template <class... Arguments>
  Peer(Reception& reception, Audience::Id id, Protocol::socket socket, Arguments&... arguments)
      : reception_(reception), id_(id), stream_(std::move(socket), arguments...) {}
  ~Peer() override { reception_.forget(id_); }

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

  void finish(Closing closing, const std::string& reason) override {
    if (ended) return;
    ended = Clock::now();
    reason_ =
        websocket::close_reason(static_cast<websocket::close_code>(closing), reason.substr(0, 100));
    if (queue_.empty()) close();
  }

  void cut() override {
    if (socket_)
      beast::get_lowest_layer(*socket_).close();
    else
      beast::get_lowest_layer(stream_).close();
  }

 private:
  using Parser = http::request_parser<http::empty_body>;

  std::shared_ptr<Peer> self() { return std::static_pointer_cast<Peer>(shared_from_this()); }

  void read_request() {
    parser_.emplace();
    parser_->header_limit(longest_header);
    parser_->body_limit(std::numeric_limits<std::uint64_t>::max());  // files have their own
    http::async_read_header(stream_, buffer_, *parser_,
                            [self = self()](error_code error, std::size_t) {
                              if (!error) self->answer();
                            });
  }

  void answer() {
    const auto& request = parser_->get();
    const std::string host(request[http::field::host]), origin(request[http::field::origin]);
    if (!allows_host(host, reception_.access()))
      return refuse(403, "use an IP address or localhost; --serve-host allows a name\n");
    const SiteRequest asked = parse_target({request.target().data(), request.target().size()});
    if (websocket::is_upgrade(request)) {
      if (asked.path != "/ws") return refuse(404, "there is no such socket\n");
      if (!is_own_origin(origin, host, reception_.access()))
        return refuse(403, "this socket is for mote's own page\n");
      if (reception_.full()) return refuse(503, "too many pages are open\n");
      return upgrade();
    }
    if (asked.path.starts_with("/api/")) {
      // A browser leaves the origin out where a page asks its own server.
      if (!origin.empty() && !is_own_origin(origin, host, reception_.access()))
        return refuse(403, "this is for mote's own page\n");
      return answer_page(asked);
    }
    if (request.method() != http::verb::get) return refuse(405, "there is nothing but a page\n");
    if (asked.path != "/") return refuse(404, "there is no such page\n");
    if (reception_.full()) return refuse(503, "too many pages are open\n");
    respond_page(host, framing_origins({request.target().data(), request.target().size()},
                                       reception_.frame_key()));
  }

  /// Answers what a page asks for with its token in the header Authorization.
  void answer_page(SiteRequest asked) {
    const auto& request = parser_->get();
    const std::string_view bearer = "Bearer ";
    std::string_view token(request[http::field::authorization].data(),
                           request[http::field::authorization].size());
    const auto steers =
        token.starts_with(bearer) ? reception_.steers(token.substr(bearer.size())) : std::nullopt;
    if (!steers) return refuse(403, "the token is wrong\n");
    trusted = true;
    asked.may_steer = *steers;
    if (request.method() == http::verb::get) return respond(reception_.site().get(asked));
    if (request.method() != http::verb::post || asked.path != "/api/upload")
      return refuse(405, "one can get from here, and post to /api/upload\n");
    if (!asked.may_steer) return refuse(403, "this page may only watch\n");
    receive_file(asked.query["name"]);
  }

  void receive_file(const std::string& name) {
    const auto bytes = parser_->content_length();
    if (!bytes) return refuse(411, "say how long the file is\n");
    const UploadPlace place = reception_.site().place_for_upload(name, *bytes);
    if (!place.refusal.empty()) return refuse(422, place.refusal + "\n");
    auto file = std::make_shared<FileOnTheWay>(place.file);
    auto body = std::make_shared<http::request_parser<http::file_body>>(std::move(*parser_));
    body->body_limit(*bytes);
    error_code error;
    body->get().body().open(place.file.c_str(), beast::file_mode::write, error);
    if (error) return refuse(507, "the file cannot be written: " + error.message() + "\n");
    receive_more(name, file, body);
  }

  void receive_more(const std::string& name, std::shared_ptr<FileOnTheWay> file,
                    std::shared_ptr<http::request_parser<http::file_body>> body) {
    if (body->is_done()) {
      body->get().body().close();
      return respond(reception_.site().take({name, file->path}));
    }
    beast::get_lowest_layer(stream_).expires_after(piece_timeout);
    http::async_read_some(
        stream_, buffer_, *body, [self = self(), name, file, body](error_code error, std::size_t) {
          if (!error) return self->receive_more(name, file, body);
          if (error.category() == boost::system::system_category())
            self->refuse(507, "the file cannot be written: " + error.message() + "\n");
        });
  }

  /// The nonce is new for every page, so that nothing but the page's own script and style runs.
  void respond_page(const std::string& host, const std::optional<std::string>& framing) {
    const std::string nonce = random_token(), mark = "{{nonce}}";
    SiteAnswer page{.type = "text/html; charset=utf-8"};
    page.body = reception_.site().page();
    for (std::size_t at = 0; (at = page.body.find(mark, at)) != page.body.npos;)
      page.body.replace(at, mark.size(), nonce);
    const std::string own = (reception_.access().tls() ? "wss://" : "ws://") + host;
    respond(page,
            "default-src 'none'; script-src 'nonce-" + nonce + "'; style-src 'nonce-" + nonce +
                "'; connect-src 'self' " + own +
                "; img-src blob:; media-src blob:; base-uri 'none'; form-action 'none'; "
                "frame-ancestors " +
                framing.value_or("'none'"),
            framing);
  }

  void refuse(int status, const std::string& reason) {
    respond({.status = status, .type = "text/plain; charset=utf-8", .body = reason});
  }

  void respond(SiteAnswer answer, const std::string& policy = "default-src 'none'",
               const std::optional<std::string>& framing = std::nullopt) {
    const auto with_head = [&](auto response) {
      response.result(static_cast<unsigned>(answer.status));
      response.version(11);
      response.keep_alive(false);
      response.set(http::field::content_type, answer.type);
      response.set(http::field::cache_control, "no-store");
      response.set("Content-Security-Policy", policy);
      // The page around a frame asks first whether it is mote that answers.
      if (framing)
        response.set(http::field::access_control_allow_origin,
                     framing->substr(0, framing->find(' ')));
      else
        response.set("X-Frame-Options", "DENY");
      response.set("X-Content-Type-Options", "nosniff");
      response.set("Referrer-Policy", "no-referrer");
      if (!answer.name.empty())
        response.set(http::field::content_disposition,
                     "attachment; filename=\"" + header_name(answer.name) + "\"");
      return response;
    };
    if (answer.file.empty()) {
      auto response = with_head(http::response<http::string_body>());
      response.body() = std::move(answer.body);
      response.prepare_payload();
      return send(std::move(response));
    }
    auto response = with_head(http::response<http::file_body>());
    error_code error;
    response.body().open(answer.file.c_str(), beast::file_mode::scan, error);
    if (error) return refuse(404, "the file cannot be read: " + error.message() + "\n");
    response.prepare_payload();
    send(std::move(response));
  }

  template <class Body>
  struct Sending {
    explicit Sending(http::response<Body> all) : response(std::move(all)), serializer(response) {}
    http::response<Body> response;
    http::response_serializer<Body> serializer;
  };

  template <class Body>
  void send(http::response<Body> response) {
    send_more(std::make_shared<Sending<Body>>(std::move(response)));
  }

  template <class Body>
  void send_more(std::shared_ptr<Sending<Body>> sending) {
    beast::get_lowest_layer(stream_).expires_after(piece_timeout);
    http::async_write_some(stream_, sending->serializer,
                           [self = self(), sending](error_code error, std::size_t) {
                             if (error) return;
                             if (sending->serializer.is_done()) return self->hang_up();
                             self->send_more(sending);
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
    socket_->async_accept(parser_->get(), [self = self()](error_code error) {
      if (error) return;
      self->reception_.join(self->id_, self);
      self->listen();
    });
  }

  void listen() {
    socket_->read_message_max(reception_.is_known(id_) ? longest_message : longest_greeting);
    socket_->async_read(buffer_, [self = self()](error_code error, std::size_t) {
      if (error) return self->reception_.leave(self->id_);
      const std::string text = beast::buffers_to_string(self->buffer_.data());
      self->buffer_.consume(self->buffer_.size());
      if (!self->ended) self->reception_.receive(self->id_, text);
      self->listen();  // it reads until the other side has closed, too
    });
  }

  void write_next() {
    socket_->binary(queue_.front().topic == Topic::frame);
    socket_->async_write(asio::buffer(*queue_.front().bytes),
                         [self = self()](error_code error, std::size_t) {
                           if (error) return self->reception_.leave(self->id_);
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
    socket_->async_close(*reason_,
                         [self = self()](error_code) { self->reception_.leave(self->id_); });
  }

  Reception& reception_;
  const Audience::Id id_;
  Stream stream_;
  std::optional<websocket::stream<Stream>> socket_;
  beast::flat_buffer buffer_{longest_message + longest_header};
  std::optional<Parser> parser_;
  std::deque<Outgoing> queue_;
  std::optional<websocket::close_reason> reason_;
};

}  // namespace

std::shared_ptr<Connection> make_connection(Reception& reception, Audience::Id id,
                                            Protocol::socket socket, asio::ssl::context* secure) {
  if (secure) return std::make_shared<Peer<Secure>>(reception, id, std::move(socket), *secure);
  return std::make_shared<Peer<Plain>>(reception, id, std::move(socket));
}

std::string connection_library() {
  return "Boost " + std::to_string(BOOST_VERSION / 100000) + "." +
         std::to_string(BOOST_VERSION / 100 % 1000);
}

}  // namespace mote::render::serve
