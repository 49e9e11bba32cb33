#include "render/ui/layer.h"

#include <GL/glew.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/check.h"
#include "render/ui/event_feed.h"
#include "render/ui/fonts.h"
#include "render/ui/theme.h"

namespace mote::render::ui {
namespace {

Pointer pointer_of(ImGuiMouseCursor cursor) {
  switch (cursor) {
    case ImGuiMouseCursor_TextInput:
      return Pointer::text;
    case ImGuiMouseCursor_Hand:
      return Pointer::hand;
    case ImGuiMouseCursor_ResizeEW:
      return Pointer::sideways;
    case ImGuiMouseCursor_ResizeNS:
      return Pointer::up_down;
    default:
      return Pointer::arrow;
  }
}

/// Dear ImGui's context; one per process.
struct Context {
  Context() {
    MOTE_EXPECT(!ImGui::GetCurrentContext());
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
  }
  ~Context() { ImGui::DestroyContext(); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
};

/// Dear ImGui's OpenGL backend; destroyed before the context.
struct Backend {
  Backend() {
    if (!ImGui_ImplOpenGL3_Init("#version 450"))
      throw engine::SystemError("start the user interface",
                                "Dear ImGui could not load OpenGL's functions",
                                "install libgl1 (Debian, Ubuntu)");
  }
  ~Backend() { ImGui_ImplOpenGL3_Shutdown(); }
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
};

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

struct Layer::Parts {
  explicit Parts(Surface& where) : surface(where) {}

  Surface& surface;
  Context context;
  Backend backend;
  EventFeed feed;
  std::vector<InputEvent> scene_events;
  std::string clipboard;  // owns the text last passed to ImGui
  double zoom = 1;
  double built_for = 0;  // scale of fonts and style
  bool started = false;  // the backend has created its objects

  void fit_size();
  static int lists() { return ImGui::GetDrawData()->CmdListsCount; }
  /// Notices are in the foreground list, which comes last and is omitted if empty.
  static bool has_notices() {
    const ImDrawData& all = *ImGui::GetDrawData();
    return lists() > 0 && all.CmdLists[lists() - 1] == ImGui::GetForegroundDrawList();
  }
  void draw(int first, int count) const;
};

/// Draws some of the frame's lists.
void Layer::Parts::draw(int first, int count) const {
  if (count <= 0 || surface.width() <= 0 || surface.height() <= 0) return;
  ImDrawData some = *ImGui::GetDrawData();
  std::vector<ImDrawList*> lists(&some.CmdLists[0] + first, &some.CmdLists[0] + first + count);
  set_lists(some.CmdLists, lists);
  some.CmdListsCount = count;
  glBindFramebuffer(GL_FRAMEBUFFER, surface.framebuffer());
  ImGui_ImplOpenGL3_RenderDrawData(&some);
}

/// Rebuilds fonts and style when the scale has changed.
void Layer::Parts::fit_size() {
  const double wanted = surface.scale() * zoom;
  if (wanted == built_for) return;
  built_for = wanted;
  set_theme(ImGui::GetStyle(), wanted);
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  build_fonts(atlas, wanted);
  if (!started) return;  // the first frame makes the texture
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
}

Layer::Layer(Surface& surface) : parts_(std::make_unique<Parts>(surface)) {
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = io.LogFilename = nullptr;  // writes no files
  io.BackendPlatformName = "mote";
  io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  io.MousePos = {-1, -1};
  EventFeed::map_keys(io);
  io.ClipboardUserData = parts_.get();
  io.GetClipboardTextFn = [](void* data) {
    auto& parts = *static_cast<Parts*>(data);
    parts.clipboard = parts.surface.clipboard();
    return parts.clipboard.c_str();
  };
  io.SetClipboardTextFn = [](void* data, const char* text) {
    static_cast<Parts*>(data)->surface.set_clipboard(text);
  };
}

Layer::~Layer() = default;

void Layer::begin(std::span<const InputEvent> events, double seconds) {
  parts_->fit_size();
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(parts_->surface.width()),
                    static_cast<float>(parts_->surface.height())};
  io.DeltaTime = static_cast<float>(std::max(seconds, 1e-5));  // ImGui needs a positive time
  parts_->feed.add(events);
  const std::vector<InputEvent> used = parts_->feed.feed(io);
  ImGui_ImplOpenGL3_NewFrame();
  parts_->started = true;
  ImGui::NewFrame();
  parts_->scene_events.clear();
  for (const InputEvent& event : used) {
    using Kind = InputEvent::Kind;
    const bool is_mouse = event.kind == Kind::mouse_move || event.kind == Kind::mouse_down ||
                          event.kind == Kind::wheel;
    const bool is_keyboard =
        event.kind == Kind::key_down || event.kind == Kind::key_repeat || event.kind == Kind::text;
    if ((is_mouse && wants_mouse()) || (is_keyboard && wants_keyboard())) continue;
    parts_->scene_events.push_back(event);
  }
}

void Layer::end() {
  ImGui::Render();
  parts_->surface.set_pointer(pointer_of(ImGui::GetMouseCursor()));
}

void Layer::draw() {
  parts_->draw(0, parts_->lists() - (parts_->has_notices() ? 1 : 0));
}

void Layer::draw_notices() {
  if (parts_->has_notices()) parts_->draw(parts_->lists() - 1, 1);
}

bool Layer::wants_mouse() const {
  return ImGui::GetIO().WantCaptureMouse;
}
bool Layer::wants_keyboard() const {
  return ImGui::GetIO().WantTextInput;
}
std::span<const InputEvent> Layer::scene_events() const {
  return parts_->scene_events;
}
bool Layer::pending() const {
  return !parts_->feed.empty();
}
void Layer::set_zoom(double zoom) {
  parts_->zoom = std::isfinite(zoom) ? std::clamp(zoom, 0.5, 4.0) : 1;
}
double Layer::zoom() const {
  return parts_->zoom;
}

}  // namespace mote::render::ui
