#pragma once

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/context.hpp>
#include <filesystem>

#include "render/serve/address.h"

namespace mote::render::serve {

/// A Listener listens at an address until it is closed.
class Listener {
 public:
  using Acceptor = boost::asio::basic_socket_acceptor<boost::asio::generic::stream_protocol>;

  /// Throws engine::InputError if the address cannot be used.
  Listener(boost::asio::io_context& context, const Address& address);
  /// Removes the file of a Unix socket.
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  Acceptor& acceptor() { return acceptor_; }
  /// Returns the address with the port that the system has chosen.
  const Address& address() const { return address_; }

 private:
  void open();
  void open_socket();

  Acceptor acceptor_;
  Address address_;
  std::filesystem::path socket_file_;
};

/// Programs that mote starts, as ffmpeg, must not keep its sockets open.
void close_on_exec(int descriptor);

/// Reads certificate and key of TLS. Throws engine::InputError.
void use_certificate(boost::asio::ssl::context& context, const Access& access);

/// Names the library that encrypts, as "OpenSSL 3.0.17".
std::string tls_library();

}  // namespace mote::render::serve
