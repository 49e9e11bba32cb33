#include "render/ui/panel.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "render/ui/number_field.h"
#include "render/ui/paint.h"

namespace mote::render::ui {
float em() {
  return ImGui::GetFontSize();
}

float row() {
  return ImGui::GetFrameHeightWithSpacing();
}

namespace {

/// Flags of windows whose place and size are given.
constexpr ImGuiWindowFlags placed = ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                                    ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                                    ImGuiWindowFlags_NoFocusOnAppearing |
                                    ImGuiWindowFlags_NoNavFocus;

void place_next(const Rect& rect) {
  ImGui::SetNextWindowPos({std::floor(rect.x), std::floor(rect.y)});
  ImGui::SetNextWindowSize({std::floor(rect.width), std::floor(rect.height)});
}

/// The drag of the title of the window just begun. It starts on the title beside the cross, and
/// counts once the mouse has moved.
std::optional<TitleDrag> title_drag(bool has_cross) {
  ImGuiStorage& state = *ImGui::GetStateStorage();
  const ImGuiID key = ImGui::GetID("title drag");
  const ImVec2 low = ImGui::GetWindowPos(), mouse = ImGui::GetIO().MousePos;
  const float bar = ImGui::GetFrameHeight();
  const float right = low.x + ImGui::GetWindowWidth() - (has_cross ? 1.5f * bar : 0);
  if (ImGui::IsMouseClicked(0) && ImGui::IsWindowHovered() && mouse.x < right &&
      mouse.y < low.y + bar)
    state.SetBool(key, true);
  if (!state.GetBool(key)) return std::nullopt;
  const bool ends = !ImGui::IsMouseDown(0);
  if (ends) state.SetBool(key, false);
  const ImVec2 moved = ImGui::GetMouseDragDelta(0);
  if (moved.x == 0 && moved.y == 0) return std::nullopt;
  return TitleDrag{{mouse.x, mouse.y}, ends};
}

bool begin_window(const std::string& panel, const std::string& window, bool* open,
                  ImGuiWindowFlags flags) {
  KeyboardFocus* const focus = keyboard_focus();
  const bool enters = focus && focus->visit(panel, window.substr(window.find("###")));
  const bool visible = ImGui::Begin(window.c_str(), open, flags);
  if (enters) KeyboardFocus::enter_window();
  return visible;
}

}  // namespace

Panel::Panel(const std::string& id, const std::string& title, const Rect& rect, bool* open,
             const std::string& of) {
  place_next(rect);
  const ImGuiWindowFlags bare =
      title.empty() ? ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoScrollbar : 0;
  const ImGuiStyle& style = ImGui::GetStyle();
  const float cross = open ? ImGui::GetFontSize() + style.ItemInnerSpacing.x : 0;
  const std::string words = fitting_parts(title, rect.width - 2 * style.FramePadding.x - cross);
  visible_ = begin_window(of.empty() ? id : of, words + "###" + id, open, placed | bare);
  if (!title.empty()) drag_ = title_drag(open != nullptr);
}

Panel::~Panel() {
  ImGui::End();
}

void text(const std::string& words) {
  ImGui::TextUnformatted(words.c_str(), words.c_str() + words.size());
}

void dim(const std::string& words) {
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  wrapped(words);
  ImGui::PopStyleColor();
}

void wrapped(const std::string& words) {
  ImGui::PushTextWrapPos(0);
  text(words);
  ImGui::PopTextWrapPos();
}

void error_text(const std::string& words) {
  ImGui::PushStyleColor(ImGuiCol_Text, opaque(panel_colors().error));
  wrapped(words);
  ImGui::PopStyleColor();
}

void accent(const std::string& words) {
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_CheckMark));
  text(words);
  ImGui::PopStyleColor();
}

bool floating_button(const std::string& id, const std::string& label, const Rect& rect) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  const Panel panel("floating " + id, "", rect, nullptr, id);
  ImGui::PopStyleVar(2);
  return ImGui::Button(label.c_str(), {std::floor(rect.width), std::floor(rect.height)});
}

float button_width(const std::string& label) {
  return text_width(label) + 2 * ImGui::GetStyle().FramePadding.x;
}

std::optional<Point> splitter(const std::string& id, const Rect& rect) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  place_next(rect);
  ImGui::Begin(("###splitter " + id).c_str(), nullptr,
               placed | ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground |
                   ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar(2);
  ImGui::InvisibleButton("strip", {std::max(rect.width, 1.f), std::max(rect.height, 1.f)});
  const bool active = ImGui::IsItemActive(), wide = rect.width > rect.height;
  if (active || ImGui::IsItemHovered()) {
    ImGui::SetMouseCursor(wide ? ImGuiMouseCursor_ResizeNS : ImGuiMouseCursor_ResizeEW);
    const float thin = pixels(1.5f);
    const ImVec2 middle(rect.x + rect.width / 2, rect.y + rect.height / 2);
    const ImVec2 half = wide ? ImVec2(rect.width / 2, thin) : ImVec2(thin, rect.height / 2);
    ImGui::GetWindowDrawList()->AddRectFilled({middle.x - half.x, middle.y - half.y},
                                              {middle.x + half.x, middle.y + half.y},
                                              accent(active ? 1.f : 0.6f), thin);
  }
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  ImGui::End();
  return active ? std::optional(Point{mouse.x, mouse.y}) : std::nullopt;
}

void drop_target(const Rect& rect) {
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  const ImVec2 low(rect.x, rect.y), high(rect.x + rect.width, rect.y + rect.height);
  list.AddRectFilled(low, high, accent(0.25f), pixels(4));
  list.AddRect(low, high, accent(), pixels(4), 0, pixels(2));
}

void separator() {
  ImGui::Separator();
}

void same_line() {
  ImGui::SameLine();
}

void same_line_if_fits(const std::string& label) {
  const float end = ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x +
                    button_width(label.substr(0, label.find("##")));
  if (end <= ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x) ImGui::SameLine();
}

void gap() {
  ImGui::Dummy({0, 0.3f * em()});
}

void tooltip(const std::string& words) {
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) || words.empty()) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(28 * em());
  text(words);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

bool button(const std::string& label, bool enabled) {
  ImGui::BeginDisabled(!enabled);
  const bool pressed = ImGui::Button(label.c_str());
  ImGui::EndDisabled();
  return pressed;
}

bool check(const std::string& label, bool& value) {
  return ImGui::Checkbox(label.c_str(), &value);
}

bool combo(const std::string& label, const std::vector<std::string>& names, std::size_t& chosen) {
  bool changed = false;
  ImGui::SetNextItemWidth(8.5f * em());
  const char* shown = chosen < names.size() ? names[chosen].c_str() : "";
  if (!ImGui::BeginCombo(label.c_str(), shown)) return false;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (ImGui::Selectable(names[i].c_str(), i == chosen) && i != chosen) {
      chosen = i;
      changed = true;
    }
  ImGui::EndCombo();
  return changed;
}

std::optional<std::string> entry(const std::string& label, const std::string& words) {
  const std::size_t id = label.find("##");
  const std::optional<std::string> typed = text_field(("##" + label).c_str(), words, 8.5f * em());
  same_line();
  text(label.substr(0, id));
  return typed;
}

bool selectable(const std::string& label, bool selected) {
  return ImGui::Selectable(label.c_str(), selected);
}

Lines::Lines(const char* id, int count) {
  ImGui::BeginChild(id,
                    ImVec2(0, static_cast<float>(count) * ImGui::GetTextLineHeightWithSpacing()),
                    false, ImGuiWindowFlags_NavFlattened);
}

Lines::~Lines() {
  ImGui::EndChild();
}

void show_this_line() {
  ImGui::SetScrollHereY();
}

bool section(const std::string& label, bool open_at_first) {
  return ImGui::CollapsingHeader(label.c_str(), open_at_first ? ImGuiTreeNodeFlags_DefaultOpen : 0);
}

void value(const std::string& name, const std::string& words) {
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  text(name);
  ImGui::PopStyleColor();
  ImGui::SameLine(8.5f * em());
  wrapped(words);
}

bool number(const std::string& label, double& value) {
  ImGui::SetNextItemWidth(6.5f * em());
  double typed = value;
  if (!ImGui::InputDouble(label.c_str(), &typed, 0, 0, "%.4g",
                          ImGuiInputTextFlags_EnterReturnsTrue))
    return false;
  if (!std::isfinite(typed)) return false;
  value = typed;
  return true;
}

void progress(double fraction, const std::string& words) {
  if (fraction < 0) fraction = std::fmod(ImGui::GetTime(), 1.0);
  ImGui::ProgressBar(static_cast<float>(fraction), {-1, 0}, words.c_str());
}

void lines(const std::vector<std::string>& all) {
  ImGui::BeginChild("lines");
  for (const std::string& line : all) wrapped(line);
  if (ImGui::GetScrollY() >= ImGui::GetScrollMaxY()) ImGui::SetScrollHereY(1);
  ImGui::EndChild();
}

void vector(const std::string& name, const std::string& unit, double x, double y, double z) {
  dim(unit.empty() ? name : name + " [" + unit + "]");
  ImGui::Indent(em());
  char words[120] = "";
  for (int digits = 6; digits >= 3; --digits) {
    std::snprintf(words, sizeof words, "%.*g   %.*g   %.*g", digits, x, digits, y, digits, z);
    if (text_width(words) <= ImGui::GetContentRegionAvail().x) break;
  }
  wrapped(words);
  ImGui::Unindent(em());
}

namespace {

void draw_label(ImDrawList& list, float x, float y, const std::string& words, float align,
                float opacity) {
  const float width = text_width(words), left = std::floor(x - align * width), top = std::floor(y);
  const float margin_x = pixels(5), margin_y = pixels(2);
  const auto faded = [&](ImU32 color) {
    const auto alpha =
        static_cast<float>(color >> IM_COL32_A_SHIFT) * std::clamp(opacity, 0.f, 1.f);
    return (color & ~IM_COL32_A_MASK) | static_cast<ImU32>(alpha) << IM_COL32_A_SHIFT;
  };
  list.AddRectFilled({left - margin_x, top - margin_y},
                     {left + width + margin_x, top + ImGui::GetTextLineHeight() + margin_y},
                     faded(scene_colors().veil), pixels(4));
  draw_text(list, left, top, faded(scene_colors().text), words);
}

}  // namespace

void label(float x, float y, const std::string& words, float align, float opacity) {
  draw_label(*ImGui::GetBackgroundDrawList(), x, y, words, align, opacity);
}

void notice(float x, float y, const std::string& words, float align, float opacity) {
  draw_label(*ImGui::GetForegroundDrawList(), x, y, words, align, opacity);
}

}  // namespace mote::render::ui
