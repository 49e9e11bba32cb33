// These tests use the window in a browser: a client does what the page does.
#include "tests/app/serve_fixture.h"

#include <csignal>

namespace mote::test {
namespace {

using namespace std::chrono_literals;

TEST_F(Serve, ShowsPicturesThatFollowKeysAndTheMouse) {
  const auto client = page();
  const PictureFile first = still(*client);
  ASSERT_EQ(first.width, 480);
  ASSERT_EQ(first.height, 270);
  // This key hides the panels.
  press(*client, "Tab");
  const PictureFile bare = still(*client);
  EXPECT_GT(change(first, bare), 1);
  mouse(*client, "move", 240, 130);
  mouse(*client, "down", 240, 130);
  mouse(*client, "move", 340, 160);
  mouse(*client, "up", 340, 160);
  const PictureFile turned = still(*client);
  EXPECT_GT(change(bare, turned), 0.02);
}

TEST_F(Serve, SendsNothingWhileNothingMoves) {
  const auto client = page();
  still(*client);
  EXPECT_EQ(frame(*client, 3s), "") << "not even for the numbers of the status strip";
  press(*client, "X");
  EXPECT_NE(frame(*client), "");
}

TEST_F(Serve, FollowsTheSizeOfThePage) {
  const auto client = page(300, 200);
  EXPECT_EQ(still(*client).width, 300);
  client->send(R"({"type":"size","width":640,"height":400,"ratio":2})");
  const PictureFile large = still(*client);
  EXPECT_EQ(large.width, 640);
  EXPECT_EQ(large.height, 400);
}

TEST_F(Serve, GoesOnWhileALineIsLost) {
  {
    const auto client = page();
    still(*client);
    press(*client, "Space");
    client->drop();
  }
  const auto again = page();
  const std::string first = frame(*again);
  ASSERT_FALSE(first.empty());
  std::string next = frame(*again);
  for (int i = 0; i < 20 && change(picture_in(first), picture_in(next)) < 0.01; ++i)
    next = frame(*again);
  EXPECT_GT(change(picture_in(first), picture_in(next)), 0.01) << "it runs";
  EXPECT_FALSE(program_->ended());
}

TEST_F(Serve, EndsByItsKeyAndSaysSo) {
  const auto client = page();
  still(*client);
  client->send(R"({"type":"key","down":true,"key":"Q","control":true})");
  std::string last;
  while (const auto message = client->receive(20s)) last = message->bytes;
  EXPECT_EQ(engine::parse_json(last).at("type"), "farewell");
  EXPECT_EQ(program_->wait().code, 0);
}

TEST_F(Serve, EndsByASignal) {
  const auto client = page();
  still(*client);
  program_->signal(SIGTERM);
  EXPECT_EQ(program_->wait().code, 130);
}

TEST_F(Serve, PrintsHowABrowserGetsThere) {
  const std::string said = text_of(here() / "said");
  const auto lines = lines_of(said);
  ASSERT_EQ(lines.size(), 3U) << said;
  EXPECT_NE(lines[0].find("http://127.0.0.1:"), std::string::npos);
  EXPECT_NE(lines[1].find("to watch only"), std::string::npos);
  EXPECT_NE(lines[2].find("ssh -L "), std::string::npos);
}

TEST_F(Serve, LeavesTheRunTheSameBits) {
  program_.reset();
  start({"scene.lua", "--serve=0", "--out", "served"});
  const auto client = page();
  for (int i = 0; i < 10; ++i) ASSERT_NE(frame(*client), "");
  press(*client, "Tab");
  frame(*client);
  program_->signal(SIGTERM);
  program_->wait();
  const auto steps = json_of(here() / "served/run.json").at("steps").get<std::int64_t>();
  EXPECT_GT(steps, 0);
  mote(here(), {"run", "scene.lua", "--steps", std::to_string(steps), "--out", "plain"});
  EXPECT_EQ(hash_of(here() / "served"), hash_of(here() / "plain"));
}

class ServeH264 : public Serve {
 protected:
  void SetUp() override {
    Serve::SetUp();
    if (IsSkipped()) return;
    if (const std::string why = no_h264(); !why.empty()) GTEST_SKIP() << why;
  }
  /// Returns the next frame that a condition holds for, or "" if none comes.
  template <class Condition>
  static std::string next(WebClient& page, Condition condition) {
    for (int i = 0; i < 60; ++i)
      if (std::string one = frame(page); one.empty() || condition(one)) return one;
    return "";
  }
  std::unique_ptr<WebClient> decoding_page() const {
    auto client = page();
    client->send(R"({"type":"decoder","h264":true})");
    return client;
  }
  /// Runs the scene once it is open.
  static void run(WebClient& page) {
    still(page);
    press(page, "Space");
  }
};

TEST_F(ServeH264, IsForTheOnlyPage) {
  const auto client = decoding_page();
  const std::string first = next(*client, is_h264);
  ASSERT_NE(first, "");
  EXPECT_TRUE(is_complete(first));
  run(*client);
  EXPECT_FALSE(is_complete(next(*client, is_h264)));
  {
    const auto other = decoding_page();
    ASSERT_NE(frame(*other), "");
    EXPECT_NE(next(*client, [](const std::string& one) { return !is_h264(one); }), "");
    EXPECT_FALSE(is_h264(frame(*other)));
    other->drop();
  }
  EXPECT_NE(next(*client, is_h264), "");
}

TEST_F(ServeH264, BeginsAgainForANewDecoder) {
  const auto client = decoding_page();
  run(*client);
  ASSERT_NE(next(*client, is_h264), "");
  const auto begins = [](const std::string& one) { return is_h264(one) && is_complete(one); };
  client->send(R"({"type":"decoder","h264":true})");
  EXPECT_NE(next(*client, begins), "");
  client->send(R"({"type":"size","width":640,"height":400,"ratio":1})");
  EXPECT_NE(next(*client, begins), "");
  client->send(R"({"type":"decoder","h264":false})");
  EXPECT_NE(next(*client, [](const std::string& one) { return !is_h264(one); }), "");
}

TEST_F(ServeH264, EndsInAStillJpeg) {
  const auto client = decoding_page();
  run(*client);
  ASSERT_NE(next(*client, is_h264), "");
  press(*client, "Space");
  EXPECT_EQ(still(*client).width, 480);
}

TEST_F(ServeH264, IsJpegWhereOpenH264IsMissing) {
  const Environment missing("MOTE_OPENH264", "/nowhere.so");
  const std::string why = no_h264();
  EXPECT_NE(why.find("no H.264 (/nowhere.so: cannot open"), std::string::npos) << why;
  program_.reset();
  start({"scene.lua", "--serve=0", "--paused"});
  const auto client = decoding_page();
  run(*client);
  for (int i = 0; i < 10; ++i) {
    const std::string one = frame(*client);
    ASSERT_NE(one, "");
    EXPECT_FALSE(is_h264(one));
  }
}

class ServeOptions : public View {};

TEST_F(ServeOptions, AreRefusedWithPlaceReasonAndRemedy) {
  const auto said = [&](std::vector<std::string> more) {
    more.insert(more.begin(), "scene.lua");
    const Result result = mote(here(), more);
    EXPECT_EQ(result.code, 2) << result.err;
    return result.err;
  };
  EXPECT_NE(said({"--serve=0.0.0.0:7017"}).find("--serve=0.0.0.0:7017: without TLS"),
            std::string::npos);
  EXPECT_NE(said({"--serve=rubbish"}).find("--serve=rubbish: this is no address"),
            std::string::npos);
  EXPECT_NE(said({"--serve", "--serve-host", "mote.example"}).find("--serve-host: without TLS"),
            std::string::npos);
  EXPECT_NE(said({"--serve-host", "mote.example"}).find("--serve"), std::string::npos);
  EXPECT_NE(said({"--embed"}).find("--embed requires --serve"), std::string::npos);
  EXPECT_NE(said({"--serve", "--offscreen"}).find("excludes"), std::string::npos);
}

}  // namespace
}  // namespace mote::test
