#include "render/serve/framing.h"

#include <regex>

#include "render/serve/token.h"

namespace mote::render::serve {
namespace {

/// The matching of regular expressions takes stack in proportion to the text.
constexpr std::size_t longest_target = 1024;

}  // namespace

std::optional<std::string> framing_origins(std::string_view target, std::string_view key) {
  if (key.empty() || target.size() > longest_target) return std::nullopt;
  // The origins go into a header, so that nothing but these characters may be in them. Editors show
  // notebooks in pages of schemes of their own.
  static const std::regex form(
      R"(/\?frame=([0-9a-f]+)((?:&of=(?:https?|vscode-webview|vscode-file)://)"
      R"((?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?){1,8}))");
  static const std::regex separator("&of=");
  const std::string text(target);
  std::smatch found;
  if (!std::regex_match(text, found, form) || !same_token(found.str(1), key)) return std::nullopt;
  return std::regex_replace(found.str(2), separator, " ").substr(1);
}

}  // namespace mote::render::serve
