#include <imgui.h>
#include <imgui_stdlib.h>

#include "render/ui/number_field.h"

namespace mote::render::ui {
namespace {

/// What is being typed must live until editing ends, which may be by a click on something that
/// comes before.
struct Editing {
  ImGuiID id = 0;
  int frame = 0;
  std::string text;
};

}  // namespace

std::optional<std::string> text_field(const char* id, const std::string& text, float width) {
  static Editing editing;
  const ImGuiID own = ImGui::GetID(id);
  // A field that was away for a frame has forgotten.
  const bool was_edited = editing.id == own && editing.frame + 1 == ImGui::GetFrameCount();
  std::string shown = was_edited ? editing.text : text;
  ImGui::SetNextItemWidth(width);
  ImGui::InputText(id, &shown, ImGuiInputTextFlags_AutoSelectAll);
  if (ImGui::IsItemActive()) {
    editing = {own, ImGui::GetFrameCount(), shown};
    return std::nullopt;
  }
  if (!was_edited) return std::nullopt;
  editing.id = 0;
  // Escape has put back the text that it began with.
  return shown != text ? std::optional(shown) : std::nullopt;
}

}  // namespace mote::render::ui
