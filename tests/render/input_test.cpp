#include "render/input.h"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

namespace mote::render {
namespace {

struct Stroke {
  Key key = Key::none;
  Modifiers modifiers;
  bool known = false;
};

Stroke read(const std::string& text) {
  Stroke stroke;
  stroke.known = parse_key(text, stroke.key, stroke.modifiers);
  return stroke;
}

void expect_stroke(const std::string& text, Key key, bool control, bool shift, bool alt) {
  const Stroke stroke = read(text);
  EXPECT_TRUE(stroke.known) << text;
  EXPECT_EQ(static_cast<int>(stroke.key), static_cast<int>(key)) << text;
  EXPECT_EQ(stroke.modifiers.control, control) << text;
  EXPECT_EQ(stroke.modifiers.shift, shift) << text;
  EXPECT_EQ(stroke.modifiers.alt, alt) << text;
}

TEST(Keys, AreReadAsHelpWritesThem) {
  expect_stroke("Space", Key::space, false, false, false);
  expect_stroke("Ctrl+Shift+S", static_cast<Key>('S'), true, true, false);
  expect_stroke("F9", Key::f9, false, false, false);
  expect_stroke("F12", Key::f12, false, false, false);
  expect_stroke(".", Key::period, false, false, false);
  expect_stroke("Left", Key::left, false, false, false);
  expect_stroke("a", static_cast<Key>('A'), false, false, false);
  expect_stroke("A", static_cast<Key>('A'), false, false, false);
  expect_stroke("alt+pagedown", Key::page_down, false, false, true);
  expect_stroke("control+7", static_cast<Key>('7'), true, false, false);
  expect_stroke("Shift", Key::left_shift, false, false, false);
}

TEST(Keys, OfShiftedCharactersAreThoseOfAUsKeyboard) {
  expect_stroke("?", static_cast<Key>('/'), false, true, false);
  expect_stroke("+", Key::equal, false, true, false);
  expect_stroke("Ctrl++", Key::equal, true, true, false);
  expect_stroke("{", Key::left_bracket, false, true, false);
}

TEST(Keys, ThatDoNotExistAreRefusedAndChangeNothing) {
  for (const char* text :
       {"", "Hyper+A", "F13", "F0", "Ctrl+", "aa", "Ctrl+Sapce", "\xc3\xa4", "A+B", "\t"}) {
    Key key = Key::home;
    Modifiers modifiers{false, true, false};
    EXPECT_FALSE(parse_key(text, key, modifiers)) << text;
    EXPECT_EQ(static_cast<int>(key), static_cast<int>(Key::home)) << text;
    EXPECT_TRUE(modifiers.control && !modifiers.shift) << text;
  }
}

TEST(Keys, AreReadBackFromTheirText) {
  std::vector<int> codes;
  for (int code = ' '; code <= '`'; ++code)
    if (code == ' ' || std::string("',-./0123456789;=ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]`")
                               .find(static_cast<char>(code)) != std::string::npos)
      codes.push_back(code);
  for (int code = static_cast<int>(Key::escape); code <= static_cast<int>(Key::end); ++code)
    codes.push_back(code);
  for (int code = static_cast<int>(Key::f1); code <= static_cast<int>(Key::f12); ++code)
    codes.push_back(code);
  for (const int code : codes)
    for (int bits = 0; bits < 8; ++bits) {
      const Modifiers modifiers{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0};
      const std::string text = text_of(static_cast<Key>(code), modifiers);
      expect_stroke(text, static_cast<Key>(code), modifiers.control, modifiers.shift,
                    modifiers.alt);
    }
  EXPECT_EQ(text_of(static_cast<Key>('S'), {true, true, true}), "Ctrl+Alt+Shift+S");
  EXPECT_EQ(text_of(Key::left_shift, {true, false, false}), "Shift");
}

}  // namespace
}  // namespace mote::render
