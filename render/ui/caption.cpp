#include "render/ui/caption.h"

#include <imgui.h>

#include <algorithm>
#include <mutex>

#include "render/ui/paint.h"
#include "render/ui/panel.h"

namespace mote::render::ui {
namespace {

/// Text keeps its proportion to a picture of 1280 x 720 pixels, but stays readable in small ones.
double scale_for(int width, int height) {
  return std::clamp(std::min(width / 1280.0, height / 720.0), 0.7, 12.0);
}

void draw_widgets(const Caption& caption, float width, float height) {
  for (const PlacedWords& tag : caption.names) name_tag(tag);
  const float edge = em();
  float y = edge;
  if (!caption.title.empty()) {
    label(edge, y, fitting(caption.title, 0.6f * width));
    y += 1.9f * em();
  }
  if (!caption.credits.empty()) label(edge, y, fitting(caption.credits, 0.6f * width), 0, 0.75f);
  if (!caption.time.empty()) label(width - edge, edge, caption.time, 1, 0.9f);
  float right = width - edge;
  if (caption.legend) right = legend(*caption.legend, right, height - edge);
  if (caption.per_pixel > 0)
    scale_bar(caption.per_pixel, caption.units, edge, height - edge, right - 0.5f * edge);
}

}  // namespace

void name_tag(const PlacedWords& tag) {
  // To the right of a sphere that would reach under their box, with its margin. What fills the
  // picture has its name within.
  constexpr float right = 1.3f, margin = 0.6f, most = 8;
  const float aside = std::clamp(tag.radius - (right - margin) * em(), 0.0f, most * em());
  label(tag.x + right * em() + aside, tag.y - 1.7f * em(), tag.words, 0, 0.8f);
}

CaptionWriter::CaptionWriter() {
  const std::lock_guard lock(toolkit_mutex());
  toolkit_ = std::make_unique<Toolkit>();
}

CaptionWriter::~CaptionWriter() {
  const std::lock_guard lock(toolkit_mutex());
  toolkit_.reset();
}

void CaptionWriter::draw(const Caption& caption, GLuint framebuffer, int width, int height) {
  const std::lock_guard lock(toolkit_mutex());
  ImGuiContext* const before = ImGui::GetCurrentContext();
  toolkit_->begin(width, height, scale_for(width, height), caption.on_white);
  ImGui::GetIO().DeltaTime = 1.0f / 60;
  ImGui::NewFrame();
  draw_widgets(caption, static_cast<float>(width), static_cast<float>(height));
  ImGui::Render();
  toolkit_->draw(Toolkit::Part::all, framebuffer);
  ImGui::SetCurrentContext(before);
}

}  // namespace mote::render::ui
