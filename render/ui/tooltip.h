#pragma once

#include <imgui.h>

#include <string>

namespace mote::render::ui {

/// Whether the mouse has been resting on the thing called `id` for a moment; to be asked in every
/// frame.
bool rests_on(ImGuiID id, bool hovered);

/// Lines of a tooltip, between ImGui::BeginTooltip and EndTooltip; wrapped.
void tooltip_text(const std::string& text);
void tooltip_dim(const std::string& text);

}  // namespace mote::render::ui
