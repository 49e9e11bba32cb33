#include <gtest/gtest.h>

#include <algorithm>

#include "engine/json.h"
#include "render/serve/audience.h"

namespace mote::render::serve {
namespace {

using Kind = InputEvent::Kind;
using std::chrono::seconds;

class ServeAudience : public testing::Test {
 protected:
  void enter(Audience::Id id, const std::string& token = "steer", bool steer = true) {
    audience_.join(id, now_);
    ASSERT_EQ(say(id, Hello{token, {640, 360, 1}, steer}), "");
  }
  std::string say(Audience::Id id, const Message& message) {
    return audience_.receive(id, message, now_);
  }
  /// Offers a frame, and tells whether a page wants it.
  bool wants(Audience::Id id, std::uint32_t frame) {
    audience_.offer({FrameKind::jpeg, frame, 0});
    return audience_.wants(id);
  }
  void give(Audience::Id id, const Frame& frame) {
    audience_.offer(frame);
    audience_.sent(id, now_);
  }
  void give(Audience::Id id, std::uint32_t frame) { give(id, Frame{FrameKind::jpeg, frame, 0}); }
  std::string press(Audience::Id id, Kind kind, Key key = Key::none, double x = 0) {
    InputEvent event = mouse_event(kind, x, 0);
    event.key = key;
    return say(id, std::vector{event});
  }
  std::vector<InputEvent> events() {
    std::vector<InputEvent> all;
    for (const Input& input : exchange_.take(0, false))
      if (const auto* event = std::get_if<InputEvent>(&input)) all.push_back(*event);
    return all;
  }
  engine::Json roles(Audience::Id id) const { return engine::parse_json(audience_.roles_text(id)); }

  Exchange exchange_;
  Audience audience_{{"steer", "watch"}, exchange_};
  Audience::Time now_ = std::chrono::steady_clock::now();
};

TEST_F(ServeAudience, HearsNothingBeforeTheToken) {
  audience_.join(1, now_);
  EXPECT_NE(press(1, Kind::mouse_down), "");
  EXPECT_NE(say(1, Steer{}), "");
  EXPECT_NE(say(1, Hello{"", {1, 1, 1}, true}), "");
  EXPECT_NE(say(1, Hello{"steel", {1, 1, 1}, true}), "");
  EXPECT_NE(say(1, Hello{"steer2", {1, 1, 1}, true}), "");
  EXPECT_FALSE(audience_.is_known(1));
  EXPECT_FALSE(wants(1, 7));
  EXPECT_FALSE(audience_.demand().watched);
  EXPECT_TRUE(events().empty());
}

TEST_F(ServeAudience, LetsTheFirstSteer) {
  enter(1);
  enter(2);
  EXPECT_EQ(audience_.steering(), 1U);
  EXPECT_EQ(roles(2).at("steers"), 1);
  EXPECT_EQ(roles(2).at("you"), 2);
  EXPECT_EQ(roles(2).at("pages"), 2);
  EXPECT_EQ(press(1, Kind::key_down, Key::space), "");
  EXPECT_EQ(events().size(), 1U);
  EXPECT_EQ(press(2, Kind::key_down, Key::space), "") << "it may not know yet that it does not";
  EXPECT_TRUE(events().empty());
}

TEST_F(ServeAudience, LetsAnotherTakeOver) {
  enter(1);
  enter(2);
  const auto before = audience_.version();
  EXPECT_EQ(say(2, Steer{}), "");
  EXPECT_EQ(audience_.steering(), 2U);
  EXPECT_GT(audience_.version(), before);
  audience_.leave(2);
  EXPECT_EQ(audience_.steering(), std::nullopt);
  EXPECT_EQ(roles(1).at("steers"), 0);
}

TEST_F(ServeAudience, NeverLetsTheSecondTokenSteer) {
  enter(1, "watch");
  EXPECT_EQ(audience_.steering(), std::nullopt);
  EXPECT_EQ(roles(1).at("may_steer"), false);
  EXPECT_NE(say(1, Steer{}), "");
  EXPECT_NE(press(1, Kind::mouse_down), "");
  EXPECT_NE(say(1, Clipboard{"x"}), "");
  EXPECT_EQ(say(1, ViewSize{10, 10, 1}), "") << "a page says this by itself";
  EXPECT_EQ(audience_.steering(), std::nullopt);
  EXPECT_TRUE(exchange_.take(0, false).empty());
  EXPECT_TRUE(wants(1, 1));
}

TEST_F(ServeAudience, GivesThePictureTheSizeOfThePageThatSteers) {
  enter(1);
  EXPECT_EQ(std::get<ViewSize>(exchange_.take(0, false).at(0)).width, 640);
  enter(2);
  say(2, ViewSize{100, 50, 2});
  EXPECT_TRUE(exchange_.take(0, false).empty());
  say(2, Steer{});
  const auto inputs = exchange_.take(0, false);
  ASSERT_EQ(inputs.size(), 1U);
  EXPECT_EQ(std::get<ViewSize>(inputs[0]).width, 100);
  EXPECT_EQ(std::get<ViewSize>(inputs[0]).ratio, 2);
}

TEST_F(ServeAudience, LetsGoOfWhatAPageHeld) {
  for (const bool leaves : {true, false}) {
    enter(1);
    press(1, Kind::mouse_down);
    press(1, Kind::key_down, static_cast<Key>('W'));
    press(1, Kind::key_down, Key::left_shift);
    press(1, Kind::key_up, Key::left_shift);
    press(1, Kind::mouse_move, Key::none, 33);
    events();
    leaves ? audience_.leave(1) : static_cast<void>(say(1, Release{}));
    const auto last = events();
    ASSERT_EQ(last.size(), 2U);
    EXPECT_EQ(last[0].kind, Kind::mouse_up);
    EXPECT_EQ(last[0].x, 33) << "where the mouse was last";
    EXPECT_EQ(last[1].kind, Kind::key_up);
    EXPECT_EQ(last[1].key, static_cast<Key>('W'));
    audience_.leave(1);
    EXPECT_TRUE(events().empty());
  }
}

TEST_F(ServeAudience, HasTwoFramesOnTheirWayAtMost) {
  enter(1);
  EXPECT_TRUE(wants(1, 1));
  give(1, 1);
  EXPECT_FALSE(wants(1, 1)) << "it has this one";
  EXPECT_TRUE(wants(1, 2));
  give(1, 2);
  EXPECT_FALSE(wants(1, 3));
  EXPECT_TRUE(audience_.demand().watched);
  EXPECT_FALSE(audience_.demand().room);
  EXPECT_EQ(say(1, Seen{1}), "");
  EXPECT_TRUE(wants(1, 3));
  EXPECT_TRUE(audience_.demand().room);
  EXPECT_EQ(say(1, Seen{2}), "");
  EXPECT_NE(say(1, Seen{2}), "") << "what was not sent cannot be seen";
  EXPECT_NE(say(1, Seen{9}), "");
}

TEST_F(ServeAudience, ClosesASlowReader) {
  enter(1);
  give(1, 1);
  EXPECT_TRUE(audience_.overdue(now_ + seconds(29)).empty());
  const auto late = audience_.overdue(now_ + seconds(31));
  ASSERT_EQ(late.size(), 1U);
  EXPECT_EQ(late[0].id, 1U);
  say(1, Seen{1});
  EXPECT_TRUE(audience_.overdue(now_ + seconds(31)).empty());
}

TEST_F(ServeAudience, ClosesWhoSaysNothing) {
  audience_.join(1, now_);
  EXPECT_TRUE(audience_.overdue(now_ + seconds(9)).empty());
  EXPECT_EQ(audience_.overdue(now_ + seconds(11)).size(), 1U);
}

TEST_F(ServeAudience, APageThatConnectsAgainReplacesItsFormerConnection) {
  audience_.join(1, now_);
  EXPECT_EQ(say(1, Hello{"steer", {1, 1, 1}, true, "a page"}), "");
  press(1, Kind::mouse_down);
  audience_.join(2, now_);
  EXPECT_EQ(say(2, Hello{"steer", {1, 1, 1}, true, "another page"}), "");
  EXPECT_TRUE(audience_.overdue(now_).empty());
  audience_.join(3, now_);
  EXPECT_EQ(say(3, Hello{"steer", {1, 1, 1}, true, "a page"}), "");
  EXPECT_EQ(audience_.steering(), 3U) << "as its former connection did";
  const auto former = audience_.overdue(now_);
  ASSERT_EQ(former.size(), 1U);
  EXPECT_EQ(former[0].id, 1U);
  EXPECT_EQ(events().back().kind, Kind::mouse_up) << "the button is let go";
}

TEST_F(ServeAudience, OnlyAPageThatMaySteerRenewsTheTokens) {
  enter(1);
  enter(2, "watch");
  EXPECT_NE(say(2, Renew{}), "");
  EXPECT_EQ(audience_.steers("steer"), true);
  EXPECT_EQ(say(1, Renew{}), "");
  EXPECT_EQ(audience_.steers("steer"), std::nullopt);
  EXPECT_EQ(audience_.steers("watch"), std::nullopt);
  EXPECT_EQ(audience_.steers(roles(1).at("token").get<std::string>()), true);
  EXPECT_EQ(audience_.steers(roles(1).at("watch").get<std::string>()), false);
  EXPECT_FALSE(roles(2).contains("token"));
  EXPECT_FALSE(roles(2).contains("watch"));
  const auto closed = audience_.overdue(now_);
  ASSERT_EQ(closed.size(), 1U);
  EXPECT_EQ(closed[0].id, 2U);
  EXPECT_FALSE(closed[0].may_come_back);
}

TEST_F(ServeAudience, ClosesWhoSaysTooMuch) {
  enter(1);
  std::string refusal;
  int count = 0;
  while (refusal.empty() && count < 10000) {
    refusal = say(1, Visibility{false});
    ++count;
  }
  EXPECT_NEAR(count, Audience::message_burst, 2);
  now_ += seconds(1);
  EXPECT_EQ(say(1, Visibility{false}), "") << "a second brings more";
}

TEST_F(ServeAudience, SendsNothingToAHiddenPage) {
  enter(1);
  give(1, 1);
  say(1, Seen{1});
  say(1, Visibility{true});
  EXPECT_FALSE(wants(1, 2));
  EXPECT_FALSE(audience_.demand().watched);
  say(1, Visibility{false});
  EXPECT_TRUE(wants(1, 1)) << "the last picture, at once";
}

TEST_F(ServeAudience, GetsH264IfOnePageIsWatchedThatDecodesIt) {
  enter(1);
  EXPECT_FALSE(audience_.demand().h264);
  say(1, Decoder{true});
  EXPECT_TRUE(audience_.demand().h264);
  audience_.join(2, now_);
  EXPECT_TRUE(audience_.demand().h264) << "the second one has not said its token";
  say(2, Hello{"watch", {640, 360, 1}, false, "", /*h264=*/true});
  EXPECT_FALSE(audience_.demand().h264);
  say(2, Visibility{true});
  EXPECT_TRUE(audience_.demand().h264);
  say(1, Visibility{true});
  EXPECT_FALSE(audience_.demand().h264);
  say(2, Visibility{false});
  EXPECT_TRUE(audience_.demand().h264);
  say(2, Decoder{false});
  EXPECT_FALSE(audience_.demand().h264);
}

TEST_F(ServeAudience, GetsNoFrameWithoutThoseThatItNeeds) {
  enter(1);
  say(1, Decoder{true});
  give(1, {FrameKind::h264, 1, 0});
  give(1, {FrameKind::still, 2, 0});
  say(1, Seen{2});
  audience_.offer({FrameKind::h264, 3, 1});
  EXPECT_TRUE(audience_.wants(1)) << "a JPEG is no part of the stream";
  audience_.sent(1, now_);
  EXPECT_FALSE(audience_.demand().key_frame);
  say(1, Seen{3});
  audience_.offer({FrameKind::h264, 4, 3});
  audience_.offer({FrameKind::h264, 5, 4});
  EXPECT_FALSE(audience_.wants(1)) << "it has missed one";
  EXPECT_TRUE(audience_.demand().key_frame);
  audience_.offer({FrameKind::h264, 6, 0});
  EXPECT_TRUE(audience_.wants(1));
  audience_.sent(1, now_);
  EXPECT_FALSE(audience_.demand().key_frame);
}

TEST_F(ServeAudience, AsksForAKeyFrameForANewDecoder) {
  enter(1);
  say(1, Decoder{true});
  give(1, {FrameKind::h264, 1, 0});
  say(1, Seen{1});
  say(1, Decoder{true});
  EXPECT_TRUE(audience_.demand().key_frame);
  audience_.offer({FrameKind::h264, 2, 1});
  EXPECT_FALSE(audience_.wants(1));
  say(1, Decoder{false});
  audience_.offer({FrameKind::h264, 3, 0});
  EXPECT_FALSE(audience_.wants(1)) << "it decodes no H.264 any more";
  EXPECT_TRUE(wants(1, 4));
}

TEST_F(ServeAudience, AsksForAKeyFrameForAPageThatComesIntoView) {
  enter(1);
  say(1, Decoder{true});
  give(1, {FrameKind::h264, 1, 0});
  audience_.join(2, now_);
  say(2, Hello{"watch", {640, 360, 1}, false, "", /*h264=*/true});
  say(1, Visibility{true});
  EXPECT_TRUE(audience_.demand().key_frame) << "for the second one";
  audience_.leave(2);
  audience_.offer({FrameKind::h264, 2, 1});
  say(1, Visibility{false});
  EXPECT_TRUE(audience_.demand().key_frame) << "it missed one while it was hidden";
}

TEST_F(ServeAudience, ClosesWhoSendsMoreThanTheWindowTakes) {
  enter(1);
  std::vector<InputEvent> many(4000);
  for (InputEvent& event : many) event.kind = Kind::text;
  EXPECT_EQ(say(1, many), "");
  EXPECT_NE(say(1, many), "");
}

TEST(ServeExchange, JoinsMovesThatFollowEachOther) {
  Exchange exchange;
  for (int x = 0; x < 10000; ++x) ASSERT_TRUE(exchange.push(mouse_event(Kind::mouse_move, x, 0)));
  exchange.push(mouse_event(Kind::mouse_down, 1, 0));
  exchange.push(mouse_event(Kind::mouse_move, 2, 0));
  const auto inputs = exchange.take(0, false);
  ASSERT_EQ(inputs.size(), 3U);
  EXPECT_EQ(std::get<InputEvent>(inputs[0]).x, 9999);
}

TEST(ServeExchange, IsBounded) {
  Exchange exchange;
  std::size_t count = 0;
  InputEvent event;
  event.kind = Kind::text;
  while (count < 100000 && exchange.push(event)) ++count;
  EXPECT_EQ(count, Exchange::most_waiting);
}

}  // namespace
}  // namespace mote::render::serve
