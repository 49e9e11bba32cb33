#include "render/ui/theme.h"

#include <imgui.h>

#include <initializer_list>

#include "render/palette.h"

namespace mote::render::ui {
namespace {

ImVec4 color(unsigned rgb, float opacity = 1) {
  return {static_cast<float>(rgb >> 16 & 255) / 255, static_cast<float>(rgb >> 8 & 255) / 255,
          static_cast<float>(rgb & 255) / 255, opacity};
}

using palette::Palette;

void set_sizes(ImGuiStyle& style) {
  style.WindowPadding = {12, 10};
  style.FramePadding = {8, 3};
  style.ItemSpacing = {8, 5};
  style.ItemInnerSpacing = {6, 4};
  style.CellPadding = {6, 3};
  style.IndentSpacing = 14;
  style.ScrollbarSize = 11;
  style.GrabMinSize = 10;
  style.WindowRounding = style.ChildRounding = style.PopupRounding = 4;
  style.FrameRounding = style.GrabRounding = style.TabRounding = 4;
  style.ScrollbarRounding = 6;
  style.FrameBorderSize = style.TabBorderSize = 0;
  style.WindowTitleAlign = {0, 0.5f};
  style.WindowMenuButtonPosition = ImGuiDir_Right;
}

void set_surfaces(ImVec4* colors, const Palette& p) {
  colors[ImGuiCol_WindowBg] = color(p.panel, 0.92f);
  colors[ImGuiCol_ChildBg] = color(p.panel, 0);
  colors[ImGuiCol_PopupBg] = color(p.popup);
  colors[ImGuiCol_Border] = color(p.line);
  colors[ImGuiCol_BorderShadow] = color(0, 0);
  colors[ImGuiCol_TitleBg] = colors[ImGuiCol_TitleBgCollapsed] = color(p.panel, 0.92f);
  colors[ImGuiCol_TitleBgActive] = color(p.title, 0.96f);
  colors[ImGuiCol_MenuBarBg] = color(p.tab);
  colors[ImGuiCol_Separator] = color(p.line);
  colors[ImGuiCol_TableHeaderBg] = color(p.header);
  colors[ImGuiCol_TableBorderStrong] = colors[ImGuiCol_TableBorderLight] = color(p.line);
  colors[ImGuiCol_TableRowBg] = color(0, 0);
  colors[ImGuiCol_TableRowBgAlt] = color(p.words, 0.025f);
  colors[ImGuiCol_ModalWindowDimBg] = colors[ImGuiCol_NavWindowingDimBg] = color(0, 0.5f);
}

/// Clickable elements at rest, hovered and pressed.
void set_handles(ImVec4* colors, const Palette& p) {
  for (const ImGuiCol_ at : {ImGuiCol_FrameBg, ImGuiCol_Button}) colors[at] = color(p.raised);
  colors[ImGuiCol_Header] = color(p.header);
  for (const ImGuiCol_ at : {ImGuiCol_FrameBgHovered, ImGuiCol_ButtonHovered,
                             ImGuiCol_HeaderHovered, ImGuiCol_TabHovered})
    colors[at] = color(p.hovered);
  for (const ImGuiCol_ at : {ImGuiCol_FrameBgActive, ImGuiCol_ButtonActive, ImGuiCol_HeaderActive})
    colors[at] = color(p.pressed);
  colors[ImGuiCol_Tab] = colors[ImGuiCol_TabUnfocused] = color(p.tab);
  colors[ImGuiCol_TabActive] = colors[ImGuiCol_TabUnfocusedActive] = color(p.pressed);
  colors[ImGuiCol_ScrollbarBg] = color(0, 0);
  colors[ImGuiCol_ScrollbarGrab] = color(p.handle);
  colors[ImGuiCol_ResizeGrip] = color(p.line);
  for (const ImGuiCol_ at : {ImGuiCol_ScrollbarGrabHovered, ImGuiCol_ResizeGripHovered})
    colors[at] = color(p.handle_hovered);
  for (const ImGuiCol_ at : {ImGuiCol_ScrollbarGrabActive, ImGuiCol_ResizeGripActive,
                             ImGuiCol_SeparatorHovered, ImGuiCol_SeparatorActive})
    colors[at] = color(p.accent);
}

void set_marks(ImVec4* colors, const Palette& p) {
  colors[ImGuiCol_Text] = color(p.words);
  colors[ImGuiCol_TextDisabled] = color(p.dim);
  colors[ImGuiCol_TextSelectedBg] = color(p.accent, 0.35f);
  for (const ImGuiCol_ at : {ImGuiCol_CheckMark, ImGuiCol_PlotLines, ImGuiCol_DragDropTarget,
                             ImGuiCol_NavHighlight, ImGuiCol_NavWindowingHighlight})
    colors[at] = color(p.accent);
  colors[ImGuiCol_SliderGrab] = color(p.slider);
  colors[ImGuiCol_SliderGrabActive] = color(p.slider);
  colors[ImGuiCol_PlotHistogram] = color(p.bars);
  colors[ImGuiCol_PlotLinesHovered] = colors[ImGuiCol_PlotHistogramHovered] = color(p.bars_hovered);
}

}  // namespace

void set_theme(ImGuiStyle& style, double scale, bool light) {
  const Palette& p = light ? palette::light_panels : palette::dark_panels;
  style = ImGuiStyle();
  set_sizes(style);
  set_surfaces(style.Colors, p);
  set_handles(style.Colors, p);
  set_marks(style.Colors, p);
  style.ScaleAllSizes(static_cast<float>(scale));
  // Borders are not among the scaled sizes; a line must be at least a pixel.
  const float border = scale < 1.5 ? 1.0f : static_cast<float>(static_cast<int>(scale + 0.5));
  style.WindowBorderSize = style.PopupBorderSize = style.ChildBorderSize = border;
  style.MouseCursorScale = static_cast<float>(scale);
}

}  // namespace mote::render::ui
