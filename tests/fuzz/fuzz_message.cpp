#include "render/serve/audience.h"
#include "tests/fuzz/fuzz_target.h"

namespace mote::fuzz {
namespace {

/// A message to the server of the window, from a page that may steer and from one without a token.
const Reader message_reader("message", [](const std::uint8_t* data, std::size_t size) {
  using namespace render::serve;
  Exchange exchange;
  Audience audience({"steer", "watch"}, exchange);
  const Audience::Time now{};
  audience.join(1, now);
  audience.join(2, now);
  audience.receive(1, Hello{"steer", {640, 360, 1}, true}, now);
  const std::string text = text_of(data, size);
  audience.receive_text(1, text, now);
  audience.receive_text(2, text, now);
  audience.roles_text(1);
  audience.leave(1);
});

}  // namespace
}  // namespace mote::fuzz
