#include <imgui.h>
#include <imgui_stdlib.h>

#include "render/ui/number_field.h"

namespace mote::render::ui {
namespace {

/// The text being typed must outlive a frame: a click on an earlier widget may end the editing.
struct Editing {
  ImGuiID id = 0;
  int frame = 0;
  std::string text;
};

}  // namespace

std::optional<std::string> text_field(const char* id, const std::string& text, float width) {
  static Editing editing;
  const ImGuiID field_id = ImGui::GetID(id);
  // A field that was hidden for a frame has lost its text.
  const bool was_edited = editing.id == field_id && editing.frame + 1 == ImGui::GetFrameCount();
  std::string shown = was_edited ? editing.text : text;
  ImGui::SetNextItemWidth(width);
  ImGui::InputText(id, &shown, ImGuiInputTextFlags_AutoSelectAll);
  if (ImGui::IsItemActive()) {
    editing = {field_id, ImGui::GetFrameCount(), shown};
    return std::nullopt;
  }
  if (!was_edited) return std::nullopt;
  editing.id = 0;
  // After Escape this is the original text.
  return shown != text ? std::optional(shown) : std::nullopt;
}

}  // namespace mote::render::ui
