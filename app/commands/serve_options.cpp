#include "app/commands/serve_options.h"

namespace mote::app {

void ServeOptions::add_to(CLI::App& command, const std::string& what) {
  serve_ = command
               .add_option("--serve", server_.where,
                           what +
                               ": at a port, an address with a port (127.0.0.1:8080), or a Unix "
                               "socket (/PATH); without WHERE 127.0.0.1:7017")
               ->expected(0, 1)
               ->type_name("WHERE");
  command
      .add_option("--tls", tls_,
                  "certificate and private key (PEM) of --serve, which may then listen at an "
                  "address that others reach")
      ->expected(2)
      ->type_name("CERTIFICATE_FILE KEY_FILE")
      ->check(CLI::ExistingFile)
      ->needs(serve_);
  command
      .add_option("--serve-host", server_.access.names,
                  "a name of this machine under which browsers open --serve; with --tls")
      ->expected(1)
      ->type_name("NAME")
      ->needs(serve_);
}

std::optional<render::serve::ServerOptions> ServeOptions::given() const {
  if (!serve_ || serve_->count() == 0) return std::nullopt;
  render::serve::ServerOptions server = server_;
  if (tls_.size() == 2) server.access.certificate = tls_[0], server.access.key = tls_[1];
  return server;
}

}  // namespace mote::app
