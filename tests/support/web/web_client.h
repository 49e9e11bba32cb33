#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace mote::test {

/// A server, and what a client says of itself in the headers of its request.
struct WebPlace {
  int port = 0;
  std::filesystem::path socket = {};  ///< a Unix socket, in place of the port
  bool tls = false;                   ///< only for `fetch`; certificates are not verified
  std::map<std::string, std::string> headers = {};  ///< replace those of a browser

  std::string host() const { return "127.0.0.1:" + std::to_string(port); }
};

/// The answer to an HTTP request; status 0 if there was none.
struct WebAnswer {
  int status = 0;
  std::string text;
  std::map<std::string, std::string> headers;
};
WebAnswer fetch(const WebPlace& place, const std::string& target, const std::string& method = "GET",
                const std::string& body = "");

/// A client of a WebSocket.
class WebClient {
 public:
  struct Received {
    bool binary = false;
    std::string bytes;
  };

  /// Connects; `refusal` is then the status of an answer that was no WebSocket, or 0.
  explicit WebClient(const WebPlace& place, const std::string& target = "/ws");
  ~WebClient();
  WebClient(const WebClient&) = delete;
  WebClient& operator=(const WebClient&) = delete;

  int refusal() const;
  bool send(const std::string& text);
  /// The next message, or nothing if none comes in time or the line is closed.
  std::optional<Received> receive(std::chrono::milliseconds limit = std::chrono::seconds(20));
  bool closed() const;
  /// Why the server has closed it.
  std::string reason() const;
  int close_code() const;
  /// Closes the line without a word.
  void drop();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace mote::test
