#include "render/ui/toolkit.h"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <type_traits>
#include <vector>

#include "engine/check.h"
#include "render/ui/fonts.h"
#include "render/ui/theme.h"

namespace mote::render::ui {
namespace {

/// Sets the lists of a frame's draw data: an array in older versions of Dear ImGui, a vector in
/// newer ones.
template <class Lists>
void set_lists(Lists& of, std::vector<ImDrawList*>& lists) {
  if constexpr (std::is_pointer_v<Lists>) {
    of = lists.data();
  } else {
    of.clear();
    for (ImDrawList* list : lists) of.push_back(list);
  }
}

}  // namespace

std::mutex& toolkit_mutex() {
  static std::mutex mutex;
  return mutex;
}

Toolkit::Toolkit() {
  IMGUI_CHECKVERSION();
  ImGuiContext* const before = ImGui::GetCurrentContext();
  context_ = ImGui::CreateContext();
  use();
  ImGuiIO& io = ImGui::GetIO();
  io.UserData = this;
  io.IniFilename = io.LogFilename = nullptr;  // writes no files
  if (ImGui_ImplOpenGL3_Init("#version 450")) return;
  ImGui::DestroyContext(context_);
  ImGui::SetCurrentContext(before);
  throw engine::SystemError("start the user interface",
                            "Dear ImGui could not load OpenGL's functions",
                            "install libgl1 (Debian, Ubuntu)");
}

Toolkit::~Toolkit() {
  ImGuiContext* const before = ImGui::GetCurrentContext();
  use();
  ImGui_ImplOpenGL3_Shutdown();
  ImGui::DestroyContext(context_);
  ImGui::SetCurrentContext(before == context_ ? nullptr : before);
}

void Toolkit::use() const {
  ImGui::SetCurrentContext(context_);
}

void Toolkit::fit(double scale, bool on_white) {
  if (scale == built_for_ && on_white == on_white_) return;
  set_theme(ImGui::GetStyle(), scale, on_white);
  on_white_ = on_white;
  if (scale == built_for_) return;
  built_for_ = scale;
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  build_fonts(atlas, scale);
  if (!started_) return;  // the first frame makes the texture
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
}

void Toolkit::begin(int width, int height, double scale, bool on_white) {
  use();
  fit(scale, on_white);
  ImGui::GetIO().DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
  ImGui_ImplOpenGL3_NewFrame();
  started_ = true;
}

void Toolkit::draw(Part part, GLuint framebuffer) const {
  use();
  const ImDrawData& all = *ImGui::GetDrawData();
  // Notices come last and are omitted if there are none.
  const bool notices = all.CmdListsCount > 0 &&
                       all.CmdLists[all.CmdListsCount - 1] == ImGui::GetForegroundDrawList();
  const int first = part == Part::notices ? all.CmdListsCount - (notices ? 1 : 0) : 0;
  const int end = all.CmdListsCount - (part == Part::without_notices && notices ? 1 : 0);
  if (end <= first || all.DisplaySize.x <= 0 || all.DisplaySize.y <= 0) return;
  ImDrawData some = all;
  std::vector<ImDrawList*> lists(&some.CmdLists[0] + first, &some.CmdLists[0] + end);
  set_lists(some.CmdLists, lists);
  some.CmdListsCount = end - first;
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  ImGui_ImplOpenGL3_RenderDrawData(&some);
}

}  // namespace mote::render::ui
