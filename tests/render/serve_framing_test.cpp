#include "render/serve/framing.h"

#include <gtest/gtest.h>

namespace mote::render::serve {
namespace {

TEST(ServeFraming, IsForTheOriginsThatTheKeyNames) {
  for (const char* origin :
       {"http://localhost:8888", "https://hub.example", "http://[::1]:8888",
        "http://127.0.0.1:8888", "vscode-webview://1a2b3c", "vscode-file://vscode-app"})
    EXPECT_EQ(framing_origins("/?frame=0a1b&of=" + std::string(origin), "0a1b"), origin);
  EXPECT_EQ(framing_origins("/?frame=0a1b&of=http://a.example&of=https://b.example:8443", "0a1b"),
            "http://a.example https://b.example:8443");
}

TEST(ServeFraming, IsForNoOtherKey) {
  for (const char* key : {"0a1c", "0a1", "0a1b0", "0A1B", ""})
    EXPECT_FALSE(framing_origins("/?frame=" + std::string(key) + "&of=http://a.example", "0a1b"))
        << key;
  EXPECT_FALSE(framing_origins("/?frame=&of=http://a.example", ""));
}

TEST(ServeFraming, IsForWellFormedOriginsAlone) {
  for (const char* rest : {"",
                           "&of=",
                           "&of=null",
                           "&of=*",
                           "&of=http:",
                           "&of=http://",
                           "&of=http://*",
                           "&of=http://a.example/",
                           "&of=http://a.example:",
                           "&of=http://a.example:123456",
                           "&of=http://a.example:*",
                           "&of=http://a.example;script-src",
                           "&of=http://a.example%20*",
                           "&of=http://a.example *",
                           "&of=http://a.example\r\nX: y",
                           "&of='self'",
                           "&of=a.example",
                           "&of=file://a",
                           "&of=data://a",
                           "&of=javascript://a",
                           "&of=http://me@a.example",
                           "&of=http://[a.example]",
                           "&of=http://a.example&",
                           "&of=http://a.example&of=",
                           "&of=http://a.example&to=http://b.example",
                           "#of=http://a.example"})
    EXPECT_FALSE(framing_origins("/?frame=0a1b" + std::string(rest), "0a1b")) << rest;
  for (const char* target : {"", "/", "/?", "/?of=http://a.example", "/x?frame=0a1b&of=http://a.b",
                             "/?of=http://a.example&frame=0a1b", "?frame=0a1b&of=http://a.example"})
    EXPECT_FALSE(framing_origins(target, "0a1b")) << target;
}

TEST(ServeFraming, HasAFixedNumberOfOrigins) {
  const auto of = [](int count, const std::string& origin) {
    std::string target = "/?frame=0a1b";
    for (int i = 0; i < count; ++i) target += "&of=" + origin;
    return framing_origins(target, "0a1b").has_value();
  };
  EXPECT_TRUE(of(8, "http://a.example"));
  EXPECT_FALSE(of(9, "http://a.example"));
  EXPECT_FALSE(of(1, "http://" + std::string(7000, 'a')));
}

}  // namespace
}  // namespace mote::render::serve
