#include "api/present.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "api/contact_lines.h"
#include "engine/exec/parallel.h"
#include "engine/readable.h"
#include "sim/run/computed.h"
#include "sim/scene/quantity_check.h"
#include "sim/space/ball_fields.h"

namespace mote::api {

sim::Quantity color_scalar(const sim::View& view) {
  return sim::Quantity(view.color);
}

std::optional<sim::Quantity> shown_expression(const std::string& show) {
  return show.empty() ? std::nullopt : std::optional(sim::Quantity::of_expression(show));
}

std::optional<glm::vec4> clip_of(const sim::View& view, engine::Vec3d origin) {
  const engine::Vec3d direction = view.clip_normal.value_or(engine::Vec3d{});
  const double size = length(direction);
  if (!(size > 0)) return std::nullopt;
  const engine::Vec3d normal = (1 / size) * direction;
  return glm::vec4(static_cast<float>(normal.x), static_cast<float>(normal.y),
                   static_cast<float>(normal.z),
                   static_cast<float>(dot(normal, origin) - view.clip_offset));
}

std::vector<render::Color> palette_of(const sim::SceneDescription& scene,
                                      const sim::Quantity& shown) {
  if (shown != sim::Scalar::species) return {};
  std::vector<render::Color> palette{render::uncategorized};
  for (const sim::Species& species : scene.species)
    palette.push_back(render::color_of(species.color));
  return palette;
}

std::vector<std::string> scalars_of(const sim::SceneDescription& scene) {
  const sim::QuantityTraits traits = sim::traits_for_quantities(scene);
  std::vector<std::string> names;
  for (const sim::ScalarInfo& info : sim::scalars())
    if (!sim::quantity_problem(traits, info.name, "", "")) names.push_back(info.name);
  return names;
}

ScalarLabel label_of(const sim::Quantity& scalar, const sim::ValueRange& range,
                     const engine::UnitSystem& units) {
  const sim::ScalarInfo info = sim::scalar_info(scalar);
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  const engine::AxisUnit unit = engine::axis_unit(info.quantity, largest, units);
  return {unit.name.empty() ? info.name : info.name + " [" + unit.name + "]", unit.factor};
}

std::string time_label(double time, const engine::UnitSystem& units) {
  return "t = " + engine::readable_time(time, units, units.time_si > 0 ? 4 : 6);
}

render::PictureOptions picture_options(const sim::SceneDescription& scene, int width, int height) {
  using Overlay = render::PictureOptions::Overlay;
  const sim::View& view = scene.view;
  render::PictureOptions options{.width = width,
                                 .height = height,
                                 .map = map_name(view),
                                 .exposure = view.exposure,
                                 .point_size = view.point_size,
                                 .bodies = render::bodies_named(view.bodies),
                                 .sphere_radius = sim::sphere_radius(scene, view),
                                 .own_radii = has_own_radii(scene, view),
                                 .palette = palette_of(scene, color_scalar(view)),
                                 .solids = has_solids(scene)};
  options.overlay = view.overlay == "all"        ? Overlay::all
                    : view.overlay == "measures" ? Overlay::measures
                                                 : Overlay::none;
  options.occlusion = view.occlusion;
  options.shadow = view.shadow;
  options.clip = clip_of(view);
  options.on_white = view.background == "light";
  options.looks = looks_of(scene.species);
  options.title = scene.head.title;
  options.credits = view.credits;
  options.units = scene.units;
  if (!options.palette.empty())
    for (const sim::Species& species : scene.species) options.categories.push_back(species.name);
  return options;
}

render::OrbitCamera camera_for(const sim::Camera& scene, const render::Frame& frame,
                               double aspect) {
  render::OrbitCamera camera;
  camera.azimuth = scene.azimuth;
  camera.elevation = scene.elevation;
  camera.frame({frame.center[0], frame.center[1], frame.center[2]}, frame.radius, aspect);
  if (scene.distance) camera.distance = *scene.distance;
  if (scene.target) camera.target = {scene.target->x, scene.target->y, scene.target->z};
  return camera;
}

namespace {

/// Most names shown in a picture: as many as a simulation names.
constexpr std::size_t most_names = 64;

void add(std::vector<render::Polyline>& lines, std::vector<render::Polyline> more) {
  lines.insert(lines.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
}

}  // namespace

Presenter::Presenter(const sim::SceneDescription& scene)
    : color_(color_scalar(scene.view)),
      show_(shown_expression(scene.view.show)),
      units_(scene.units),
      period_(sim::period_of(sim::domain_of(scene))),
      own_radii_(has_own_radii(scene, scene.view)),
      body_radii_(sim::has_radii(scene)),
      species_radii_(sim::species_radii(scene)),
      obstacles_(scene),
      looks_(looks_of(scene.species)),
      contacts_(scene.view.contacts),
      names_(scene.view.overlay != "none") {}

void Presenter::widen_range(const sim::ValueRange& range) {
  range_ = range_.widened(range);
  frame_.scalar_low = static_cast<float>(range_.low),
  frame_.scalar_high = static_cast<float>(range_.high);
}

template <class Bodies, class Pack, class Range>
const render::Frame& Presenter::present(Bodies& bodies, double time,
                                        const std::vector<sim::SolidState>& solids, bool radii,
                                        const Pack& pack, const Range& range) {
  const auto count = static_cast<std::size_t>(bodies.count());
  positions_.resize(3 * count);
  scalars_.resize(count);
  radii_.resize(radii ? count : 0);
  pack({.positions = positions_.data(),
        .scalars = scalars_.data(),
        .radii = radii ? radii_.data() : nullptr},
       {.scalar = color_, .species_radii = species_radii_});
  const sim::Extent extent = sim::extent(bodies);
  frame_.center[0] = static_cast<float>(extent.center.x);
  frame_.center[1] = static_cast<float>(extent.center.y);
  frame_.center[2] = static_cast<float>(extent.center.z);
  frame_.radius = static_cast<float>(extent.radius);
  if (!range_fixed_) widen_range(range());
  if (!first_extent_) first_extent_ = extent;
  frame_.lines = obstacles_.lines(time, solids, *first_extent_);
  frame_.surfaces = obstacles_.surfaces(time, solids, *first_extent_);
  frame_.positions = positions_;
  frame_.scalars = scalars_;
  frame_.radii = radii_;
  ScalarLabel label = label_of(color_, range_, units_);
  frame_.scalar_name = std::move(label.text);
  frame_.scalar_factor = label.factor;
  frame_.time = time;
  frame_.time_label = time_label(frame_.time, units_);
  return frame_;
}

/// The kinds of the bodies, hidden where values of `show` are not above 0; the frame then waits for
/// their names.
void Presenter::appear(Appearance appearance, const std::vector<double>& show) {
  if (show_) appearance = shown_where(std::move(appearance), show, looks_.size() - 1);
  frame_.kinds = std::move(appearance.kinds);
  frame_.own_looks = std::move(appearance.own);
  frame_.names.clear();
}

void Presenter::add_name(engine::Vec3d at, engine::Index index, const std::string& name) {
  const Appearance shown{frame_.kinds, frame_.own_looks};
  if (!name.empty() && is_visible(shown, looks_, index))
    frame_.names.push_back({{at.x, at.y, at.z}, name, own_radius(shown, looks_, index)});
}

const render::Frame& Presenter::present(sim::Simulation& simulation) {
  present(
      simulation, simulation.time(), simulation.solids(), own_radii_,
      [&](const engine::PointFrame& to, const sim::PackRequest& request) {
        simulation.pack(to, request);
      },
      [&] { return sim::color_range(simulation, color_); });
  frame_.mesh = kept_->meshes.of(simulation);
  const bool differ = show_ || render::any_look(looks_) || !simulation.with_looks(1).empty();
  appear(differ ? kept_->kinds.of(simulation) : Appearance(),
         show_ ? simulation.computed(*show_) : std::vector<double>());
  if (names_)
    for (const engine::Index i : simulation.named())
      add_name(simulation.body(i).position, i, simulation.name(simulation.id(i)));
  if (contacts_) add(frame_.lines, contact_lines(simulation.contacts()));
  return frame_;
}

const render::Frame& Presenter::present(const sim::State<engine::Host>& state, double time,
                                        const std::optional<sim::ContactNetwork>& contacts,
                                        std::span<const double> potential,
                                        const std::vector<sim::SolidState>& solids) {
  // Radii by species are factors of the bodies' radii, if they have any.
  const bool has_radii =
      body_radii_ ? state.layout().has(sim::fields::radius) : state.with_species();
  const std::vector<double> values = computed(state, time, potential);
  present(
      state, time, solids, own_radii_ && has_radii,
      [&](const engine::PointFrame& to, const sim::PackRequest& request) {
        sim::pack(engine::Cpu{engine::available_threads()}, state, to, request, nullptr, values);
      },
      [&] { return sim::color_range(state, color_, values); });
  const bool differ = show_ || render::any_look(looks_) || !labels_.looks.empty();
  appear(differ ? kept_->kinds.of(state, labels_, looks_.size() - 1) : Appearance(),
         show_ ? sim::computed_values({state, time, period_}, *show_) : std::vector<double>());
  if (names_)
    for (engine::Index i = 0; i < state.count() && frame_.names.size() < most_names; ++i)
      if (const std::size_t id = state.id()[i]; id < labels_.names.size())
        add_name(sim::body_state(state, i).position, i, labels_.names[id]);
  if (connected_) frame_.mesh = kept_->meshes.of(*connected_, sim::ids_of(state), state.count());
  if (contacts_ && contacts) add(frame_.lines, contact_lines(*contacts));
  return frame_;
}

std::vector<double> Presenter::computed(const sim::State<engine::Host>& state, double time,
                                        std::span<const double> potential) const {
  return sim::computed_values({state, time, period_, potential}, color_);
}

void Presenter::show_range_of(const sim::State<engine::Host>& state, double time,
                              std::span<const double> potential) {
  widen_range(sim::color_range(state, color_, computed(state, time, potential)));
  range_fixed_ = true;
}

}  // namespace mote::api
