#include <gtest/gtest.h>

#include "engine/check.h"
#include "render/serve/address.h"
#include "render/serve/news.h"
#include "render/serve/token.h"
#include "tests/support/temporary_folder.h"

namespace mote::render::serve {
namespace {

std::string problem_of(const std::string& address) {
  return test::message_of<engine::InputError>([&] { parse_address(address); });
}

std::string exposure_of(const std::string& address, const Access& access = {}) {
  return test::message_of<engine::InputError>(
      [&] { check_exposure(parse_address(address), access); });
}

Access with_tls(std::vector<std::string> names = {}) {
  return {"certificate.pem", "key.pem", std::move(names)};
}

TEST(ServeAddress, IsAPortOfThisMachineUnlessMoreIsSaid) {
  EXPECT_EQ(parse_address("").text(), "127.0.0.1:7017");
  EXPECT_EQ(parse_address("8080").text(), "127.0.0.1:8080");
  EXPECT_EQ(parse_address("localhost:8080").text(), "127.0.0.1:8080");
  EXPECT_EQ(parse_address("0.0.0.0:80").text(), "0.0.0.0:80");
  EXPECT_EQ(parse_address("[::1]:8080").text(), "[::1]:8080");
  EXPECT_EQ(parse_address("/run/mote.sock").text(), "/run/mote.sock");
}

TEST(ServeAddress, IsRefusedWithItsRemedy) {
  for (const char* wrong :
       {"galaxies", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "1.2.3.4.5:80", "::1:80", "[::1]",
        "[127.0.0.1]:80", "host:80", "99999", "123456", ":80", "-1", "80 "})
    EXPECT_NE(problem_of(wrong).find("use [ADDRESS:]PORT"), std::string::npos) << wrong;
  EXPECT_NE(problem_of("/" + std::string(107, 'x')).find("at most 107"), std::string::npos);
}

TEST(ServeAddress, OfOthersNeedsTls) {
  for (const char* local : {"", "80", "127.0.0.2:80", "[::1]:80", "/run/mote.sock"})
    EXPECT_EQ(exposure_of(local), "") << local;
  for (const char* open : {"0.0.0.0:80", "[::]:80", "10.0.0.1:80"}) {
    EXPECT_NE(exposure_of(open).find("add --tls"), std::string::npos) << open;
    EXPECT_EQ(exposure_of(open, with_tls()), "") << open;
  }
}

TEST(ServeAddress, HasNamesWithTlsAlone) {
  EXPECT_NE(exposure_of("80", {{}, {}, {"mote.example"}}).find("--serve-host"), std::string::npos);
  EXPECT_EQ(exposure_of("80", with_tls({"mote.example"})), "");
}

TEST(ServeHost, IsAnAddressOrLocalhost) {
  for (const char* good :
       {"127.0.0.1:7017", "127.0.0.1", "localhost:1", "LOCALHOST", "[::1]:7017", "10.1.2.3:80"})
    EXPECT_TRUE(allows_host(good, {})) << good;
  for (const char* bad : {"", "evil.example", "evil.example:7017", "127.0.0.1.evil.example", ":80",
                          "localhost.evil.example:80", "127.0.0.1:", "127.0.0.1:80:80", "[::1",
                          "::1", "127.0.0.1:80 ", "localhost:port", "[evil]:80"})
    EXPECT_FALSE(allows_host(bad, {})) << bad;
}

TEST(ServeHost, IsANameThatWasGiven) {
  const Access access = with_tls({"mote.example"});
  EXPECT_TRUE(allows_host("mote.example:7017", access));
  EXPECT_TRUE(allows_host("Mote.Example", access));
  EXPECT_FALSE(allows_host("other.example", access));
  EXPECT_FALSE(allows_host("mote.example", {{}, {}, {"mote.example"}})) << "without TLS";
}

TEST(ServeOrigin, IsThatOfTheOwnPage) {
  EXPECT_TRUE(is_own_origin("http://127.0.0.1:7017", "127.0.0.1:7017", {}));
  EXPECT_TRUE(is_own_origin("https://127.0.0.1:7017", "127.0.0.1:7017", with_tls()));
  for (const char* other :
       {"", "null", "http://evil.example", "http://127.0.0.1:7018", "https://127.0.0.1:7017",
        "http://localhost:7017", "http://127.0.0.1:70170", "127.0.0.1:7017"})
    EXPECT_FALSE(is_own_origin(other, "127.0.0.1:7017", {})) << other;
}

TEST(ServeToken, IsLongAndNeverTheSame) {
  const std::string a = random_token(), b = random_token();
  EXPECT_EQ(a.size(), 40U);
  EXPECT_NE(a, b);
  EXPECT_EQ(a.find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST(ServeToken, IsEqualToItselfAlone) {
  const std::string token = random_token();
  EXPECT_TRUE(same_token(token, token));
  for (std::size_t i = 0; i < token.size(); ++i) {
    std::string other = token;
    other[i] = other[i] == 'a' ? 'b' : 'a';
    EXPECT_FALSE(same_token(token, other)) << i;
  }
  EXPECT_FALSE(same_token(token, ""));
  EXPECT_FALSE(same_token(token, token + "0"));
  EXPECT_FALSE(same_token(token, token.substr(1)));
}

TEST(ServeDirections, NameAPlaceThatABrowserReaches) {
  const Tokens tokens{"one", "two"};
  const Directions local = directions_to(parse_address("8080"), {}, tokens);
  EXPECT_EQ(local.steer, "http://127.0.0.1:8080/#token=one");
  EXPECT_EQ(local.watch, "http://127.0.0.1:8080/#token=two");
  EXPECT_EQ(local.tunnel.find("ssh -L 8080:127.0.0.1:8080 "), 0U);
  const Directions socket = directions_to(parse_address("/run/mote.sock"), {}, tokens);
  EXPECT_EQ(socket.steer, "http://127.0.0.1:7017/#token=one");
  EXPECT_EQ(socket.tunnel.find("ssh -L 7017:/run/mote.sock "), 0U);
  const Directions open =
      directions_to(parse_address("0.0.0.0:443"), with_tls({"m.example"}), tokens);
  EXPECT_EQ(open.steer, "https://m.example:443/#token=one");
  EXPECT_EQ(open.tunnel, "");
}

TEST(ServeDirections, HaveAnAddressForAFrameIfThereIsAKey) {
  EXPECT_EQ(directions_to(parse_address("8080"), {}, {"one", "two", "three"}).frame,
            "http://127.0.0.1:8080/?frame=three");
  EXPECT_EQ(directions_to(parse_address("8080"), {}, {"one", "two"}).frame, "");
}

}  // namespace
}  // namespace mote::render::serve
