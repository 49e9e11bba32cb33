// These tests open the page of the window in a real browser, which they drive through its debugging
// port.
#include <csignal>

#include "tests/app/chromium.h"
#include "tests/app/serve_fixture.h"

namespace mote::test {
namespace {

/// This script tells in few digits what is on the page.
const char* const sum_of_pixels = R"((() => {
  const canvas = document.getElementById("picture");
  const bytes = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  return bytes.reduce((sum, byte) => sum + byte, 0);
})())";

class ServePage : public Serve {
 protected:
  void SetUp() override {
    if (Chromium::missing()) GTEST_SKIP() << "the program chromium is missing";
    Serve::SetUp();
  }
};

TEST_F(ServePage, ShowsTheWindowInChromium) {
  Chromium browser(url_);
  ASSERT_TRUE(browser.becomes("mote.stills > 0 && document.getElementById('notice').hidden"));
  EXPECT_EQ(browser.value_of("document.title"), "mote - Some bodies");
  EXPECT_EQ(browser.value_of("document.getElementById('roles').textContent"), "you steer");
  EXPECT_EQ(browser.value_of("document.getElementById('picture').width === "
                             "document.getElementById('view').clientWidth"),
            "true");
  const std::string before = browser.value_of(sum_of_pixels);
  browser.key("Tab");
  EXPECT_TRUE(browser.becomes(std::string(sum_of_pixels) + " !== " + before));
}

/// This script keeps the pixels of the last frame of H.264 that is shown in `before`.
const char* const keep_h264 = R"((() => {
  window.pixels = () => {
    const canvas = document.getElementById("picture");
    return canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  };
  const draw = CanvasRenderingContext2D.prototype.drawImage;
  CanvasRenderingContext2D.prototype.drawImage = function (picture, ...places) {
    draw.call(this, picture, ...places);
    if (picture instanceof VideoFrame) window.before = pixels();
  };
})())";

/// This script returns the mean difference between the picture and `before`, where its colours are
/// not grey. It compares means of 8 x 8 pixels, since edges are coarser while something moves.
const char* const change_of_colors = R"((() => {
  const now = pixels(), { width, height } = document.getElementById("picture");
  const mean = (bytes, x, y, k) => {
    let sum = 0;
    for (let i = 0; i < 64; ++i) sum += bytes[4 * ((y + (i >> 3)) * width + x + (i & 7)) + k];
    return sum / 64;
  };
  let sum = 0, count = 0;
  for (let y = 0; y + 8 <= height; y += 8)
    for (let x = 0; x + 8 <= width; x += 8) {
      const levels = [0, 1, 2].map((k) => mean(now, x, y, k));
      if (Math.max(...levels) - Math.min(...levels) < 50) continue;
      count += 3;
      for (let k = 0; k < 3; ++k) sum += Math.abs(levels[k] - mean(before, x, y, k));
    }
  return count < 150 ? NaN : sum / count;
})())";

TEST_F(ServePage, ShowsH264InTheSameColorsAsJpeg) {
  if (const std::string why = no_h264(); !why.empty()) GTEST_SKIP() << why;
  Chromium browser(url_);
  ASSERT_TRUE(browser.becomes("mote.stills > 0"));
  browser.value_of(keep_h264);
  browser.value_of("window.stills = mote.stills");
  browser.key(" ");
  ASSERT_TRUE(browser.becomes("mote.h264 > 20"));
  browser.key(" ");
  ASSERT_TRUE(browser.becomes("mote.stills > stills"));
  const double change = std::stod(browser.value_of(change_of_colors));
  EXPECT_GT(change, 0) << "the legend has colours";
  EXPECT_LT(change, 2.3) << "greys";
}

TEST_F(ServePage, FallsBackToJpegIfTheDecoderFails) {
  if (const std::string why = no_h264(); !why.empty()) GTEST_SKIP() << why;
  Chromium browser(url_);
  ASSERT_TRUE(browser.becomes("mote.stills > 0"));
  browser.key(" ");
  ASSERT_TRUE(browser.becomes("mote.h264 > 5"));
  browser.value_of(R"((() => {
    const decode = VideoDecoder.prototype.decode;
    window.failures = 1;
    VideoDecoder.prototype.decode = function (chunk) {
      if (failures-- > 0) throw new Error("no");
      return decode.call(this, chunk);
    };
  })())");
  browser.value_of("window.before = mote.h264");
  EXPECT_TRUE(browser.becomes("mote.h264 > before + 5")) << "one failure begins a new stream";
  browser.value_of("window.failures = 1000");
  browser.value_of("window.before = mote.frames");
  EXPECT_TRUE(browser.becomes("mote.frames > before + 20"));
  EXPECT_GT(std::stoi(browser.value_of("failures")), 990) << "it no longer tries";
}

TEST_F(ServePage, ShowsJpegIfItsAddressSaysSo) {
  Chromium browser(url_ + "&codec=jpeg");
  ASSERT_TRUE(browser.becomes("mote.stills > 0"));
  browser.key(" ");
  EXPECT_TRUE(browser.becomes("mote.frames > 10"));
  EXPECT_EQ(browser.value_of("mote.h264"), "0");
}

TEST_F(ServePage, SaysThatAnotherPageSteers) {
  Chromium browser(url_);
  ASSERT_TRUE(browser.becomes("mote.frames > 0"));
  const auto other = page();
  other->send(R"({"type":"steer"})");
  EXPECT_TRUE(
      browser.becomes("document.getElementById('roles').textContent === "
                      "'page 2 steers, 2 pages'"));
  browser.value_of("document.getElementById('steer').click()");
  EXPECT_TRUE(
      browser.becomes("document.getElementById('roles').textContent === "
                      "'you steer, 2 pages'"));
}

TEST_F(ServePage, OpensASceneThatIsDroppedAndFetchesWhatTheWindowWrote) {
  Chromium browser(url_);
  ASSERT_TRUE(browser.becomes("mote.frames > 0"));
  browser.value_of(R"((() => {
    const data = new DataTransfer();
    data.items.add(new File(['return {title = "Sent by the page", gravity = {}, integrator = {dt = 0.01},' +
      ' bodies = {{mass = 1, position = {0, 0, 0}}, {mass = 1, position = {1, 0, 0}}}}'], "sent.lua"));
    window.dispatchEvent(new DragEvent("drop", {dataTransfer: data, cancelable: true}));
  })())");
  EXPECT_TRUE(browser.becomes("document.title === 'mote - Sent by the page'"));
  // The key of screenshots opens tools of a browser that is driven.
  browser.value_of("window.dispatchEvent(new KeyboardEvent('keydown', {key: 'F12', code: 'F12'}))");
  EXPECT_TRUE(browser.becomes(R"((() => {
    const file = document.querySelector("#panel a");
    if (!file) document.getElementById("files").click();
    return file?.textContent === "screenshot.png";
  })())"));
}

TEST_F(ServePage, RenewsItsAddress) {
  Chromium browser(url_);
  ASSERT_TRUE(browser.becomes("mote.frames > 0"));
  const std::string before = browser.value_of("location.hash");
  browser.value_of(
      "document.getElementById('share').click(),"
      "document.querySelectorAll('#panel button')[1].click()");
  EXPECT_TRUE(browser.becomes("location.hash !== '" + before + "'"));
  WebClient old(place_);
  old.send(R"({"type":"hello","steer":true,"ratio":1,"width":9,"height":9,"token":")" + token_ +
           "\"}");
  while (old.receive()) {
  }
  EXPECT_EQ(old.reason(), "the token is wrong");
  EXPECT_EQ(browser.value_of("document.getElementById('roles').textContent"), "you steer");
}

TEST_F(ServePage, SaysThatMoteHasEnded) {
  Chromium browser(url_);
  ASSERT_TRUE(browser.becomes("mote.frames > 0"));
  program_->signal(SIGTERM);
  EXPECT_TRUE(
      browser.becomes("document.getElementById('notice').textContent === "
                      "'mote has ended.'"));
}

TEST_F(ServePage, RefusesAWrongToken) {
  Chromium browser(url_.substr(0, url_.size() - 4) + "0000");
  EXPECT_TRUE(browser.becomes(
      "document.getElementById('notice').textContent.includes('of an earlier start of mote')"));
}

}  // namespace
}  // namespace mote::test
