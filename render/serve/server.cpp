#include "render/serve/server.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <map>
#include <optional>
#include <thread>
#include <vector>

#include "engine/json.h"
#include "engine/log.h"
#include "render/serve/audience.h"
#include "render/serve/connection.h"
#include "render/serve/listener.h"
#include "render/serve/token.h"

namespace mote::render::serve {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;
using std::chrono::seconds;

constexpr seconds farewell_timeout(3), cut_after(3);
/// A file that a page fetches when mote ends may take as long.
constexpr seconds last_file_timeout(30);
/// Pages take a connection on which nothing comes for three times as long for dead.
constexpr seconds news_interval(10);

using Bytes = std::shared_ptr<const std::string>;

Bytes shared(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

Address checked_address(const ServerOptions& options) {
  Address address = parse_address(options.where);
  check_exposure(address, options.access);
  return address;
}

}  // namespace

/// The Parts hold the connections of a server. Only the server's thread uses it, apart from what
/// the constructor sets.
struct Server::Parts final : Reception {
  Parts(const ServerOptions& options, Site& shown, Exchange* to_window);
  ~Parts() override;
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  void accept();
  void greet(Protocol::socket socket);
  void make_room();
  bool sends_files() const;
  void stop_if_done();
  void tick();
  void say_farewell();

  const Access& access() const override { return access_; }
  Site& site() override { return site_; }
  const std::string& frame_key() const override { return tokens.frame_key; }
  bool full() const override { return audience.known() >= Server::most_pages; }
  std::optional<bool> steers(std::string_view token) const override {
    return audience.steers(token);
  }
  bool is_known(Audience::Id id) const override { return audience.is_known(id); }
  void join(Audience::Id id, std::shared_ptr<Connection> page) override;
  void receive(Audience::Id id, std::string_view text) override;
  void leave(Audience::Id id) override;
  void forget(Audience::Id id) override {
    connections.erase(id);
    stop_if_done();
  }

  void refuse(Audience::Id id, Closing closing, const std::string& reason);
  void refuse_overdue(Clock::time_point now);
  void update();

  const Access access_;
  Site& site_;
  Exchange unused;  ///< of a site without a window
  Exchange& exchange;
  const Tokens tokens;
  Directions directions;
  std::map<Audience::Id, Connection*> connections;  // it outlives them, which leave it by
                                                    // themselves
  asio::io_context context{1};
  asio::ssl::context secure{asio::ssl::context::tls_server};
  std::optional<Listener> listener;
  asio::steady_timer timer{context}, retry{context}, farewell{context};
  Clock::time_point news_sent{};
  Audience audience;
  std::map<Audience::Id, std::shared_ptr<Connection>> pages;
  Audience::Id ids = 0;
  Bytes frame, news;
  News said;
  std::thread thread;
};

Server::Parts::Parts(const ServerOptions& options, Site& shown, Exchange* to_window)
    : access_(options.access),
      site_(shown),
      exchange(to_window ? *to_window : unused),
      tokens{random_token(), random_token(), options.embed ? random_token() : ""},
      audience(tokens, exchange) {
  const Address address = checked_address(options);
  if (access_.tls()) use_certificate(secure, access_);
  listener.emplace(context, address);
  directions = directions_to(listener->address(), access_, tokens);
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

Server::Parts::~Parts() {
  asio::post(context, [this] { say_farewell(); });
  if (thread.joinable()) thread.join();
}

void Server::Parts::accept() {
  listener->acceptor().async_accept([this](error_code error, Protocol::socket socket) {
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

void Server::Parts::greet(Protocol::socket socket) {
  close_on_exec(socket.native_handle());
  const int on = 1;  // without it small messages wait for each other; Unix sockets refuse it
  ::setsockopt(socket.native_handle(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  make_room();
  const auto connection =
      make_connection(*this, ++ids, std::move(socket), access_.tls() ? &secure : nullptr);
  connections[ids] = connection.get();
  connection->start();
}

/// Cuts the connection that has waited longest without a token, if there are too many of these.
void Server::Parts::make_room() {
  std::vector<Connection*> strangers;
  for (const auto& [id, connection] : connections)
    if (!connection->trusted && !audience.is_known(id)) strangers.push_back(connection);
  if (strangers.size() >= Server::most_strangers) strangers.front()->cut();
}

void Server::Parts::tick() {
  timer.expires_after(seconds(1));
  timer.async_wait([this](error_code stopped) {
    if (stopped || !listener->acceptor().is_open()) return;
    tick();
    const auto now = Clock::now();
    const auto all = pages;  // pages may leave during the loops
    refuse_overdue(now);
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

void Server::Parts::say_farewell() {
  error_code ignored;
  listener->acceptor().close(ignored);
  retry.cancel();
  timer.cancel();
  farewell.expires_after(sends_files() ? last_file_timeout : farewell_timeout);
  farewell.async_wait([this](error_code) { context.stop(); });
  const Bytes text = shared(news_text(said, true));
  const auto all = pages;
  for (const auto& [id, page] : all) {
    if (audience.is_known(id)) page->write({Topic::farewell, text});
    page->finish(Closing::ended, "mote has ended");
  }
  stop_if_done();
}

void Server::Parts::join(Audience::Id id, std::shared_ptr<Connection> page) {
  audience.join(id, Clock::now());
  pages[id] = std::move(page);
}

void Server::Parts::receive(Audience::Id id, std::string_view text) {
  const auto now = Clock::now();
  const std::string refusal = audience.receive_text(id, text, now);
  if (!refusal.empty()) refuse(id, Closing::refused, refusal);
  refuse_overdue(now);
  update();
}

void Server::Parts::refuse_overdue(Clock::time_point now) {
  for (const Audience::Overdue& page : audience.overdue(now))
    // A page may come back, for example when its machine was asleep.
    refuse(page.id, page.may_come_back ? Closing::come_again : Closing::refused, page.reason);
}

void Server::Parts::refuse(Audience::Id id, Closing closing, const std::string& reason) {
  engine::log().debug("a page is closed: {}", reason);
  audience.leave(id);
  if (const auto page = pages.find(id); page != pages.end()) page->second->finish(closing, reason);
}

void Server::Parts::leave(Audience::Id id) {
  audience.leave(id);
  pages.erase(id);
  update();
  stop_if_done();
}

/// Tells whether a page fetches something by HTTP.
bool Server::Parts::sends_files() const {
  return std::any_of(connections.begin(), connections.end(),
                     [](const auto& entry) { return entry.second->trusted; });
}

/// Ends the thread of a server that has taken leave of all pages.
void Server::Parts::stop_if_done() {
  if (listener && !listener->acceptor().is_open() && pages.empty() && !sends_files())
    context.stop();
}

/// Tells pages what has changed, and sends the last frame to those that can take it.
void Server::Parts::update() {
  for (const auto& [id, page] : pages) {
    if (!audience.is_known(id)) continue;
    if (!page->told) page->write({Topic::news, news});
    if (page->told != audience.version()) {
      page->told = audience.version();
      page->write({Topic::roles, shared(audience.roles_text(id))});
    }
    if (audience.wants(id)) {
      page->write({Topic::frame, frame});
      audience.sent(id, Clock::now());
    }
  }
  exchange.set_demand(audience.demand());
}

Server::Server(const ServerOptions& options, Site& site, Exchange* exchange)
    : parts_(std::make_unique<Parts>(options, site, exchange)) {}

Server::~Server() = default;

std::string Server::libraries() {
  return connection_library() + ", " + tls_library();
}

const Directions& Server::directions() const {
  return parts_->directions;
}

void Server::send(EncodedFrame frame) {
  const Frame& head = frame;
  asio::post(parts_->context, [parts = parts_.get(), head, bytes = shared(std::move(frame.bytes))] {
    parts->audience.offer(head);
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
