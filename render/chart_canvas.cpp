#include "render/chart_canvas.h"

#include <cairo-ft.h>
#include <cairo-svg.h>

#include <array>
#include <cmath>

#include "engine/check.h"
#include "render/ui/fonts.h"

namespace mote::render {
namespace {

cairo_status_t append(void* to, const unsigned char* bytes, unsigned count) {
  static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(bytes), count);
  return CAIRO_STATUS_SUCCESS;
}

void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS)
    throw engine::SystemError("draw a plot", cairo_status_to_string(status),
                              "try a smaller --size");
}

/// The window's font, opened by its file: a search by name would depend on the machine. Null if
/// there is none. Never freed, because cairo caches its glyphs.
cairo_font_face_t* window_font() {
  static cairo_font_face_t* const font = []() -> cairo_font_face_t* {
    static FT_Library library = nullptr;
    static FT_Face face = nullptr;
    const std::string path = ui::find_font();
    if (path.empty() || FT_Init_FreeType(&library) != 0) return nullptr;
    if (FT_New_Face(library, path.c_str(), 0, &face) != 0) return nullptr;
    return cairo_ft_font_face_create_for_ft_face(face, 0);
  }();
  return font;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (static_cast<unsigned char>(c) >= 0x20 || c == '\n')
      out += c;
  }
  return out;
}

}  // namespace

struct ChartCanvas::Parts {
  ChartFormat format;
  std::string bytes;
  cairo_surface_t* surface = nullptr;
  cairo_t* cairo = nullptr;

  ~Parts() {
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
  }
  void color(unsigned rgb, double opacity) const {
    cairo_set_source_rgba(cairo, (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0,
                          (rgb & 255) / 255.0, opacity);
  }
};

ChartCanvas::ChartCanvas(ChartFormat format, int width, int height, double scale)
    : parts_(std::make_unique<Parts>()) {
  Parts& p = *parts_;
  p.format = format;
  if (format == ChartFormat::svg) {
    p.surface = cairo_svg_surface_create_for_stream(append, &p.bytes, width, height);
    cairo_svg_surface_set_document_unit(p.surface, CAIRO_SVG_UNIT_PX);
  } else {
    p.surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
  }
  p.cairo = cairo_create(p.surface);
  check(cairo_status(p.cairo));
  cairo_scale(p.cairo, scale, scale);
  cairo_set_line_join(p.cairo, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap(p.cairo, CAIRO_LINE_CAP_ROUND);
  // Same glyph shapes and widths in every size and format.
  cairo_font_options_t* const options = cairo_font_options_create();
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_set_font_options(p.cairo, options);
  cairo_font_options_destroy(options);
  if (cairo_font_face_t* const font = window_font())
    cairo_set_font_face(p.cairo, font);
  else
    cairo_select_font_face(p.cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           CAIRO_FONT_WEIGHT_NORMAL);
}

ChartCanvas::~ChartCanvas() = default;

void ChartCanvas::fill(const Box& box, unsigned color, double opacity) {
  parts_->color(color, opacity);
  cairo_rectangle(parts_->cairo, box.left, box.top, box.right - box.left, box.bottom - box.top);
  cairo_fill(parts_->cairo);
}

void ChartCanvas::frame(const Box& box, unsigned color, double opacity) {
  parts_->color(color, opacity);
  cairo_set_line_width(parts_->cairo, 1);
  cairo_set_dash(parts_->cairo, nullptr, 0, 0);
  cairo_rectangle(parts_->cairo, box.left, box.top, box.right - box.left, box.bottom - box.top);
  cairo_stroke(parts_->cairo);
}

void ChartCanvas::line(std::span<const Point> points, unsigned color, double opacity, double width,
                       double dash) {
  if (points.empty()) return;
  parts_->color(color, opacity);
  cairo_set_line_width(parts_->cairo, width);
  cairo_set_dash(parts_->cairo, &dash, dash > 0 ? 1 : 0, 0);
  cairo_move_to(parts_->cairo, points[0].x, points[0].y);
  for (const Point& point : points.subspan(1)) cairo_line_to(parts_->cairo, point.x, point.y);
  cairo_stroke(parts_->cairo);
}

void ChartCanvas::dot(Point at, double radius, unsigned color) {
  parts_->color(color, 1);
  cairo_new_sub_path(parts_->cairo);
  cairo_arc(parts_->cairo, at.x, at.y, radius, 0, 2 * 3.14159265358979);
  cairo_fill(parts_->cairo);
}

void ChartCanvas::clip(const Box& box) {
  cairo_save(parts_->cairo);
  cairo_rectangle(parts_->cairo, box.left, box.top, box.right - box.left, box.bottom - box.top);
  cairo_clip(parts_->cairo);
}

void ChartCanvas::unclip() {
  cairo_restore(parts_->cairo);
}

double ChartCanvas::text_width(std::string_view text, double size) {
  cairo_text_extents_t extents;
  cairo_set_font_size(parts_->cairo, size);
  cairo_text_extents(parts_->cairo, std::string(text).c_str(), &extents);
  return extents.x_advance;
}

void ChartCanvas::text(Point at, std::string_view text, double size, unsigned color, double align) {
  const double width = align > 0 ? text_width(text, size) : 0;
  parts_->color(color, 1);
  cairo_set_font_size(parts_->cairo, size);
  cairo_move_to(parts_->cairo, at.x - align * width, at.y);
  cairo_show_text(parts_->cairo, std::string(text).c_str());
}

std::string ChartCanvas::finish(const std::string& title, const std::string& description) {
  Parts& p = *parts_;
  check(cairo_status(p.cairo));
  if (p.format == ChartFormat::png) {
    check(cairo_surface_write_to_png_stream(p.surface, append, &p.bytes));
    return std::move(p.bytes);
  }
  cairo_surface_finish(p.surface);
  check(cairo_surface_status(p.surface));
  // cairo draws text as curves; title and description keep the SVG searchable and accessible.
  const std::size_t root = p.bytes.find('>', p.bytes.find("<svg"));
  MOTE_EXPECT(root != std::string::npos);
  p.bytes.insert(root + 1, "\n<title>" + escaped(title) + "</title>\n<desc>" +
                               escaped(description) + "</desc>");
  return std::move(p.bytes);
}

}  // namespace mote::render
