#include "render/serve/listener.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/ssl.hpp>
#include <cstring>

#include "engine/check.h"

namespace mote::render::serve {
namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;
using boost::system::error_code;
using Acceptor = Listener::Acceptor;
using Endpoint = asio::generic::stream_protocol::endpoint;

asio::ip::tcp::endpoint endpoint_of(const Address& address, int port) {
  return {asio::ip::make_address(address.host), static_cast<unsigned short>(port)};
}

/// Tries to listen at an address.
error_code listen_at(Acceptor& acceptor, const Endpoint& endpoint, const fs::path& file = {}) {
  error_code error;
  acceptor.open(endpoint.protocol(), error);
  if (!error) close_on_exec(acceptor.native_handle());
  if (!error && file.empty()) acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  // No program can connect before it listens.
  if (!error && !file.empty() && ::chmod(file.c_str(), S_IRUSR | S_IWUSR) != 0)
    error = error_code(errno, boost::system::system_category());
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) {
    error_code ignored;
    acceptor.close(ignored);
  }
  return error;
}

/// Finds the first port after a busy one at which one can listen; returns 0 if none is nearby.
int next_free_port(Acceptor& busy, const Address& address) {
  for (int port = address.port + 1; port <= std::min(address.port + 200, 65535); ++port) {
    Acceptor trial(busy.get_executor());
    if (!listen_at(trial, endpoint_of(address, port))) return port;
  }
  return 0;
}

}  // namespace

void close_on_exec(int descriptor) {
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

Listener::Listener(asio::io_context& context, const Address& address)
    : acceptor_(context), address_(address) {
  if (address.socket.empty())
    open();
  else
    open_socket();
}

Listener::~Listener() {
  std::error_code ignored;
  if (!socket_file_.empty()) fs::remove(socket_file_, ignored);
}

void Listener::open() {
  const error_code error = listen_at(acceptor_, endpoint_of(address_, address_.port));
  const std::string place = "--serve=" + address_.text();
  if (error == boost::system::errc::address_in_use) {
    Address free = address_;
    free.port = next_free_port(acceptor_, address_);
    throw engine::InputError(place, "the port is in use",
                             free.port > 0 ? "use --serve=" + free.text() : "use another one");
  }
  if (error)
    throw engine::InputError(place, "mote cannot listen there: " + error.message(),
                             "use an address of this machine, and a port from 1024 on");
  asio::ip::tcp::endpoint bound;
  const auto endpoint = acceptor_.local_endpoint();
  std::memcpy(bound.data(), endpoint.data(), endpoint.size());
  address_.port = bound.port();
}

void Listener::open_socket() {
  const fs::path& path = address_.socket;
  const std::string place = "--serve=" + path.string();
  std::error_code none;
  if (fs::is_socket(path, none)) {
    // A socket at which no process listens is left over from a run that was killed.
    asio::local::stream_protocol::socket probe(acceptor_.get_executor());
    error_code refused;
    probe.connect({path.string()}, refused);
    if (refused != asio::error::connection_refused)
      throw engine::InputError(place,
                               refused ? "the socket is not ours: " + refused.message()
                                       : std::string("the socket is in use"),
                               "use another path");
    fs::remove(path, none);
  }
  const error_code error =
      listen_at(acceptor_, asio::local::stream_protocol::endpoint(path.string()), path);
  if (error)
    throw engine::InputError(place, "mote cannot listen there: " + error.message(),
                             "name a new file in a folder that you may write");
  socket_file_ = path;
}

void use_certificate(asio::ssl::context& context, const Access& access) {
  error_code error;
  context.set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_tlsv1 |
                      asio::ssl::context::no_tlsv1_1);
  context.use_certificate_chain_file(access.certificate.string(), error);
  if (error)
    throw engine::InputError("--tls", access.certificate.string() + ": " + error.message(),
                             "name a file of certificates in PEM");
  context.use_private_key_file(access.key.string(), asio::ssl::context::pem, error);
  if (error)
    throw engine::InputError("--tls", access.key.string() + ": " + error.message(),
                             "name the file with the certificate's private key in PEM");
}

std::string tls_library() {
  return std::string("OpenSSL ") + OpenSSL_version(OPENSSL_VERSION_STRING);
}

}  // namespace mote::render::serve
