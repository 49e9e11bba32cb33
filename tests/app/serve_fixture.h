#pragma once

#include <stb_image.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/app/picture_files.h"
#include "tests/app/view_fixture.h"
#include "tests/support/web/web_client.h"

namespace mote::test {

/// Returns a frame as a picture.
inline PictureFile picture_in(const std::string& frame) {
  PictureFile picture;
  int channels = 0;
  picture.bytes.reset(stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(frame.data()) + 12,
                                            static_cast<int>(frame.size()) - 12, &picture.width,
                                            &picture.height, &channels, 3));
  return picture;
}

inline bool is_still(const std::string& frame) {
  return frame.at(0) == 2;
}

inline bool is_h264(const std::string& frame) {
  return frame.at(0) == 3;
}
/// Tells whether a frame needs no other.
inline bool is_complete(const std::string& frame) {
  return frame.at(1) == 1;
}

/// Serve runs a program that serves a scene of two bodies, and clients that do what its page does.
class Serve : public View {
 protected:
  void SetUp() override {
    View::SetUp();
    if (IsSkipped()) return;
    start({"scene.lua", "--serve=0", "--paused"});
  }
  void start(std::vector<std::string> words) {
    fs::remove(here() / "said");
    program_.emplace(Call{.arguments = std::move(words),
                          .folder = here(),
                          .environment = {{"ASAN_OPTIONS", "detect_leaks=0"}},
                          .output = here() / "said"});
    while (lines_of(text_of(here() / "said")).size() < 3 && !program_->ended())
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    const std::string said = text_of(here() / "said");
    url_ = said.substr(said.find("http://"), said.find('\n') - said.find("http://"));
    const std::size_t port = url_.rfind(':') + 1;
    place_.port = std::stoi(url_.substr(port));
    token_ = url_.substr(url_.find('=') + 1);
  }
  std::unique_ptr<WebClient> page(int across = 480, int down = 270) const {
    auto client = std::make_unique<WebClient>(place_);
    client->send(R"({"type":"hello","steer":true,"ratio":1,"width":)" + std::to_string(across) +
                 R"(,"height":)" + std::to_string(down) + R"(,"token":")" + token_ + "\"}");
    return client;
  }
  /// Returns the next frame, and tells the program that the page has seen it.
  static std::string frame(WebClient& page,
                           std::chrono::milliseconds limit = std::chrono::seconds(60)) {
    while (const auto message = page.receive(limit)) {
      if (!message->binary) continue;
      unsigned number = 0;
      for (std::size_t i = 4; i-- > 0;)
        number = number << 8 | static_cast<unsigned char>(message->bytes.at(8 + i));
      page.send(R"({"type":"seen","frame":)" + std::to_string(number) + "}");
      return message->bytes;
    }
    return "";
  }
  /// Returns the picture once nothing moves any more.
  static PictureFile still(WebClient& page) {
    std::string last;
    do last = frame(page);
    while (!last.empty() && !is_still(last));
    EXPECT_FALSE(last.empty());
    return last.empty() ? PictureFile() : picture_in(last);
  }
  /// Says why the program has no H.264, or "".
  std::string no_h264() const {
    const std::string doctor = mote(here(), {"doctor"}).out;
    return doctor.find("H.264 by OpenH264") != std::string::npos ? "" : doctor;
  }
  /// Presses and releases a key.
  static void press(WebClient& page, const std::string& key) {
    page.send(R"({"type":"key","down":true,"key":")" + key + "\"}");
    page.send(R"({"type":"key","down":false,"key":")" + key + "\"}");
  }
  static void mouse(WebClient& page, const std::string& type, int x, int y) {
    page.send(R"({"type":")" + type + R"(","x":)" + std::to_string(x) + R"(,"y":)" +
              std::to_string(y) + R"(,"button":0})");
  }
  /// Returns the mean difference of the channels of two pictures of the same size.
  static double change(const PictureFile& a, const PictureFile& b) {
    EXPECT_EQ(a.width, b.width);
    return a.width == b.width ? difference(a, b, a.height).mean : 0;
  }

  std::optional<Running> program_;
  std::string url_, token_;
  WebPlace place_;
};

}  // namespace mote::test
