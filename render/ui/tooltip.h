#pragma once

#include <imgui.h>

#include <string>

namespace mote::render::ui {

/// Whether the mouse has hovered over item `id` for a short time; call every frame.
bool rests_on(ImGuiID id, bool hovered);

/// Wrapped lines of a tooltip, between ImGui::BeginTooltip and EndTooltip.
void tooltip_text(const std::string& text);
void tooltip_dim(const std::string& text);

}  // namespace mote::render::ui
