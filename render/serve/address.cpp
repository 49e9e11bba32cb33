#include "render/serve/address.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "engine/check.h"

namespace mote::render::serve {
namespace {

constexpr const char* shape = "use [ADDRESS:]PORT, as 8080 or [::1]:8080, or /PATH of a socket";

bool is_ip(const std::string& text, int family) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  return inet_pton(family, text.c_str(), bytes.data()) == 1;
}

bool is_loopback(const std::string& host) {
  return host == "::1" || (is_ip(host, AF_INET) && host.starts_with("127."));
}

bool same(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

bool is_number(std::string_view text) {
  return !text.empty() && text.size() <= 5 &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// Takes the port off "host:port". Returns false if what follows the colon is not a number.
bool take_port(std::string_view& text, std::string_view& port) {
  const std::size_t colon = text.rfind(':'), bracket = text.rfind(']');
  if (colon == text.npos || (bracket != text.npos && colon < bracket)) return true;
  port = text.substr(colon + 1);
  text = text.substr(0, colon);
  return is_number(port);
}

std::string without_brackets(std::string_view host) {
  const bool has = host.size() > 2 && host.front() == '[' && host.back() == ']';
  return std::string(has ? host.substr(1, host.size() - 2) : host);
}

engine::InputError wrong(const std::string& text, const std::string& problem,
                         const std::string& remedy) {
  return {"--serve=" + text, problem, remedy};
}

/// The system's structure holds a path of at most this many characters.
constexpr std::size_t longest_socket = 107;

}  // namespace

std::string Address::text() const {
  if (!socket.empty()) return socket.string();
  const bool colons = host.find(':') != host.npos;
  return (colons ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

Address parse_address(const std::string& text) {
  Address address;
  if (text.empty()) return address;
  if (text.front() == '/') {
    if (text.size() > longest_socket)
      throw wrong(text, "the path of a socket has at most 107 characters", "use a shorter one");
    address.socket = text;
    return address;
  }
  std::string_view host, port = text;
  if (!is_number(text)) {
    host = text;
    port = {};
    if (!take_port(host, port) || port.empty())
      throw wrong(text, "this is no address with a port",
                  std::string(shape) + "; other words stand before it: mote SCENE --serve");
    address.host = without_brackets(host);
    const int family = host.front() == '[' ? AF_INET6 : AF_INET;
    if (same(address.host, "localhost")) address.host = "127.0.0.1";
    if (!is_ip(address.host, family))
      throw wrong(text, "'" + std::string(host) + "' is no IP address", shape);
  }
  address.port = std::stoi(std::string(port));
  if (address.port > 65535) throw wrong(text, "a port is at most 65535", shape);
  return address;
}

void check_exposure(const Address& address, const Access& access) {
  const bool local = !address.socket.empty() || is_loopback(address.host);
  if (!local && !access.tls())
    throw engine::InputError(
        "--serve=" + address.text(), "without TLS, others in the network could read and steer",
        "serve at 127.0.0.1 and reach it by ssh -L, or add --tls CERTIFICATE KEY");
  if (!access.names.empty() && !access.tls())
    throw engine::InputError("--serve-host",
                             "without TLS, a page of another site could take such a name",
                             "use an IP address or localhost, or add --tls CERTIFICATE KEY");
}

bool allows_host(std::string_view host, const Access& access) {
  std::string_view port;
  if (host.empty() || host.size() > 255 || !take_port(host, port) || host.empty()) return false;
  const std::string name = without_brackets(host);
  if (host.front() == '[') return is_ip(name, AF_INET6);
  if (is_ip(name, AF_INET) || same(name, "localhost")) return true;
  return access.tls() &&
         std::ranges::any_of(access.names, [&](const auto& own) { return same(own, name); });
}

bool is_own_origin(std::string_view origin, std::string_view host, const Access& access) {
  return same(origin, (access.tls() ? "https://" : "http://") + std::string(host));
}

}  // namespace mote::render::serve
