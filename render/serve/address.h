#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace mote::render::serve {

/// An Address says where a window is served: at a port of an IP address, or at a Unix socket.
struct Address {
  std::string host = "127.0.0.1";     ///< an IP address, without the brackets of IPv6
  int port = 7017;                    ///< 0: any free one
  std::filesystem::path socket = {};  ///< a Unix socket, in place of host and port; or empty

  /// Returns "127.0.0.1:7017", "[::1]:7017" or the path of the socket.
  std::string text() const;
};

/// Parses "", "8080", "0.0.0.0:8080", "[::1]:8080" and "/path/of/socket". Throws
/// engine::InputError.
Address parse_address(const std::string& text);

/// Access says who may reach the window, beside what its address says.
struct Access {
  std::filesystem::path certificate, key;  ///< of TLS; both or none
  std::vector<std::string> names;          ///< names of this machine that pages may use

  bool tls() const { return !certificate.empty(); }
};

/// ServerOptions say where and how a window is served.
struct ServerOptions {
  std::string where = {};  ///< see parse_address
  Access access = {};
  bool embed = false;  ///< a program shows the page in a frame of its own: there is a frame key
  bool takes_files = true;  ///< a page may send scenes, which the window opens
};

/// Throws engine::InputError if others could read or change what passes between page and window:
/// without TLS a window is served to its own machine alone, under no name but localhost.
void check_exposure(const Address& address, const Access& access);

/// Tells whether a page may be fetched under this Host. A page of another site can make its own
/// name mean 127.0.0.1 and would then be of our origin, but it cannot do that to an IP address or
/// localhost.
bool allows_host(std::string_view host, const Access& access);

/// Tells whether the page of this Host opened a WebSocket of this Origin.
bool is_own_origin(std::string_view origin, std::string_view host, const Access& access);

}  // namespace mote::render::serve
