#include "render/scene_view.h"

#include <algorithm>
#include <cmath>

#include "engine/check.h"
#include "render/color_map.h"
#include "render/gl/compute.h"
#include "render/gl/sample_target.h"
#include "render/gl/target.h"
#include "render/guides.h"
#include "render/pass/body_mesh.h"
#include "render/pass/clip.h"
#include "render/pass/exposure.h"
#include "render/pass/fluid.h"
#include "render/pass/lines.h"
#include "render/pass/looks.h"
#include "render/pass/occlusion.h"
#include "render/pass/pick.h"
#include "render/pass/points.h"
#include "render/pass/shadow.h"
#include "render/pass/spheres.h"
#include "render/pass/splat.h"
#include "render/pass/surfaces.h"
#include "render/pass/tonemap.h"
#include "render/pass/trails.h"

namespace mote::render {
namespace {

constexpr double bright_fraction = 0.45;  // fraction of a star's sprite radius
constexpr float trail_brightness = 0.72f, trail_opacity = 0.85f;

/// The requested radius of spheres, or one that fills the picture about equally whatever their
/// number.
double radius_of_spheres(engine::Index count, const ViewStyle& style, const Viewpoint& from,
                         int height) {
  if (style.sphere_radius > 0) return style.sphere_radius;
  const double many = static_cast<double>(std::max<engine::Index>(count, 1));
  const double pixels = style.point_size > 0
                            ? style.point_size
                            : std::clamp(44 * std::pow(many / 50, -0.3), 3.0, 44.0);
  return from.scale * pixels / 2 * height / 720;
}

/// Exposure in stops; invalid options must not prevent drawing.
double stops_of(const ViewStyle& style) {
  return std::isfinite(style.exposure) ? std::clamp(style.exposure, -30.0, 30.0) : 0;
}

}  // namespace

struct SceneView::Parts {
  explicit Parts(const std::filesystem::path& folder)
      : shaders(folder),
        colors(color_map_named(color_map_names().front())),
        points(folder, colors),
        exposure(folder),
        tonemap(folder) {}

  void set_map(const ViewStyle& style);
  WeightRange weights(const PointBuffers& drawn, const ViewStyle& style);
  PointBuffers looked(const PointBuffers& plain, const ViewStyle& style, const Extras& extras,
                      double radius);
  /// A picture to draw: what is the same whether it is seen or not.
  struct Prepared {
    PointBuffers points;  ///< points with the looks of their kinds
    Lens lens;
    double radius;  ///< radius of spheres, world length
  };
  Prepared prepare(const PointBuffers& shown, const Viewpoint& from, const ViewStyle& style,
                   const Extras& extras, int height);
  Exposure expose_stars(const PointBuffers& drawn, const Lens& lens, const ViewStyle& style,
                        int width, int height);
  void draw_stars(const PointBuffers& drawn, const Lens& lens, const ViewStyle& style,
                  const Canvas& canvas);
  void draw_spheres(const PointBuffers& drawn, const Lens& lens, const ViewStyle& style,
                    const Extras& extras, double radius, const Canvas& canvas);
  void draw_fluid(const PointBuffers& drawn, const Lens& lens, const ViewStyle& style,
                  const Extras& extras, double radius, const std::vector<Line>& guides,
                  const Canvas& canvas);
  Lens with_shadows(const PointBuffers& drawn, Lens lens, const ViewStyle& style,
                    const Extras& extras, const SphereStyle& sphere_style);
  void draw_solids(const PointBuffers& drawn, const Lens& lens, const Extras& extras,
                   const SphereStyle& sphere_style);
  GLuint open_sky(const Lens& lens, const ViewStyle& style);
  void compose(const Lens& lens, const ViewStyle& style, const Canvas& canvas);
  void draw_translucent(const Extras& extras, const Lens& lens, const ViewStyle& style,
                        const Canvas& canvas, GLuint behind_fluid = 0);
  void fit_surfaces(const Canvas& canvas);
  void make_light(const PointBuffers& drawn, const Lens& lens, const ViewStyle& style,
                  const PointStyle& dots);

  /// Rarely used passes are created on first use.
  template <class Pass>
  Pass& colored_pass(std::unique_ptr<Pass>& pass) {
    if (!pass) pass = std::make_unique<Pass>(shaders, colors);
    return *pass;
  }
  template <class Pass>
  Pass& plain_pass(std::unique_ptr<Pass>& pass) {
    if (!pass) pass = std::make_unique<Pass>(shaders);
    return *pass;
  }

  std::filesystem::path shaders;
  ColorMap colors;
  std::vector<Color> palette;  // source of `colors`, if any
  PointsPass points;
  ExposureFollower exposure;
  TonemapPass tonemap;
  std::unique_ptr<SplatPass> splat;
  std::unique_ptr<SpheresPass> spheres;
  std::unique_ptr<FluidPass> fluid;
  std::unique_ptr<TrailsPass> trails;
  std::unique_ptr<BodyMeshPass> mesh;
  std::unique_ptr<SurfacesPass> translucent;
  std::unique_ptr<LooksPass> looks;
  std::unique_ptr<ClipPass> clip;
  std::unique_ptr<OcclusionPass> occlusion;
  std::unique_ptr<ShadowPass> shadow;
  std::unique_ptr<LinesPass> lines;
  std::unique_ptr<PickPass> picker;

  std::optional<Target> light;             // sized as the last picture; only while stars are drawn
  std::unique_ptr<SampleTarget> surfaces;  // the same for spheres and fluids
  WeightRange weight_range;
  GLuint weights_source = 0;  // buffer that weight_range was measured from
  engine::Index weights_count = 0, count = -1;
  BodySize size;                        // sizes in the last picture
  std::optional<glm::vec4> clip_plane;  // the same
  bool own_radii = true;
  bool own_colors = false;           // some points of the last picture have them
  std::optional<PointBuffers> seen;  // points of the last picture, as their kinds look
};

void SceneView::Parts::set_map(const ViewStyle& style) {
  if (style.palette == palette && (colors.separate || style.map == colors.name)) return;
  colors = style.palette.empty() ? color_map_named(style.map) : color_map_of(style.palette);
  palette = style.palette;
  points.set_map(colors);
  if (splat) splat->set_map(colors);
  if (spheres) spheres->set_map(colors);
  if (mesh) mesh->set_map(colors);
  if (trails) trails->set_map(colors);
}

/// Points with the looks of their kinds, where any differs.
PointBuffers SceneView::Parts::looked(const PointBuffers& plain, const ViewStyle& style,
                                      const Extras& extras, double radius) {
  seen.reset();
  own_colors = false;
  const PointKinds& kinds = extras.kinds;
  const std::vector<Look> all = with_own(style.looks, extras.own_looks);
  if (!kinds || plain.count == 0 || static_cast<engine::Index>(kinds->size()) != plain.count ||
      !any_look(all))
    return plain;
  own_colors = std::any_of(extras.own_looks.begin(), extras.own_looks.end(),
                           [](const OwnLook& own) { return own.color.has_value(); });
  seen = plain_pass(looks).apply(plain, kinds, all, radius);
  return *seen;
}

WeightRange SceneView::Parts::weights(const PointBuffers& drawn, const ViewStyle& style) {
  if (looks && drawn.weights == looks->buffer()) return looks->weights();
  if (style.mean_weight > 0)
    return {style.mean_weight, std::max(style.largest_weight, style.mean_weight)};
  if (drawn.weights == 0) return {};
  if (weights_source != drawn.weights || weights_count != drawn.count) {
    std::vector<float> values(static_cast<std::size_t>(drawn.count));
    glGetNamedBufferSubData(drawn.weights, 0,
                            static_cast<GLsizeiptr>(values.size() * sizeof(float)), values.data());
    weight_range = measure_weights(values);
    weights_source = drawn.weights;
    weights_count = drawn.count;
  }
  return weight_range;
}

void SceneView::Parts::make_light(const PointBuffers& drawn, const Lens& lens,
                                  const ViewStyle& style, const PointStyle& dots) {
  const glm::mat4 clip_from_world = lens.projection * lens.view;
  if (drawn.count < style.splat_from || own_colors) {  // splats have none
    light->clear({0, 0, 0, 0});
    return points.draw(drawn, clip_from_world, dots, *light);
  }
  SplatPass& pass = colored_pass(splat);
  pass.use(style.splat);
  pass.draw(drawn, clip_from_world, dots, *light, true);
}

/// The light of the stars, without their trails, and how it is exposed.
Exposure SceneView::Parts::expose_stars(const PointBuffers& drawn, const Lens& lens,
                                        const ViewStyle& style, int width, int height) {
  surfaces.reset();
  fit(light, width, height, Target::Kind::light);
  const double diameter = style.point_size * height / 720;
  PointStyle dots = automatic_style(drawn.count, weights(drawn, style), width, height, diameter);
  if (looks && drawn.weights == looks->buffer()) dots.weight_floor = 0;  // dim looks stay dim
  size = {0, bright_fraction * dots.radius};
  make_light(lens.clip ? plain_pass(clip).apply(drawn, *lens.clip) : drawn, lens, style, dots);
  return exposure.expose(*light, dots.peak_density, style.seconds);
}

void SceneView::Parts::draw_stars(const PointBuffers& drawn, const Lens& lens,
                                  const ViewStyle& style, const Canvas& canvas) {
  Exposure shown = expose_stars(drawn, lens, style, canvas.width, canvas.height);
  if (style.trail_length > 0 && trails)
    trails->draw_light(drawn, lens, style.trail_length, shown, trail_brightness, *light);
  const auto darker = static_cast<float>(std::exp2(-stops_of(style)));
  shown.white *= darker;
  shown.faint *= darker;
  tonemap.draw(*light, shown, canvas, style.bloom, style.on_white);
}

void SceneView::Parts::fit_surfaces(const Canvas& canvas) {
  light.reset();
  if (!surfaces || surfaces->width() != canvas.width || surfaces->height() != canvas.height) {
    surfaces.reset();
    surfaces = std::make_unique<SampleTarget>(canvas.width, canvas.height);
  }
}

/// The lens, with the shadows of bodies and of what connects them. Of a fluid's bodies only solids
/// cast shadows.
Lens SceneView::Parts::with_shadows(const PointBuffers& drawn, Lens lens, const ViewStyle& style,
                                    const Extras& extras, const SphereStyle& sphere_style) {
  if (!(style.shadow > 0) || drawn.count == 0) return lens;
  ShadowPass& pass = plain_pass(shadow);
  const std::optional<LampView> lamp = pass.begin(drawn, lens, sphere_style);
  if (!lamp) return lens;
  const bool connected = extras.mesh != nullptr;
  if (connected) colored_pass(mesh).use(extras.mesh);
  pass.draw(connected ? mesh->visible(drawn) : drawn, *lamp, sphere_style);
  if (connected) mesh->cast(drawn, *lamp, sphere_style);
  lens.shadows = pass.finish(*lamp, static_cast<float>(std::min(style.shadow, 1.0)));
  return lens;
}

/// Bodies and what connects them, into an empty picture.
void SceneView::Parts::draw_solids(const PointBuffers& drawn, const Lens& lens,
                                   const Extras& extras, const SphereStyle& sphere_style) {
  const bool connected = extras.mesh != nullptr;
  if (connected) colored_pass(mesh).use(extras.mesh);
  colored_pass(spheres).draw(connected ? mesh->visible(drawn) : drawn, lens, sphere_style,
                             *surfaces);
  if (connected) mesh->draw(drawn, lens, sphere_style, *surfaces);
}

void SceneView::Parts::compose(const Lens& lens, const ViewStyle& style, const Canvas& canvas) {
  colored_pass(spheres).compose(*surfaces, canvas, style.on_white, open_sky(lens, style));
}

/// How much of the sky each pixel sees, from the depths drawn so far; 0: all of it.
GLuint SceneView::Parts::open_sky(const Lens& lens, const ViewStyle& style) {
  if (!(style.occlusion > 0)) return 0;
  return plain_pass(occlusion).find(*surfaces, lens, static_cast<float>(style.occlusion));
}

void SceneView::Parts::draw_translucent(const Extras& extras, const Lens& lens,
                                        const ViewStyle& style, const Canvas& canvas,
                                        GLuint behind_fluid) {
  if (extras.surfaces.empty()) return;
  plain_pass(translucent)
      .draw(extras.surfaces, lens, static_cast<float>(std::exp2(stops_of(style))), surfaces.get(),
            canvas, behind_fluid);
}

void SceneView::Parts::draw_spheres(const PointBuffers& drawn, const Lens& unshaded,
                                    const ViewStyle& style, const Extras& extras, double radius,
                                    const Canvas& canvas) {
  fit_surfaces(canvas);
  const SphereStyle spheres_as{static_cast<float>(radius),
                               static_cast<float>(std::exp2(stops_of(style)))};
  const Lens lens = with_shadows(drawn, unshaded, style, extras, spheres_as);
  draw_solids(drawn, lens, extras, spheres_as);
  compose(lens, style, canvas);
  if (style.trail_length > 0 && trails)
    trails->draw_over(drawn, lens, style.trail_length, trail_opacity, surfaces.get(), canvas);
  draw_translucent(extras, lens, style, canvas);
}

void SceneView::Parts::draw_fluid(const PointBuffers& drawn, const Lens& unshaded,
                                  const ViewStyle& style, const Extras& extras, double radius,
                                  const std::vector<Line>& guides, const Canvas& canvas) {
  fit_surfaces(canvas);
  const auto brightness = static_cast<float>(std::exp2(stops_of(style)));
  const auto half_spacing = static_cast<float>(radius);
  const SphereStyle solids_as{half_spacing, brightness, true};
  const bool solid = style.solids && drawn.radii;
  const Lens lens = solid ? with_shadows(drawn, unshaded, style, extras, solids_as) : unshaded;
  FluidPass& pass = plain_pass(fluid);
  pass.find(drawn, lens, {half_spacing, brightness}, canvas.width, canvas.height);
  if (solid)
    draw_solids(drawn, lens, extras, solids_as);
  else
    surfaces->begin();
  compose(lens, style, pass.background());
  Canvas(pass.behind()).copy(pass.background());
  // Translucent surfaces before the fluid are drawn over it below, and only once.
  draw_translucent(extras, lens, style, pass.behind(), pass.distances());
  if (!guides.empty())
    plain_pass(lines).draw(guides, lens, surfaces.get(), pass.behind(), pass.distances());
  pass.hide(lens, *surfaces);
  pass.show(lens, {half_spacing, brightness}, *surfaces, canvas, open_sky(lens, style));
  if (style.trail_length > 0 && trails)
    trails->draw_over(drawn, lens, style.trail_length, trail_opacity, surfaces.get(), canvas);
  draw_translucent(extras, lens, style, canvas);
}

SceneView::SceneView(const std::filesystem::path& shaders)
    : parts_(std::make_unique<Parts>(shaders)) {}

SceneView::~SceneView() = default;

SceneView::Parts::Prepared SceneView::Parts::prepare(const PointBuffers& shown,
                                                     const Viewpoint& from, const ViewStyle& style,
                                                     const Extras& extras, int height) {
  PointBuffers drawn = shown;
  if (!style.palette.empty())
    drawn.scalar_low = 0, drawn.scalar_high = 255;  // the range of color_map_of
  if (!style.own_radii) drawn.radii = 0;
  own_radii = style.own_radii;
  set_map(style);
  // Bodies added one by one must not make the picture flicker.
  if (drawn.count > 2 * count || count > 2 * drawn.count) exposure.reset();
  count = drawn.count;
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_CULL_FACE);
  glDisable(GL_STENCIL_TEST);
  glDisable(GL_FRAMEBUFFER_SRGB);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  Lens lens(from.view, from.projection);
  lens.clip = clip_plane = style.clip;
  const double radius = radius_of_spheres(drawn.count, style, from, height);
  size = {style.bodies == Bodies::stars ? 0 : radius, 0};
  return {looked(drawn, style, extras, radius), lens, radius};
}

void SceneView::follow(const PointBuffers& shown, const Viewpoint& from, const ViewStyle& style,
                       const Extras& extras, int width, int height) {
  if (width < 1 || height < 1) return;
  const auto [points, lens, radius] = parts_->prepare(shown, from, style, extras, height);
  if (style.bodies == Bodies::stars) parts_->expose_stars(points, lens, style, width, height);
}

void SceneView::draw(const PointBuffers& shown, const Viewpoint& from, const ViewStyle& style,
                     const Extras& extras, GLuint framebuffer, int width, int height) {
  if (width < 1 || height < 1) return;
  Parts& parts = *parts_;
  const auto [points, lens, radius] = parts.prepare(shown, from, style, extras, height);
  const Canvas canvas(framebuffer, width, height);
  if (style.bodies == Bodies::spheres)
    parts.draw_spheres(points, lens, style, extras, radius, canvas);
  if (style.bodies == Bodies::stars) {
    parts.draw_stars(points, lens, style, canvas);
    parts.draw_translucent(extras, lens, style, canvas);
  }
  const std::vector<Line> lines = guides_of(style, extras, lens, parts.size, height);
  if (style.bodies == Bodies::fluid)
    parts.draw_fluid(points, lens, style, extras, radius, lines, canvas);
  if (!lines.empty()) parts.plain_pass(parts.lines).draw(lines, lens, parts.surfaces.get(), canvas);
}

std::optional<std::int64_t> SceneView::pick(const PointBuffers& points, const Viewpoint& from,
                                            glm::dvec2 pixel, double tolerance, int width,
                                            int height) {
  PointBuffers drawn = points;
  if (!parts_->own_radii) drawn.radii = 0;
  if (parts_->seen && parts_->seen->count == points.count)
    drawn.radii = parts_->seen->radii, drawn.weights = parts_->seen->weights;
  Lens lens(from.view, from.projection);
  lens.clip = parts_->clip_plane;
  return parts_->plain_pass(parts_->picker)
      .pick(drawn, lens, pixel, tolerance, parts_->size.sphere_radius, width, height);
}

glm::vec3 SceneView::position(const PointBuffers& points, std::int64_t index) const {
  MOTE_EXPECT(index >= 0 && index < points.count);
  glm::vec3 point{0, 0, 0};
  glGetNamedBufferSubData(points.positions, static_cast<GLintptr>(index) * point_bytes, point_bytes,
                          &point.x);
  return point;
}

double SceneView::sphere_radius() const {
  return parts_->size.sphere_radius;
}

void SceneView::add_to_trails(const PointBuffers& points, int trail_length) {
  parts_->colored_pass(parts_->trails).add(points, trail_length);
}

void SceneView::add_to_trails(std::span<const float> positions, int trail_length) {
  parts_->colored_pass(parts_->trails).add(positions, trail_length);
}

void SceneView::clear_trails() {
  if (parts_->trails) parts_->trails->clear();
}

void SceneView::hold_exposure(bool hold) {
  parts_->exposure.hold(hold);
}

void SceneView::reset_exposure() {
  parts_->exposure.reset();
}

std::string SceneView::splat_report() const {
  return parts_->splat ? parts_->splat->report() : "";
}

}  // namespace mote::render
