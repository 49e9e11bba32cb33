#pragma once

#include <imgui.h>

namespace mote::render::ui {

/// Dear ImGui without a display: frames with one window at the upper left corner, 400 by 300
/// pixels, and a mouse.
class Headless {
 public:
  static constexpr float width = 400, height = 300;

  Headless() {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = io.LogFilename = nullptr;
    io.DisplaySize = {1280, 720};
    io.DeltaTime = 1.0f / 60;
    io.MousePos = {-1, -1};
    io.KeyMap[ImGuiKey_Enter] = enter;
    io.KeyMap[ImGuiKey_Escape] = escape;
    unsigned char* pixels = nullptr;
    int columns = 0, rows = 0;
    io.Fonts->GetTexDataAsAlpha8(&pixels, &columns, &rows);
  }
  ~Headless() { ImGui::DestroyContext(); }
  Headless(const Headless&) = delete;
  Headless& operator=(const Headless&) = delete;

  /// Draws a frame with `content` and returns its result.
  template <class Content>
  auto frame(const Content& content) {
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({width, height});
    ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
    left_ = ImGui::GetCursorScreenPos().x;
    top_ = ImGui::GetCursorScreenPos().y;
    right_ = left_ + ImGui::GetContentRegionAvail().x;
    auto result = content();
    ImGui::End();
    ImGui::Render();
    return result;
  }

  void move(float x, float y) { ImGui::GetIO().MousePos = {x, y}; }
  void press() { ImGui::GetIO().MouseDown[0] = true; }
  void release() { ImGui::GetIO().MouseDown[0] = false; }
  void hold_control(bool down) { ImGui::GetIO().KeyCtrl = down; }
  void hold_key(int key, bool down) { ImGui::GetIO().KeysDown[key] = down; }
  void type(const char* text) { ImGui::GetIO().AddInputCharactersUTF8(text); }

  static constexpr int enter = 13, escape = 27;

  /// Edges of the content of the window [pixels].
  float left() const { return left_; }
  float right() const { return right_; }
  float top() const { return top_; }

 private:
  float left_ = 0, right_ = 0, top_ = 0;
};

}  // namespace mote::render::ui
