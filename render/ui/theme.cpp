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

using namespace palette;

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

void set_surfaces(ImVec4* colors) {
  colors[ImGuiCol_WindowBg] = color(panel, 0.92f);
  colors[ImGuiCol_ChildBg] = color(panel, 0);
  colors[ImGuiCol_PopupBg] = color(0x161c25);
  colors[ImGuiCol_Border] = color(line);
  colors[ImGuiCol_BorderShadow] = color(0, 0);
  colors[ImGuiCol_TitleBg] = colors[ImGuiCol_TitleBgCollapsed] = color(panel, 0.92f);
  colors[ImGuiCol_TitleBgActive] = color(0x182130, 0.96f);
  colors[ImGuiCol_MenuBarBg] = color(0x141a23);
  colors[ImGuiCol_Separator] = color(line);
  colors[ImGuiCol_TableHeaderBg] = color(0x18202b);
  colors[ImGuiCol_TableBorderStrong] = colors[ImGuiCol_TableBorderLight] = color(line);
  colors[ImGuiCol_TableRowBg] = color(0, 0);
  colors[ImGuiCol_TableRowBgAlt] = color(0xffffff, 0.025f);
  colors[ImGuiCol_ModalWindowDimBg] = colors[ImGuiCol_NavWindowingDimBg] = color(0, 0.5f);
}

/// Clickable elements at rest, hovered and pressed.
void set_handles(ImVec4* colors) {
  for (const ImGuiCol_ at : {ImGuiCol_FrameBg, ImGuiCol_Button}) colors[at] = color(raised);
  colors[ImGuiCol_Header] = color(0x1f2d40);
  for (const ImGuiCol_ at : {ImGuiCol_FrameBgHovered, ImGuiCol_ButtonHovered,
                             ImGuiCol_HeaderHovered, ImGuiCol_TabHovered})
    colors[at] = color(hovered);
  for (const ImGuiCol_ at : {ImGuiCol_FrameBgActive, ImGuiCol_ButtonActive, ImGuiCol_HeaderActive})
    colors[at] = color(pressed);
  colors[ImGuiCol_Tab] = colors[ImGuiCol_TabUnfocused] = color(0x151b24);
  colors[ImGuiCol_TabActive] = colors[ImGuiCol_TabUnfocusedActive] = color(pressed);
  colors[ImGuiCol_ScrollbarBg] = color(0, 0);
  colors[ImGuiCol_ScrollbarGrab] = color(0x364354);
  colors[ImGuiCol_ResizeGrip] = color(line);
  for (const ImGuiCol_ at : {ImGuiCol_ScrollbarGrabHovered, ImGuiCol_ResizeGripHovered})
    colors[at] = color(0x495a70);
  for (const ImGuiCol_ at : {ImGuiCol_ScrollbarGrabActive, ImGuiCol_ResizeGripActive,
                             ImGuiCol_SeparatorHovered, ImGuiCol_SeparatorActive})
    colors[at] = color(accent);
}

void set_marks(ImVec4* colors) {
  colors[ImGuiCol_Text] = color(words);
  colors[ImGuiCol_TextDisabled] = color(dim);
  colors[ImGuiCol_TextSelectedBg] = color(accent, 0.35f);
  for (const ImGuiCol_ at : {ImGuiCol_CheckMark, ImGuiCol_PlotLines, ImGuiCol_DragDropTarget,
                             ImGuiCol_NavHighlight, ImGuiCol_NavWindowingHighlight})
    colors[at] = color(accent);
  colors[ImGuiCol_SliderGrab] = color(0x35648f);
  colors[ImGuiCol_SliderGrabActive] = color(0x386895);
  colors[ImGuiCol_PlotHistogram] = color(0x4c8fcb);
  colors[ImGuiCol_PlotLinesHovered] = colors[ImGuiCol_PlotHistogramHovered] = color(0x8cc6f7);
}

}  // namespace

void set_theme(ImGuiStyle& style, double scale) {
  style = ImGuiStyle();
  set_sizes(style);
  set_surfaces(style.Colors);
  set_handles(style.Colors);
  set_marks(style.Colors);
  style.ScaleAllSizes(static_cast<float>(scale));
  // Borders are not among the scaled sizes; a line must be at least a pixel.
  const float border = scale < 1.5 ? 1.0f : static_cast<float>(static_cast<int>(scale + 0.5));
  style.WindowBorderSize = style.PopupBorderSize = style.ChildBorderSize = border;
  style.MouseCursorScale = static_cast<float>(scale);
}

}  // namespace mote::render::ui
