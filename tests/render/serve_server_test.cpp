#include "render/serve/server.h"

#include <gtest/gtest.h>
#include <stb_image.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>
#include <vector>

#include "engine/check.h"
#include "engine/json.h"
#include "render/serve/window_site.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/web/web_client.h"

namespace mote::render::serve {
namespace {

using test::fetch;
using test::WebClient;
using test::WebPlace;
using namespace std::chrono_literals;

std::string token_of(const std::string& url) {
  return url.substr(url.find("#token=") + 7);
}

std::string hello(const std::string& token) {
  return R"({"type":"hello","width":64,"height":48,"ratio":1,"steer":true,"token":")" + token +
         R"("})";
}

Image gray(int width, int height, std::uint8_t level) {
  return {width, height,
          std::vector<std::uint8_t>(static_cast<std::size_t>(3 * width * height), level)};
}

/// Returns the number of a frame.
unsigned number_of(const std::string& bytes) {
  unsigned number = 0;
  for (int i = 3; i >= 0; --i)
    number = number << 8 | static_cast<unsigned char>(bytes.at(static_cast<std::size_t>(8 + i)));
  return number;
}

class ServeServer : public testing::Test {
 protected:
  explicit ServeServer(const std::string& where = "0") : server_({where, {}}, site_, &exchange_) {
    const std::string& url = server_.directions().steer;
    place_.port = std::stoi(url.substr(url.rfind(':') + 1));
    steer_ = token_of(url);
    watch_ = token_of(server_.directions().watch);
  }

  /// Returns the next message of this type.
  static engine::Json hear(WebClient& client, const std::string& type) {
    while (const auto message = client.receive()) {
      if (message->binary) continue;
      engine::Json json = engine::parse_json(message->bytes);
      if (json.at("type") == type) return json;
    }
    ADD_FAILURE() << "no " << type;
    return {};
  }
  static std::string next_frame(WebClient& client, std::chrono::milliseconds limit = 20s) {
    while (const auto message = client.receive(limit))
      if (message->binary) return message->bytes;
    return "";
  }
  static void expect_refused(WebClient& client, const std::string& reason) {
    while (client.receive()) {
    }
    EXPECT_TRUE(client.closed());
    EXPECT_EQ(client.close_code(), 1008);
    EXPECT_NE(client.reason().find(reason), std::string::npos) << client.reason();
  }
  /// Returns the next events of the window.
  std::vector<InputEvent> events(std::size_t count) {
    std::vector<InputEvent> all;
    for (int i = 0; i < 200 && all.size() < count; ++i)
      for (const Input& input : exchange_.take(0.1, false))
        if (const auto* event = std::get_if<InputEvent>(&input)) all.push_back(*event);
    return all;
  }

  Exchange exchange_;
  WindowSite site_{exchange_};
  Server server_;
  Encoder encoder_;
  WebPlace place_;
  std::string steer_, watch_;
};

TEST_F(ServeServer, SendsThePageAndNothingElse) {
  const auto page = fetch(place_, "/");
  EXPECT_EQ(page.status, 200);
  EXPECT_NE(page.text.find("<!doctype html>"), std::string::npos);
  EXPECT_EQ(page.text.find("{{nonce}}"), std::string::npos);
  EXPECT_EQ(page.text.find(steer_), std::string::npos);
  EXPECT_EQ(page.headers.at("X-Frame-Options"), "DENY");
  EXPECT_EQ(page.headers.at("Cache-Control"), "no-store");
  EXPECT_EQ(page.headers.count("Set-Cookie"), 0U);
  const std::string policy = page.headers.at("Content-Security-Policy");
  EXPECT_EQ(policy.find("default-src 'none'; script-src 'nonce-"), 0U);
  EXPECT_NE(policy.find("frame-ancestors 'none'"), std::string::npos);
  EXPECT_EQ(policy.find("unsafe"), std::string::npos);
  EXPECT_NE(fetch(place_, "/").headers.at("Content-Security-Policy"), policy) << "a new nonce";
  for (const char* other : {"/favicon.ico", "/index.html", "/../etc/passwd", "//", "/ws"})
    EXPECT_EQ(fetch(place_, other).status, 404) << other;
  EXPECT_EQ(fetch(place_, "/", "POST").status, 405);
}

TEST_F(ServeServer, RefusesHostsThatAnotherSiteCanMean) {
  place_.headers["Host"] = "evil.example:" + std::to_string(place_.port);
  EXPECT_EQ(fetch(place_, "/").status, 403);
  place_.headers["Origin"] = "http://" + place_.headers["Host"];
  EXPECT_EQ(WebClient(place_).refusal(), 403);
}

TEST_F(ServeServer, RefusesPagesOfOtherSites) {
  for (const char* origin : {"http://evil.example", "null", "http://127.0.0.1"}) {
    place_.headers["Origin"] = origin;
    EXPECT_EQ(WebClient(place_).refusal(), 403) << origin;
  }
  place_.headers.clear();
  EXPECT_EQ(WebClient(place_, "/other").refusal(), 404);
  EXPECT_EQ(WebClient(place_).refusal(), 0);
}

TEST_F(ServeServer, ClosesPagesWithoutTheToken) {
  for (const std::string& first : {hello("guess"), hello(""), std::string(R"({"type":"steer"})"),
                                   std::string("rubbish"), hello(steer_.substr(1))}) {
    WebClient client(place_);
    client.send(first);
    expect_refused(client, "");
  }
  EXPECT_FALSE(exchange_.demand().watched);
}

TEST_F(ServeServer, PassesInputOfThePageThatSteers) {
  WebClient client(place_);
  client.send(hello(steer_));
  EXPECT_EQ(hear(client, "roles").at("steers"), 1);
  client.send(R"({"type":"key","key":"Space","down":true})");
  client.send(R"({"type":"down","x":3,"y":4,"button":0})");
  const auto input = events(2);
  ASSERT_EQ(input.size(), 2U);
  EXPECT_EQ(input[0].key, Key::space);
  EXPECT_EQ(input[1].x, 3);
  client.drop();
  const auto released = events(2);
  ASSERT_EQ(released.size(), 2U) << "a page that is gone holds no keys";
  EXPECT_EQ(released[0].kind, InputEvent::Kind::key_up);
}

TEST_F(ServeServer, ClosesAWatcherThatWantsToSteer) {
  WebClient watcher(place_);
  watcher.send(hello(watch_));
  const auto roles = hear(watcher, "roles");
  EXPECT_EQ(roles.at("may_steer"), false);
  EXPECT_EQ(roles.at("steers"), 0);
  watcher.send(R"({"type":"key","key":"Space","down":true})");
  expect_refused(watcher, "may only watch");
  EXPECT_TRUE(exchange_.take(0, false).empty());
}

TEST_F(ServeServer, TellsAllPagesWhoSteers) {
  WebClient first(place_), second(place_);
  first.send(hello(steer_));
  EXPECT_EQ(hear(first, "roles").at("steers"), 1);
  second.send(hello(steer_));
  EXPECT_EQ(hear(second, "roles").at("steers"), 1);
  second.send(R"({"type":"steer"})");
  EXPECT_EQ(hear(second, "roles").at("steers"), 2);
  EXPECT_EQ(hear(first, "roles").at("pages"), 2);
  EXPECT_EQ(hear(first, "roles").at("steers"), 2);
}

TEST_F(ServeServer, ClosesPagesThatSayWhatNoPageSays) {
  WebClient client(place_);
  client.send(hello(steer_));
  hear(client, "roles");
  client.send(R"({"type":"open","file":"/etc/passwd"})");
  expect_refused(client, "a message is wrong");
}

TEST_F(ServeServer, ClosesPagesThatSendTooMuchAtOnce) {
  WebClient client(place_);
  client.send(hello(steer_));
  hear(client, "roles");
  client.send(std::string(longest_message + 1, 'x'));
  while (client.receive()) {
  }
  EXPECT_TRUE(client.closed());
  EXPECT_EQ(client.close_code(), 1009);
}

TEST_F(ServeServer, SendsFramesThatDecode) {
  WebClient client(place_);
  client.send(hello(steer_));
  hear(client, "roles");
  for (const FrameKind kind : {FrameKind::jpeg, FrameKind::still}) {
    Image image = gray(64, 48, kind == FrameKind::jpeg ? 40 : 200);
    for (std::size_t i = 0; i < image.rgb.size(); i += 3) image.rgb[i] = 120;
    server_.send(encoder_.encode(image, kind));
    const std::string frame = next_frame(client);
    ASSERT_GT(frame.size(), 12U);
    EXPECT_EQ(static_cast<FrameKind>(frame[0]), kind);
    EXPECT_EQ(frame[2], 64);
    EXPECT_EQ(frame[4], 48);
    int width = 0, height = 0, channels = 0;
    const auto free = [](stbi_uc* bytes) { stbi_image_free(bytes); };
    const std::unique_ptr<stbi_uc, decltype(free)> pixels(
        stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(frame.data()) + 12,
                              static_cast<int>(frame.size()) - 12, &width, &height, &channels, 3),
        free);
    ASSERT_TRUE(pixels);
    EXPECT_EQ(width, 64);
    EXPECT_EQ(height, 48);
    EXPECT_NEAR(pixels.get()[0], 120, 3);
    EXPECT_NEAR(pixels.get()[3 * 64 * 47 + 1], kind == FrameKind::jpeg ? 40 : 200, 3);
  }
}

TEST_F(ServeServer, DropsFramesOfASlowReader) {
  WebClient slow(place_), quick(place_);
  slow.send(hello(watch_));
  hear(slow, "roles");
  quick.send(hello(steer_));
  hear(quick, "roles");
  for (unsigned number = 1; number <= 5; ++number) {
    server_.send(encoder_.encode(gray(64, 48, 0), FrameKind::jpeg));
    EXPECT_EQ(number_of(next_frame(quick)), number);
    quick.send(R"({"type":"seen","frame":)" + std::to_string(number) + "}");
  }
  EXPECT_EQ(number_of(next_frame(slow)), 1U);
  EXPECT_EQ(number_of(next_frame(slow)), 2U);
  EXPECT_EQ(next_frame(slow, 200ms), "") << "it has not seen two";
  slow.send(R"({"type":"seen","frame":2})");
  EXPECT_EQ(number_of(next_frame(slow)), 5U) << "the last one, at once";
}

TEST_F(ServeServer, HasRoomForAFixedNumberOfPages) {
  std::vector<std::unique_ptr<WebClient>> clients;
  for (int i = 0; i < Server::most_pages; ++i) {
    clients.push_back(std::make_unique<WebClient>(place_));
    clients.back()->send(hello(watch_));
    hear(*clients.back(), "roles");
  }
  EXPECT_EQ(WebClient(place_).refusal(), 503);
  EXPECT_EQ(fetch(place_, "/").status, 503);
  clients.clear();
  int status = 0;
  for (int i = 0; i < 100 && status != 200; ++i, std::this_thread::sleep_for(20ms))
    status = fetch(place_, "/").status;
  EXPECT_EQ(status, 200) << "those that are gone leave room";
}

TEST_F(ServeServer, ConnectionsWithoutATokenKeepNoPageOut) {
  WebClient known(place_);
  known.send(hello(steer_));
  hear(known, "roles");
  std::vector<std::unique_ptr<WebClient>> strangers;
  for (int i = 0; i < 10 * Server::most_strangers; ++i)
    strangers.push_back(std::make_unique<WebClient>(place_));
  WebClient page(place_);
  page.send(hello(watch_));
  EXPECT_EQ(hear(page, "roles").at("pages"), 2) << "and the first page is still there";
  EXPECT_FALSE(strangers.front()->receive(2s));
  EXPECT_TRUE(strangers.front()->closed());
}

TEST_F(ServeServer, GivesThePageTheFilesOfTheWindow) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directories(folder / "out/snapshots");
  folder.file("picture.png", "pixels");
  folder.file("out/series.csv", "time,energy");
  folder.file("secret", "not for pages");
  std::filesystem::create_symlink(folder / "secret", folder / "out/link");
  site_.offer(folder / "picture.png");
  site_.offer(folder / "out");
  EXPECT_EQ(fetch(place_, "/api/files").status, 403) << "without a token";
  place_.headers["Authorization"] = "Bearer " + watch_;
  const engine::Json list = engine::parse_json(fetch(place_, "/api/files").text);
  ASSERT_EQ(list.size(), 2U) << "a link may lead anywhere";
  EXPECT_EQ(list.at(0).at("name"), "picture.png");
  EXPECT_EQ(list.at(0).at("bytes"), 6);
  EXPECT_EQ(list.at(1).at("name"), "out/series.csv");
  const auto file = fetch(place_, "/api/file?name=out%2Fseries.csv");
  EXPECT_EQ(file.text, "time,energy");
  EXPECT_EQ(file.headers.at("Content-Disposition"), "attachment; filename=\"series.csv\"");
  for (const char* other : {"out/link", "secret", "../secret", "out/../secret", "/etc/passwd", ""})
    EXPECT_EQ(fetch(place_, std::string("/api/file?name=") + other).status, 404) << other;
  place_.headers["Authorization"] = "Bearer " + steer_.substr(1);
  EXPECT_EQ(fetch(place_, "/api/files").status, 403);
  place_.headers["Authorization"] = "Bearer " + steer_;
  place_.headers["Origin"] = "http://127.0.0.1:1";
  EXPECT_EQ(fetch(place_, "/api/files").status, 403) << "for a page of another site";
}

TEST_F(ServeServer, OpensAFileThatThePageSends) {
  place_.headers["Authorization"] = "Bearer " + steer_;
  const std::string scene(300'000, '-');
  EXPECT_EQ(fetch(place_, "/api/upload?name=two%20stars.lua", "POST", scene).status, 200);
  const auto all = events(1);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].kind, InputEvent::Kind::drop);
  const std::filesystem::path file = all[0].path;
  EXPECT_EQ(file.filename(), "two stars.lua");
  EXPECT_EQ(std::filesystem::file_size(file), scene.size());
}

TEST_F(ServeServer, RefusesFilesThatItCannotOpen) {
  place_.headers["Authorization"] = "Bearer " + steer_;
  for (const char* name : {"a.exe", "..%2Fa.lua", ".a.lua", "a%00.lua", "", "a%0a.lua"}) {
    const auto answer = fetch(place_, std::string("/api/upload?name=") + name, "POST", "x");
    EXPECT_EQ(answer.status, 422) << name;
    EXPECT_FALSE(answer.text.empty());
  }
  place_.headers["Content-Length"] = "2000000000";
  EXPECT_EQ(fetch(place_, "/api/upload?name=a.lua", "POST").text,
            "a file may have at most 1 GiB\n");
  place_.headers.erase("Content-Length");
  place_.headers["Authorization"] = "Bearer " + watch_;
  EXPECT_EQ(fetch(place_, "/api/upload?name=a.lua", "POST", "x").status, 403) << "it only watches";
  EXPECT_TRUE(exchange_.take(0.1, false).empty());
}

TEST_F(ServeServer, RenewsItsTokens) {
  WebClient page(place_), other(place_);
  page.send(hello(steer_));
  hear(page, "roles");
  other.send(hello(watch_));
  hear(other, "roles");
  page.send(R"({"type":"renew"})");
  engine::Json roles = hear(page, "roles");
  while (roles.at("token") == steer_) roles = hear(page, "roles");
  expect_refused(other, "has been renewed");
  WebClient late(place_);
  late.send(hello(watch_));
  expect_refused(late, "the token is wrong");
  WebClient again(place_);
  again.send(hello(roles.at("watch").get<std::string>()));
  EXPECT_EQ(hear(again, "roles").at("pages"), 2);
}

TEST_F(ServeServer, TellsNewsToPagesThatComeLater) {
  server_.tell({"mote - a scene", "unhealthy", "a body is not finite", "text"});
  WebClient client(place_);
  client.send(hello(watch_));
  const auto news = hear(client, "news");
  EXPECT_EQ(news.at("title"), "mote - a scene");
  EXPECT_EQ(news.at("mode"), "unhealthy");
  EXPECT_EQ(news.at("trouble"), "a body is not finite");
  EXPECT_EQ(news.at("pointer"), "text");
}

TEST_F(ServeServer, CopiesTextForThePageThatSteersAlone) {
  WebClient watcher(place_), steering(place_);
  watcher.send(hello(watch_));
  hear(watcher, "roles");
  steering.send(hello(steer_));
  hear(steering, "roles");
  server_.copy("copied");
  EXPECT_EQ(hear(steering, "clipboard").at("text"), "copied");
  while (const auto message = watcher.receive(100ms))
    EXPECT_EQ(message->bytes.find("copied"), std::string::npos);
}

TEST_F(ServeServer, NamesTheNextFreePort) {
  const std::string place = std::to_string(place_.port);
  Exchange exchange;
  WindowSite site{exchange};
  const std::string problem = test::message_of<engine::InputError>([&] {
    Server(ServerOptions{place, {}}, site, &exchange);
  });
  EXPECT_NE(problem.find("the port is in use; use --serve=127.0.0.1:"), std::string::npos)
      << problem;
}

TEST(ServeServerEnd, TakesLeaveOfItsPages) {
  Exchange exchange;
  WindowSite site{exchange};
  auto server = std::make_unique<Server>(ServerOptions{"0", {}}, site, &exchange);
  const std::string url = server->directions().steer;
  WebPlace place;
  place.port = std::stoi(url.substr(url.rfind(':') + 1));
  WebClient client(place), silent(place);
  client.send(hello(token_of(url)));
  ASSERT_TRUE(client.receive());
  server->tell({"title", "failed", "out of memory", "default"});
  std::thread end([&] { server.reset(); });
  std::string last;
  while (const auto message = client.receive()) last = message->bytes;
  end.join();
  EXPECT_EQ(engine::parse_json(last).at("type"), "farewell");
  EXPECT_EQ(engine::parse_json(last).at("trouble"), "out of memory");
  EXPECT_EQ(client.close_code(), 1001);
}

TEST(ServeFrame, IsAllowedToTheOriginsInItsAddress) {
  Exchange exchange;
  WindowSite site{exchange};
  const Server server({"0", {}, /*embed=*/true}, site, &exchange);
  const std::string frame = server.directions().frame, origin = "http://localhost:8888";
  const std::string target = frame.substr(frame.find("/?")) + "&of=" + origin;
  WebPlace place;
  place.port = std::stoi(frame.substr(frame.rfind(':') + 1));
  const auto page = fetch(place, target);
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.headers.count("X-Frame-Options"), 0U);
  EXPECT_EQ(page.headers.at("Access-Control-Allow-Origin"), origin);
  EXPECT_NE(page.headers.at("Content-Security-Policy").find("frame-ancestors " + origin),
            std::string::npos);
  const auto two = fetch(place, target + "&of=https://outer.example");
  EXPECT_EQ(two.headers.at("Access-Control-Allow-Origin"), origin);
  EXPECT_NE(two.headers.at("Content-Security-Policy")
                .find("frame-ancestors " + origin + " https://outer.example"),
            std::string::npos);
  for (const std::string& token : {token_of(server.directions().steer), std::string(40, '0')}) {
    const auto refused = fetch(place, "/?frame=" + token + "&of=" + origin);
    EXPECT_EQ(refused.headers.at("X-Frame-Options"), "DENY");
    EXPECT_EQ(refused.headers.count("Access-Control-Allow-Origin"), 0U);
    EXPECT_NE(refused.headers.at("Content-Security-Policy").find("frame-ancestors 'none'"),
              std::string::npos);
  }
  EXPECT_EQ(fetch(place, "/").headers.at("X-Frame-Options"), "DENY");
  WebClient client(place);
  client.send(hello(target.substr(target.find('=') + 1, 40)));
  while (client.receive()) {
  }
  EXPECT_EQ(client.close_code(), 1008) << "the key is no token";
}

TEST(ServeSocket, IsForItsOwnerAlone) {
  const test::TemporaryFolder folder;
  const std::filesystem::path path = folder / "mote.sock";
  Exchange exchange;
  WindowSite site{exchange};
  {
    const Server server({path.string(), {}}, site, &exchange);
    struct stat status {};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0600U);
    WebPlace place;
    place.socket = path;
    place.port = 7017;
    EXPECT_EQ(fetch(place, "/").status, 200);
    WebClient client(place);
    client.send(hello(token_of(server.directions().steer)));
    EXPECT_TRUE(client.receive());
    EXPECT_NE(test::message_of<engine::InputError>([&] {
                Exchange other;
                WindowSite site_of_other{other};
                Server(ServerOptions{path.string(), {}}, site_of_other, &other);
              }).find("the socket is in use"),
              std::string::npos);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(ServeSocket, ReplacesOneThatWasLeftOver) {
  const test::TemporaryFolder folder;
  const std::filesystem::path path = folder / "mote.sock";
  const int left = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.string().copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(left, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ::close(left);
  Exchange exchange;
  WindowSite site{exchange};
  WebPlace place;
  place.socket = path;
  const Server server({path.string(), {}}, site, &exchange);
  EXPECT_EQ(fetch(place, "/").status, 200);
}

TEST(ServeSocket, NeverReplacesAFile) {
  const test::TemporaryFolder folder;
  const auto file = folder.file("mote.sock", "precious");
  Exchange exchange;
  WindowSite site{exchange};
  EXPECT_NE(test::message_of<engine::InputError>([&] {
              Server(ServerOptions{file.string(), {}}, site, &exchange);
            }).find("name a new file"),
            std::string::npos);
  EXPECT_EQ(std::filesystem::file_size(file), 8U);
}

TEST(ServeTls, EncryptsThePage) {
  const test::TemporaryFolder folder;
  const std::string make =
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes "
      "-subj /CN=mote -days 2 -keyout " +
      (folder / "key.pem").string() + " -out " + (folder / "certificate.pem").string() +
      " >/dev/null 2>&1";
  if (std::system(make.c_str()) != 0) GTEST_SKIP() << "the program openssl is missing";
  ServerOptions options{"0", {folder / "certificate.pem", folder / "key.pem", {"mote.example"}}};
  Exchange exchange;
  WindowSite site{exchange};
  const Server server(options, site, &exchange);
  const std::string url = server.directions().steer;
  EXPECT_EQ(url.find("https://mote.example:"), 0U) << url;
  WebPlace place;
  place.port = std::stoi(url.substr(url.rfind(':') + 1));
  EXPECT_EQ(fetch(place, "/").status, 0) << "without TLS";
  place.tls = true;
  const auto page = fetch(place, "/");
  EXPECT_EQ(page.status, 200);
  EXPECT_NE(page.headers.at("Content-Security-Policy").find("wss://127.0.0.1:"), std::string::npos);
  place.headers["Host"] = "mote.example";
  EXPECT_EQ(fetch(place, "/").status, 200);
  place.headers["Host"] = "other.example";
  EXPECT_EQ(fetch(place, "/").status, 403);
}

TEST(ServeTls, NamesTheFileThatIsWrong) {
  const test::TemporaryFolder folder;
  const auto file = folder.file("certificate.pem", "rubbish");
  Exchange exchange;
  WindowSite site{exchange};
  const std::string problem = test::message_of<engine::InputError>([&] {
    Server(ServerOptions{"0", {file, file, {}}}, site, &exchange);
  });
  EXPECT_EQ(problem.find("--tls: " + file.string()), 0U) << problem;
}

}  // namespace
}  // namespace mote::render::serve
