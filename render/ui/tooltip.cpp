#include "render/ui/tooltip.h"

namespace mote::render::ui {
namespace {

constexpr double delay = 0.4;  ///< seconds

void wrapped(const std::string& text, const ImVec4& color) {
  ImGui::PushTextWrapPos(24 * ImGui::GetFontSize());
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  ImGui::TextUnformatted(text.c_str(), text.c_str() + text.size());
  ImGui::PopStyleColor();
  ImGui::PopTextWrapPos();
}

}  // namespace

bool rests_on(ImGuiID id, bool hovered) {
  static ImGuiID hovered_item = 0;
  static double since = 0;
  if (!hovered) {
    if (hovered_item == id) hovered_item = 0;
    return false;
  }
  if (hovered_item != id) hovered_item = id, since = ImGui::GetTime();
  return ImGui::GetTime() - since >= delay;
}

void tooltip_text(const std::string& text) {
  wrapped(text, ImGui::GetStyleColorVec4(ImGuiCol_Text));
}

void tooltip_dim(const std::string& text) {
  wrapped(text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
}

}  // namespace mote::render::ui
