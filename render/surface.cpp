#include "render/surface.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "engine/log.h"

namespace mote::render {

Image Surface::read() const {
  Image image{width(), height(), {}};
  if (image.width == 0 || image.height == 0) return {};
  const std::size_t row = 3 * static_cast<std::size_t>(image.width);
  image.rgb.resize(row * static_cast<std::size_t>(image.height));
  GLint bound = 0;
  glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &bound);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer());
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, image.width, image.height, GL_RGB, GL_UNSIGNED_BYTE, image.rgb.data());
  glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(bound));
  // OpenGL's rows start at the bottom.
  const auto at = [&](int y) { return image.rgb.begin() + static_cast<std::ptrdiff_t>(row) * y; };
  for (int low = 0, high = image.height - 1; low < high; ++low, --high)
    std::swap_ranges(at(low), at(low + 1), at(high));
  return image;
}

std::optional<double> requested_scale(const SurfaceOptions& options) {
  if (options.scale) return options.scale;
  const char* text = std::getenv("MOTE_UI_SCALE");
  if (!text || !*text) return {};
  char* end = nullptr;
  const double value = std::strtod(text, &end);
  if (*end == '\0' && std::isfinite(value) && value > 0) return value;
  engine::log().warn("MOTE_UI_SCALE is '{}', which is not a positive number; it is ignored", text);
  return {};
}

double usable_scale(double scale) {
  return std::isfinite(scale) ? std::clamp(scale, 0.5, 4.0) : 1;
}

void Surface::finish() const {
  glFinish();
}

}  // namespace mote::render
