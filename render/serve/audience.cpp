#include "render/serve/audience.h"

#include <algorithm>

#include "engine/json.h"
#include "render/serve/token.h"

namespace mote::render::serve {
namespace {

using Kind = InputEvent::Kind;

template <class... Callables>
struct Overloaded : Callables... {
  using Callables::operator()...;
};

const char* const too_much = "more input than the window can take";

}  // namespace

Audience::Audience(Tokens tokens, Exchange& exchange)
    : tokens_(std::move(tokens)), exchange_(exchange) {}

void Audience::join(Id id, Time now) {
  Page page;
  page.since = page.counted = now;
  pages_[id] = std::move(page);
}

void Audience::leave(Id id) {
  if (steering_ == id) {
    let_go();
    steering_.reset();
  }
  if (pages_.erase(id) > 0) ++version_;
}

std::string Audience::receive_text(Id id, std::string_view text, Time now) {
  try {
    return receive(id, read_message(text), now);
  } catch (const MessageError& e) {
    return std::string("a message is wrong: ") + e.what();
  }
}

std::string Audience::receive(Id id, const Message& message, Time now) {
  const auto found = pages_.find(id);
  if (found == pages_.end()) return "";
  Page& page = found->second;
  if (!spend_message(page, now)) return "too many messages";
  if (!page.known) {
    const auto* hello = std::get_if<Hello>(&message);
    return hello ? greet(id, page, *hello) : "the first message has no token";
  }
  const bool steers = steering_ == id;
  return std::visit(Overloaded{[&](const Hello&) -> std::string { return "a second greeting"; },
                               [&](const ViewSize& size) -> std::string {
                                 page.size = size;
                                 return !steers || exchange_.push(size) ? "" : too_much;
                               },
                               [&](const Seen& seen) { return see(page, seen.frame); },
                               [&](const Visibility& visibility) -> std::string {
                                 page.hidden = visibility.hidden;
                                 if (page.hidden)
                                   page.last = 0;  // it gets the frame that is current then
                                 return "";
                               },
                               [&](const Decoder& decoder) -> std::string {
                                 page.h264 = decoder.h264;
                                 page.decoded = 0;
                                 return "";
                               },
                               [&](const Steer&) -> std::string {
                                 if (!page.may_steer) return "this page may only watch";
                                 if (!steers) take_over(id, page);
                                 return "";
                               },
                               [&](const Renew&) { return renew(id, page); },
                               [&](const Release&) -> std::string {
                                 if (steers) let_go();
                                 return "";
                               },
                               [&](const Clipboard& clipboard) -> std::string {
                                 if (!page.may_steer) return "this page may only watch";
                                 return !steers || exchange_.push(clipboard) ? "" : too_much;
                               },
                               [&](const std::vector<InputEvent>& events) -> std::string {
                                 if (!page.may_steer) return "this page may only watch";
                                 // A page learns late that another one has taken over.
                                 return steers ? pass(id, events) : "";
                               }},
                    message);
}

std::string Audience::greet(Id id, Page& page, const Hello& hello) {
  const auto steer = steers(hello.token);
  if (!steer) return "the token is wrong";
  if (known() >= most_pages) return "too many pages are open";
  page.known = true;
  page.may_steer = *steer;
  page.size = hello.size;
  page.h264 = hello.h264;
  page.number = ++numbers_;
  page.name = hello.page;
  ++version_;
  if (*steer && hello.steer && (replace_former(id, page) || !steering_)) take_over(id, page);
  return "";
}

/// A page that has lost its connection may be back before the loss is noticed here. Tells whether
/// its former connection steered.
bool Audience::replace_former(Id id, const Page& page) {
  bool steered = false;
  for (auto& [other, former] : pages_) {
    if (other == id || !former.known || former.name.empty() || former.name != page.name) continue;
    former.replaced = true;
    steered = steered || steering_ == other;
  }
  return steered;
}

/// Makes new tokens, which the page that asks for them gets; others have to be given the new ones.
std::string Audience::renew(Id id, const Page& page) {
  if (!page.may_steer) return "this page may only watch";
  tokens_ = {random_token(), random_token()};
  for (auto& [other, known] : pages_) known.outdated = other != id;
  ++version_;
  return "";
}

std::string Audience::see(Page& page, std::uint32_t frame) {
  const auto is_it = [&](const auto& sent) { return sent.first == frame; };
  const auto found = std::find_if(page.unseen.begin(), page.unseen.end(), is_it);
  if (found == page.unseen.end()) return "a frame was seen that was not sent";
  page.unseen.erase(page.unseen.begin(), std::next(found));
  return "";
}

std::string Audience::pass(Id, const std::vector<InputEvent>& events) {
  for (const InputEvent& event : events) {
    note(event);
    if (!exchange_.push(event)) return too_much;
  }
  return "";
}

void Audience::take_over(Id id, const Page& page) {
  let_go();
  steering_ = id;
  exchange_.push(page.size, /*always=*/true);
  ++version_;
}

/// Releases all that is pressed, since no other page can.
void Audience::let_go() {
  for (const InputEvent& event : held_) exchange_.push(event, /*always=*/true);
  held_.clear();
}

/// Remembers what is pressed.
void Audience::note(const InputEvent& event) {
  const bool key = event.kind == Kind::key_down || event.kind == Kind::key_up;
  const bool button = event.kind == Kind::mouse_down || event.kind == Kind::mouse_up;
  if (event.kind == Kind::mouse_move)
    for (InputEvent& up : held_) up.x = event.x, up.y = event.y;  // a drag ends where the mouse is
  if (!key && !button) return;
  InputEvent up = event;
  up.kind = key ? Kind::key_up : Kind::mouse_up;
  up.modifiers = {};
  std::erase_if(held_, [&](const InputEvent& held) {
    return held.kind == up.kind && held.key == up.key && held.button == up.button;
  });
  if (event.kind == Kind::key_down || event.kind == Kind::mouse_down) held_.push_back(up);
}

bool Audience::spend_message(Page& page, Time now) {
  const double seconds = std::chrono::duration<double>(now - page.counted).count();
  page.counted = now;
  page.messages = std::min(message_burst, page.messages + seconds * message_rate) - 1;
  return page.messages >= 0;
}

void Audience::offer(const Frame& frame) {
  frame_ = frame;
  if (frame.kind == FrameKind::h264) coded_ = frame.number;
}

bool Audience::wants(Id id) const {
  const auto found = pages_.find(id);
  if (found == pages_.end() || frame_.number == 0) return false;
  const Page& page = found->second;
  if (!page.known || page.hidden) return false;
  if (page.last == frame_.number || page.unseen.size() >= most_unseen) return false;
  if (frame_.kind != FrameKind::h264) return true;
  return page.h264 && (frame_.needs == 0 || frame_.needs == page.decoded);
}

void Audience::sent(Id id, Time now) {
  const auto found = pages_.find(id);
  if (found == pages_.end()) return;
  Page& page = found->second;
  page.last = frame_.number;
  if (frame_.kind == FrameKind::h264) page.decoded = frame_.number;
  page.unseen.emplace_back(frame_.number, now);
}

int Audience::known() const {
  return static_cast<int>(std::count_if(pages_.begin(), pages_.end(),
                                        [](const auto& entry) { return entry.second.known; }));
}

std::optional<bool> Audience::steers(std::string_view token) const {
  const bool steer = same_token(token, tokens_.steer), watch = same_token(token, tokens_.watch);
  return steer || watch ? std::optional(steer) : std::nullopt;
}

bool Audience::is_known(Id id) const {
  const auto found = pages_.find(id);
  return found != pages_.end() && found->second.known;
}

std::vector<Audience::Overdue> Audience::overdue(Time now) const {
  std::vector<Overdue> late;
  for (const auto& [id, page] : pages_) {
    if (page.outdated)
      late.push_back({id, "the address of this page has been renewed", false});
    else if (page.replaced)
      late.push_back({id, "the page has connected again", false});
    else if (!page.known && now - page.since > longest_silence)
      late.push_back({id, "the page has said no token", true});
    else if (!page.unseen.empty() && now - page.unseen.front().second > longest_unseen)
      late.push_back({id, "the page shows no frames", true});
  }
  return late;
}

Demand Audience::demand() const {
  Demand demand;
  for (const auto& [id, page] : pages_) {
    if (!page.known || page.hidden) continue;
    // A frame of H.264 needs all those before it, and pages that share one encoder would each have
    // to get every frame, at the pace of the slowest.
    demand.h264 = !demand.watched && page.h264;
    demand.key_frame = demand.h264 && page.decoded != coded_;
    demand.watched = true;
    demand.room = demand.room || page.unseen.size() < most_unseen;
  }
  return demand;
}

std::string Audience::roles_text(Id id) const {
  const auto page = pages_.find(id);
  engine::Json text;
  text["type"] = "roles";
  text["you"] = page == pages_.end() ? 0 : page->second.number;
  text["may_steer"] = page != pages_.end() && page->second.may_steer;
  text["steers"] = steering_ ? pages_.at(*steering_).number : 0;  // 0: no page
  text["pages"] = known();
  if (page != pages_.end() && page->second.may_steer) {
    text["token"] = tokens_.steer;
    text["watch"] = tokens_.watch;
  }
  return engine::json_text(text);
}

}  // namespace mote::render::serve
