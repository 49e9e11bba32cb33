#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "render/serve/exchange.h"
#include "render/serve/frame.h"
#include "render/serve/message.h"
#include "render/serve/news.h"

namespace mote::render::serve {

/// An Audience knows the connected pages: what they may do, which of them steers, and which frames
/// they have. It does not depend on sockets, and only the server's thread uses it.
class Audience {
 public:
  using Id = std::uint64_t;
  using Time = std::chrono::steady_clock::time_point;

  /// At most this many pages are served.
  static constexpr int most_pages = 32;
  /// At most this many frames may be on their way to a page. More would be shown late: they would
  /// wait in buffers of the network, whatever the page does.
  static constexpr std::size_t most_unseen = 2;
  /// A page is closed if it takes longer than this to send its token, or to show a frame.
  static constexpr std::chrono::seconds longest_silence{10}, longest_unseen{30};
  /// A page may send this many messages a second, and this many at once.
  static constexpr double message_rate = 500, message_burst = 2000;

  Audience(Tokens tokens, Exchange& exchange);

  /// Someone has connected, and has yet to say the token.
  void join(Id id, Time now);
  void leave(Id id);
  /// Does what a message says. Returns why the connection must be closed, or "".
  std::string receive(Id id, const Message& message, Time now);
  /// Does the same as `receive` for a text from the network.
  std::string receive_text(Id id, std::string_view text, Time now);

  /// There is a new frame, in place of the one before.
  void offer(const Frame& frame);
  /// Tells whether a page can take this frame now.
  bool wants(Id id) const;
  /// This frame has been sent to a page.
  void sent(Id id, Time now);
  /// Tells whether a page has sent a valid token.
  bool is_known(Id id) const;
  /// Returns the number of pages that have sent a valid token.
  int known() const;
  /// Tells whether a token lets a page steer, or nothing if the token is wrong.
  std::optional<bool> steers(std::string_view token) const;

  /// A page that must be closed.
  struct Overdue {
    Id id;
    std::string reason;
    bool may_come_back;
  };
  /// Returns the pages that have sent no token, or shown no frame, for too long, those that another
  /// connection of the same page has replaced, and those whose token no longer counts.
  std::vector<Overdue> overdue(Time now) const;

  Demand demand() const;
  std::optional<Id> steering() const { return steering_; }
  /// Returns the JSON message about roles for a page: its role, which page steers, how many pages
  /// there are, and, if it may steer, the tokens for itself and for watching.
  std::string roles_text(Id id) const;
  /// The version increases whenever the roles change.
  std::uint64_t version() const { return version_; }

 private:
  struct Page {
    bool known = false, may_steer = false, hidden = false;
    bool replaced = false;  ///< the same page has connected again
    bool outdated = false;  ///< its token no longer counts
    std::string name;       ///< the same in all connections of a page
    int number = 0;         ///< the number that the message about roles has for this page
    ViewSize size;
    std::uint32_t last = 0;  ///< the last frame sent; 0: none
    bool h264 = false;
    std::uint32_t decoded = 0;  ///< the last frame of H.264 sent; 0: none for its present decoder
    std::deque<std::pair<std::uint32_t, Time>> unseen;
    Time since;
    double messages = message_burst;  ///< messages that it may send now
    Time counted;
  };

  std::string greet(Id id, Page& page, const Hello& hello);
  std::string see(Page& page, std::uint32_t frame);
  std::string pass(Id id, const std::vector<InputEvent>& events);
  void take_over(Id id, const Page& page);
  bool replace_former(Id id, const Page& page);
  std::string renew(Id id, const Page& page);
  void let_go();
  void note(const InputEvent& event);
  static bool spend_message(Page& page, Time now);

  Tokens tokens_;
  Exchange& exchange_;
  std::map<Id, Page> pages_;
  Frame frame_;              ///< the newest; number 0: none
  std::uint32_t coded_ = 0;  ///< the newest of H.264; 0: none
  std::optional<Id> steering_;
  std::vector<InputEvent> held_;  ///< keys and buttons that are down, as events that release them
  std::uint64_t version_ = 0;
  int numbers_ = 0;
};

}  // namespace mote::render::serve
