#include <gtest/gtest.h>

#include <random>

#include "render/serve/message.h"

namespace mote::render::serve {
namespace {

using Kind = InputEvent::Kind;

InputEvent event_in(const std::string& text) {
  const auto events = std::get<std::vector<InputEvent>>(read_message(text));
  return events.size() == 1 ? events.front() : InputEvent{};
}

bool is_refused(const std::string& text) {
  try {
    read_message(text);
  } catch (const MessageError&) {
    return true;
  }
  return false;
}

TEST(ServeMessage, OfTheMouseIsAnEventOfTheWindow) {
  const InputEvent down =
      event_in(R"({"type":"down","x":10.5,"y":20,"button":2,"control":true,"shift":false})");
  EXPECT_EQ(down.kind, Kind::mouse_down);
  EXPECT_EQ(down.x, 10.5);
  EXPECT_EQ(down.y, 20);
  EXPECT_EQ(down.button, 2);
  EXPECT_TRUE(down.modifiers.control);
  EXPECT_FALSE(down.modifiers.shift);
  EXPECT_EQ(event_in(R"({"type":"up","x":0,"y":0,"button":0})").kind, Kind::mouse_up);
  EXPECT_EQ(event_in(R"({"type":"move","x":-1,"y":-1})").kind, Kind::mouse_move);
  EXPECT_EQ(event_in(R"({"type":"wheel","x":1,"y":1,"amount":-2.5})").amount, -2.5);
}

TEST(ServeMessage, OfAKeyNamesItAsHelpDoes) {
  const InputEvent down = event_in(R"({"type":"key","key":"F12","down":true,"shift":true})");
  EXPECT_EQ(down.kind, Kind::key_down);
  EXPECT_EQ(down.key, Key::f12);
  EXPECT_TRUE(down.modifiers.shift);
  EXPECT_EQ(event_in(R"({"type":"key","key":"Left","down":false})").kind, Kind::key_up);
  EXPECT_EQ(event_in(R"({"type":"key","key":"S","down":true,"repeat":true})").kind,
            Kind::key_repeat);
  EXPECT_EQ(event_in(R"({"type":"key","key":"?","down":true})").key, static_cast<Key>('/'));
}

TEST(ServeMessage, OfTextHasItsCharacters) {
  const auto events =
      std::get<std::vector<InputEvent>>(read_message("{\"type\":\"text\",\"text\":\"a\\n\xc3\xa9"
                                                     "\xf0\x9f\x98\x80\"}"));
  ASSERT_EQ(events.size(), 3U) << "a line feed is a key";
  EXPECT_EQ(events[0].character, U'a');
  EXPECT_EQ(events[1].character, U'\u00e9');
  EXPECT_EQ(events[2].character, U'\U0001f600');
}

TEST(ServeMessage, OfThePageIsRead) {
  const auto hello = std::get<Hello>(read_message(
      R"({"type":"hello","token":"abc","width":800,"height":600,"ratio":2,"steer":true})"));
  EXPECT_EQ(hello.token, "abc");
  EXPECT_EQ(hello.size.width, 800);
  EXPECT_EQ(hello.size.ratio, 2);
  EXPECT_TRUE(hello.steer);
  EXPECT_FALSE(hello.h264);
  EXPECT_TRUE(std::get<Decoder>(read_message(R"({"type":"decoder","h264":true})")).h264);
  EXPECT_EQ(std::get<Seen>(read_message(R"({"type":"seen","frame":4294967295})")).frame,
            4294967295U);
  EXPECT_TRUE(std::get<Visibility>(read_message(R"({"type":"visibility","hidden":true})")).hidden);
  EXPECT_EQ(std::get<Clipboard>(read_message(R"({"type":"clipboard","text":"x"})")).text, "x");
  EXPECT_TRUE(std::holds_alternative<Steer>(read_message(R"({"type":"steer"})")));
  EXPECT_TRUE(std::holds_alternative<Release>(read_message(R"({"type":"release"})")));
}

TEST(ServeMessage, IsRefusedIfItIsNone) {
  for (const char* wrong : {"",
                            "x",
                            "{",
                            "[]",
                            "3",
                            "null",
                            "{}",
                            R"({"type":3})",
                            R"({"type":"open","file":"/x"})",
                            R"({"type":"key","key":"Hyper","down":true})",
                            R"({"type":"key","down":true})",
                            R"({"type":"key","key":"A","down":1})",
                            R"({"type":"down","x":1,"y":1})",
                            R"({"type":"down","x":1,"y":1,"button":3})",
                            R"({"type":"down","x":1,"y":1,"button":-1})",
                            R"({"type":"move","x":1e9,"y":1})",
                            R"({"type":"move","x":null,"y":1})",
                            R"({"type":"move","x":"1","y":1})",
                            R"({"type":"wheel","x":1,"y":1,"amount":1e300})",
                            R"({"type":"hello","token":1,"width":1,"height":1,"ratio":1})",
                            R"({"type":"hello","token":"","width":0,"height":1,"ratio":1})",
                            R"({"type":"size","width":1,"height":1,"ratio":1e9})",
                            R"({"type":"seen","frame":-1})",
                            R"({"type":"seen","frame":4294967296})",
                            "{\"type\":\"text\",\"text\":\"\xff\"}"})
    EXPECT_TRUE(is_refused(wrong)) << wrong;
}

TEST(ServeMessage, IsRefusedIfItIsTooLong) {
  const auto text_of = [](std::size_t length) {
    return R"({"type":"text","text":")" + std::string(length, 'x') + R"("})";
  };
  EXPECT_FALSE(is_refused(text_of(4096)));
  EXPECT_TRUE(is_refused(text_of(4097)));
  EXPECT_TRUE(is_refused(text_of(longest_message)));
  EXPECT_TRUE(is_refused(std::string(60000, '[')));
  EXPECT_TRUE(is_refused(R"({"type":"steer"})" + std::string(longest_message, ' ')));
  EXPECT_TRUE(is_refused(R"({"type":")" + std::string(17, 'x') + R"("})"));
}

TEST(ServeMessage, IsRefusedIfHalfOfItIsMissing) {
  const std::string whole =
      R"({"type":"hello","token":"abc","width":800,"height":600,"ratio":2,"steer":true})";
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_TRUE(is_refused(whole.substr(0, length))) << length;
}

TEST(ServeMessage, IsReadOrRefusedWhateverIsInIt) {
  std::mt19937 random(1);
  const std::string whole = R"({"type":"down","x":10.5,"y":20,"button":2,"control":true})";
  int read = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = whole;
    for (int k = 0; k < 3; ++k) text[random() % text.size()] = static_cast<char>(random());
    if (!is_refused(text)) ++read;
  }
  EXPECT_GT(read, 0);
  EXPECT_LT(read, 20000);
}

}  // namespace
}  // namespace mote::render::serve
