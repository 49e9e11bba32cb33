#include "render/guides.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/vector_relational.hpp>
#include <numbers>

namespace mote::render {
namespace {

const glm::vec4 box_color{0.60f, 0.67f, 0.80f, 0.38f};
const std::array<glm::vec4, 3> axis_colors{glm::vec4{0.89f, 0.38f, 0.36f, 0.9f},
                                           glm::vec4{0.50f, 0.76f, 0.40f, 0.9f},
                                           glm::vec4{0.38f, 0.58f, 0.95f, 0.9f}};
const glm::vec4 ring_color{1, 0.97f, 0.88f, 0.95f}, ring_shade{0, 0, 0, 0.4f};
constexpr float ring_pixels = 13, ring_gap = 7;  // at 720 lines
constexpr int ring_points = 96;

void add_box(std::vector<Line>& lines, const glm::vec3& low, const glm::vec3& high, float width) {
  if (low == high) return;
  for (int axis = 0; axis < 3; ++axis)
    for (int corner = 0; corner < 4; ++corner) {
      glm::vec3 from = low;
      if (corner & 1) from[(axis + 1) % 3] = high[(axis + 1) % 3];
      if (corner & 2) from[(axis + 2) % 3] = high[(axis + 2) % 3];
      glm::vec3 to = from;
      to[axis] = high[axis];
      lines.push_back({{from, to}, box_color, width});
    }
}

void add_axes(std::vector<Line>& lines, const glm::vec3& at, double length, float width) {
  for (int axis = 0; axis < 3; ++axis) {
    glm::vec3 end = at;
    end[axis] += static_cast<float>(length);
    lines.push_back({{at, end}, axis_colors[static_cast<std::size_t>(axis)], width});
  }
}

/// A circle that faces the viewer, of constant size on screen, or slightly larger than the sphere.
void add_ring(std::vector<Line>& lines, const glm::vec3& at, const Lens& lens,
              const BodySize& bodies, int height) {
  const float scale = static_cast<float>(height) / 720;
  const float distance = -(lens.view * glm::vec4(at, 1)).z;
  if (!(distance > lens.near)) return;
  const float pixel = distance * lens.pixel(height);
  const float body_radius =
      static_cast<float>(bodies.sphere_radius) / pixel + static_cast<float>(bodies.star_radius);
  const float radius = std::max(ring_pixels * scale, body_radius + ring_gap * scale) * pixel;
  const glm::vec3 right{lens.view[0][0], lens.view[1][0], lens.view[2][0]};
  const glm::vec3 up{lens.view[0][1], lens.view[1][1], lens.view[2][1]};
  Line ring;
  for (int i = 0; i < ring_points; ++i) {
    const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / ring_points;
    ring.points.push_back(at + radius * (std::cos(angle) * right + std::sin(angle) * up));
  }
  ring.closed = ring.in_front = true;
  ring.color = ring_shade;
  ring.width = 4 * scale;
  lines.push_back(ring);
  ring.color = ring_color;
  ring.width = std::max(1.6f * scale, 1.2f);
  lines.push_back(std::move(ring));
}

}  // namespace

std::vector<Line> guides_of(const ViewStyle& style, const Extras& extras, const Lens& lens,
                            const BodySize& bodies, int height) {
  const float line_width = std::max(1.25f * static_cast<float>(height) / 720, 1.0f);
  std::vector<Line> lines;
  if (style.box) add_box(lines, extras.box_low, extras.box_high, line_width);
  for (const Polyline& line : extras.lines)
    lines.push_back({line.points, line.color, line_width * line.width, line.closed, line.in_front,
                     line.segments, true});
  if (style.axes) add_axes(lines, extras.axes_at, extras.axes_length, 1.6f * line_width);
  if (extras.marked) add_ring(lines, *extras.marked, lens, bodies, height);
  return lines;
}

}  // namespace mote::render
