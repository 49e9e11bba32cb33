#include <fmt/format.h>

#include "app/view/actions.h"
#include "app/view/viewer.h"

namespace mote::app {

std::string key_table(bool markdown) {
  std::string table = markdown ? "| keys and mouse | what they do |\n|---|---|\n" : "";
  const auto add = [&](const std::string& how, const std::string& what) {
    table += markdown ? fmt::format("| {} | {} |\n", how, what)
                      : fmt::format("  {:<30}  {}\n", how, what);
  };
  for (const Action& action : actions())
    add(markdown ? "`" + action.shown("`, `") + "`" : action.shown(", "), action.what);
  for (const MouseAction& action : mouse_actions()) add(action.how, action.what);
  return table;
}

}  // namespace mote::app
