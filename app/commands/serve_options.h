#pragma once

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

#include "render/serve/address.h"

namespace mote::app {

/// Options of a command that can serve what it shows to browsers.
class ServeOptions {
 public:
  /// `what`: the help of --serve, which goes on with where it listens.
  void add_to(CLI::App& command, const std::string& what);
  CLI::Option* option() const { return serve_; }
  /// Returns nothing without --serve.
  std::optional<render::serve::ServerOptions> given() const;

 private:
  render::serve::ServerOptions server_;
  std::vector<std::string> tls_;
  CLI::Option* serve_ = nullptr;
};

}  // namespace mote::app
