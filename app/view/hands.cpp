#include "app/view/hands.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/view/framing.h"

namespace mote::app {
namespace {

using engine::Vec3d;
using Drag = HandTool::Drag;

/// Angular frequency of the spring, times a second of the wall: a body follows within a fraction
/// of a second.
constexpr double frequency = 20;
/// Largest angular frequency of the spring, times a step: damping by twice of it is stable then.
constexpr double largest_per_step = 0.3;
constexpr int frames_between_pours = 5;
/// A press and a release that are closer than this are a click [pixels].
constexpr double least_drag = 4;

/// Simulation time in a second of the wall, as far as it is known.
double time_rate(const SessionStatus& status) {
  const bool reached = status.target_rate > 0 && !status.limited;
  if (reached) return status.target_rate;
  return status.time_per_second > 0 ? status.time_per_second : 60 * status.dt;
}

Vec3d vector_of(const glm::dvec3& v) {
  return {v.x, v.y, v.z};
}

glm::vec3 offset_of(const WindowState& model, Vec3d at) {
  const Vec3d d = at - model.shown.origin;
  return {static_cast<float>(d.x), static_cast<float>(d.y), static_cast<float>(d.z)};
}

/// The point that is seen at a pixel, in the plane of the drag.
std::optional<Vec3d> seen_at(const WindowState& model, double x, double y) {
  const HandTool& hand = model.hand;
  const auto at = render::point_at(viewpoint_in(model, hand.width, hand.height),
                                   {static_cast<float>(x), static_cast<float>(y)},
                                   offset_of(model, *hand.grip), hand.width, hand.height);
  if (!at) return std::nullopt;
  return model.shown.origin + vector_of(*at);
}

AdditionRequest request(const WindowState& model) {
  AdditionRequest request;
  request.what = model.hand.adds;
  request.towards = vector_of(model.camera.camera().direction());
  request.like = model.picked;
  request.count = model.hand.count;
  const bool is_stream = model.hand.adds == Addition::stream;
  request.radius = is_stream ? model.hand.stream_radius
                             : model.hand.cluster_radius.value_or(usual_radius(model));
  return request;
}

/// Where something will be added: what is seen where the drag began. The camera may move.
void aim(WindowState& model) {
  HandTool& hand = model.hand;
  hand.grip = vector_of(model.camera.camera().target);
  hand.placed = seen_at(model, hand.start_x, hand.start_y);
}

/// Moves the end of the spring, which the first call attaches.
void pull(WindowState& model) {
  HandTool& hand = model.hand;
  if (hand.placed && length(*hand.point - *hand.placed) == 0) return;
  sim::LiveEdits edits{
      {"hand.x", hand.point->x}, {"hand.y", hand.point->y}, {"hand.z", hand.point->z}};
  if (!hand.placed) {
    const SessionStatus& status = model.status;
    const double wanted = frequency / time_rate(status),
                 rate = status.dt > 0 ? std::min(wanted, largest_per_step / status.dt) : wanted;
    edits.insert(edits.begin(), {"hand.body", static_cast<double>(*hand.body)});
    edits.emplace_back("hand.damping", 2 * rate);
    edits.emplace_back("hand.stiffness", rate * rate);
    model.session->begin_action();
  }
  model.session->pull(*hand.body, edits);
  hand.placed = hand.point;
}

}  // namespace

void press_hand(WindowState& model, const render::InputEvent& event,
                std::optional<std::uint32_t> body, int width, int height) {
  HandTool& hand = model.hand;
  if (!model.session || hand.drag != Drag::none || model.refuse_to_change()) return;
  hand.x = hand.start_x = event.x, hand.y = hand.start_y = event.y;
  hand.width = width, hand.height = height;
  hand.grip.reset(), hand.point.reset(), hand.placed.reset();
  if (event.modifiers.shift) {
    hand.drag = hand.adds == Addition::stream ? Drag::pour : Drag::add;
    hand.frames_to_pour = 0;
    aim(model);
    model.session->begin_action();
  } else if (body) {
    hand.drag = Drag::pull;
    hand.body = body;
    model.follow(body, false);  // its position is in the next frame
    if (model.status.mode != Mode::running) model.notify("it moves when the scene runs");
  } else {
    model.notify("no body here");
  }
}

void update_hand(WindowState& model, int width, int height) {
  HandTool& hand = model.hand;
  if (hand.drag == Drag::none || width <= 0 || height <= 0) return;
  if (!model.session) return void(hand.drag = Drag::none);
  hand.width = width, hand.height = height;
  if (hand.drag == Drag::pull && !hand.grip) {
    const auto& body = model.shown.marked.body;
    if (!body || body->id != *hand.body) return;
    hand.grip = body->position;
  }
  if (hand.drag != Drag::pull) aim(model);
  hand.point = seen_at(model, hand.x, hand.y);
  if (!hand.point) return;
  if (hand.drag == Drag::pull) pull(model);
  if (hand.drag != Drag::pour || hand.frames_to_pour-- > 0) return;
  hand.frames_to_pour = frames_between_pours;
  AdditionRequest layer = request(model);
  layer.position = *hand.point;
  model.session->add(layer);
}

void release_hand(WindowState& model) {
  HandTool& hand = model.hand;
  const Drag drag = std::exchange(hand.drag, Drag::none);
  if (!model.session || !hand.placed) return;
  if (drag == Drag::pull) model.session->let_go();
  if (drag != Drag::add) return;
  aim(model);
  const std::optional<Vec3d> end = seen_at(model, hand.x, hand.y);
  if (!end || !hand.placed) return;
  AdditionRequest thrown = request(model);
  thrown.position = *hand.placed;
  if (std::hypot(hand.x - hand.start_x, hand.y - hand.start_y) >= least_drag)
    thrown.velocity = (1 / time_rate(model.status)) * (*end - *hand.placed);
  model.session->add(thrown);
}

std::optional<render::Polyline> hand_line(const WindowState& model) {
  const HandTool& hand = model.hand;
  if (!hand.point || hand.drag == Drag::none || hand.drag == Drag::pour) return std::nullopt;
  const auto& body = model.shown.marked.body;
  const std::optional<Vec3d> from = hand.drag == Drag::add           ? hand.placed
                                    : body && body->id == *hand.body ? std::optional(body->position)
                                                                     : std::nullopt;
  if (!from) return std::nullopt;
  render::Polyline line;
  line.points = {offset_of(model, *from), offset_of(model, *hand.point)};
  line.color = {1.0f, 0.75f, 0.2f, 0.9f};
  line.in_front = true;
  line.width = 1.5f;
  return line;
}

double usual_radius(const WindowState& model) {
  return 0.1 * model.extent.radius;
}

}  // namespace mote::app
