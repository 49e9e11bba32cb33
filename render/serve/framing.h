#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mote::render::serve {

/// Tells which pages may show mote's page in a frame. The target "/?frame=KEY&of=ORIGIN&of=ORIGIN"
/// names the origins of all pages around the frame, the innermost first. Returns them separated by
/// spaces, as the policy `frame-ancestors` lists them; nothing for another key or any other target.
/// An empty key opens nothing.
std::optional<std::string> framing_origins(std::string_view target, std::string_view key);

}  // namespace mote::render::serve
