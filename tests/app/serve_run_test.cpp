// These tests watch headless runs in a browser: a client does what the page does.
#include <csignal>

#include "tests/app/serve_fixture.h"

namespace mote::test {
namespace {

using namespace std::chrono_literals;

class ServeRun : public Serve {
 protected:
  void SetUp() override {
    View::SetUp();
    if (IsSkipped()) return;
    start({"run", "scene.lua", "--steps", "2000000000", "--out", "watched", "--serve=0"});
  }
  /// Returns whether the bodies move in the next pictures.
  static bool moves(WebClient& page) {
    const PictureFile first = picture_in(frame(page));
    for (int i = 0; i < 50; ++i)
      if (change(first, picture_in(frame(page))) > 0.01) return true;
    return false;
  }
  /// Returns the last message of the page.
  static engine::Json farewell(WebClient& page) {
    std::string last;
    while (const auto message = page.receive(60s))
      if (!message->binary) last = message->bytes;
    return engine::parse_json(last);
  }
};

TEST_F(ServeRun, WatchingChangesNoBits) {
  {
    const auto watcher = page();
    EXPECT_TRUE(moves(*watcher));
    press(*watcher, "T");  // trails
    EXPECT_TRUE(moves(*watcher));
  }
  program_->signal(SIGINT);
  EXPECT_EQ(program_->wait().code, 130);
  const engine::Json watched = json_of(here() / "watched/run.json");
  const auto steps = watched.at("steps").get<std::uint64_t>();
  ASSERT_GT(steps, 0U);
  EXPECT_EQ(mote(here(), {"run", "scene.lua", "--steps", std::to_string(steps), "--out", "alone",
                          "--quiet"})
                .code,
            0);
  const engine::Json alone = json_of(here() / "alone/run.json");
  EXPECT_EQ(watched.at("state_hash"), alone.at("state_hash")) << "after " << steps << " steps";
}

TEST_F(ServeRun, APageCannotChangeTheRun) {
  const auto watcher = page();
  EXPECT_TRUE(moves(*watcher));
  for (const char* key : {"Space", "R", "Delete", "Left"}) press(*watcher, key);
  watcher->send(R"({"type":"key","down":true,"key":"Q","control":true})");
  EXPECT_TRUE(moves(*watcher));
  EXPECT_FALSE(program_->ended());
  program_->signal(SIGINT);
  const engine::Json last = farewell(*watcher);
  EXPECT_EQ(last.at("type"), "farewell");
  EXPECT_EQ(last.at("mode"), "ended");
  EXPECT_NE(last.at("trouble").get<std::string>().find("the run was interrupted after "),
            std::string::npos)
      << last.at("trouble");
  EXPECT_EQ(program_->wait().code, 130);
}

TEST_F(ServeRun, GivesAPageTheFilesOfTheRun) {
  const auto watcher = page();
  EXPECT_TRUE(moves(*watcher));
  place_.headers["Authorization"] = "Bearer " + token_;
  const std::string files = fetch(place_, "/api/files").text;
  EXPECT_NE(files.find("watched/run.json"), std::string::npos) << files;
}

TEST_F(ServeRun, AnAddressInUseIsRefusedBeforeAnythingIsWritten) {
  const Result second = mote(here(), {"run", "scene.lua", "--steps", "10", "--out", "second",
                                      "--serve=" + std::to_string(place_.port)});
  EXPECT_EQ(second.code, 2);
  EXPECT_NE(second.err.find("the port is in use"), std::string::npos) << second.err;
  EXPECT_FALSE(fs::exists(here() / "second"));
}

}  // namespace
}  // namespace mote::test
