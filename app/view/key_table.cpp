#include <fmt/format.h>

#include "app/view/actions.h"
#include "app/view/viewer.h"

namespace mote::app {
namespace {

std::string row(const std::string& left, const std::string& right) {
  return fmt::format("| {} | {} |\n", left, right);
}

}  // namespace

std::string key_table() {
  std::string table = row("keys and mouse", "what they do") + "|---|---|\n";
  for (const Action& action : actions()) {
    std::string keys;
    for (const std::string& key : action.keys) keys += (keys.empty() ? "`" : ", `") + key + "`";
    table += row(keys, action.what);
  }
  for (const MouseAction& action : mouse_actions()) table += row(action.how, action.what);
  return table;
}

}  // namespace mote::app
