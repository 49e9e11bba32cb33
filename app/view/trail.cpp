#include "app/view/trail.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace mote::app {
namespace {

/// Of the clock, at the speed that is wanted.
constexpr double trail_seconds = 256.0 / 60;
/// Points of all trails together that any machine draws easily.
constexpr engine::Index most_points = 65536;

/// In the columns of the picture. Not a number where a body was not there, which breaks its trail.
std::vector<float> offsets(const TrailPoint& point, const TrailsOf& of) {
  constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();
  const auto place_of = [&](std::uint32_t id) {
    const auto column =
        sim::column_of(point.ids, static_cast<engine::Index>(point.places.size()), id);
    return column ? point.places[static_cast<std::size_t>(*column)]
                  : engine::Vec3d{nowhere, nowhere, nowhere};
  };
  const engine::Vec3d origin = of.follow ? place_of(*of.follow) : of.origin;
  std::vector<float> floats;
  floats.reserve(3 * static_cast<std::size_t>(of.count));
  const bool same = point.ids == of.ids;
  for (engine::Index i = 0; i < of.count; ++i) {
    const engine::Vec3d place =
        same ? point.places[static_cast<std::size_t>(i)] : place_of(sim::id_of(of.ids, i));
    const engine::Vec3d offset = place - origin;
    for (const double x : {offset.x, offset.y, offset.z}) floats.push_back(static_cast<float>(x));
  }
  return floats;
}

}  // namespace

int trail_places(engine::Index bodies) {
  if (bodies > most_sampled) return 256;
  return static_cast<int>(
      std::clamp<engine::Index>(most_points / std::max<engine::Index>(bodies, 1), 256, 2048));
}

void TrailSampler::keep(int points) {
  points_ = points;
  taken_.clear();
  newest_.reset();
}

void TrailSampler::space(double speed, double dt) {
  const double steps = speed * trail_seconds / (dt * std::max(points_, 1));
  // A power of two, so that a speed that is measured does not move every point.
  spacing_ = std::bit_floor(static_cast<std::uint64_t>(std::clamp(steps, 1.0, 1e15)));
}

void TrailSampler::start(sim::Simulation& simulation) {
  // A point that ends what lay ahead: it may come otherwise.
  if (on() && arrived_ && newest_ != simulation.step()) add(simulation, newest_.has_value());
  arrived_ = false;
}

void TrailSampler::take(sim::Simulation& simulation) {
  if (on() && simulation.step() % spacing_ == 0) add(simulation, true);
}

void TrailSampler::arrive(sim::Simulation& simulation) {
  arrived_ = true;
  if (!on() || (newest_ && simulation.step() <= *newest_)) return;  // the way there is known
  add(simulation, newest_ && simulation.step() - *newest_ <= 2 * spacing_);
}

void TrailSampler::add(sim::Simulation& simulation, bool joined) {
  if (simulation.count() > most_sampled) {
    taken_.clear();
    newest_.reset();
    return;
  }
  TrailPoint point{simulation.step(), joined, {}, simulation.ids()};
  point.places.reserve(static_cast<std::size_t>(simulation.count()));
  simulation.state().visit([&](const auto& s) {
    for (engine::Index i = 0; i < s.count; ++i)
      point.places.push_back(
          {static_cast<double>(s.x[i]), static_cast<double>(s.y[i]), static_cast<double>(s.z[i])});
  });
  newest_ = point.step;
  taken_.push_back(std::move(point));
  while (taken_.size() > static_cast<std::size_t>(points_)) taken_.pop_front();
}

std::vector<TrailPoint> TrailSampler::hand_over() {
  std::vector<TrailPoint> points(std::make_move_iterator(taken_.begin()),
                                 std::make_move_iterator(taken_.end()));
  taken_.clear();
  return points;
}

void Trails::show(render::SceneView& view, int length, std::vector<TrailPoint> newest,
                  const TrailsOf& of, bool moved) {
  bool anew = moved || of.step < drawn_ || of.ids != drawn_ids_;
  for (TrailPoint& point : newest) {
    while (!points_.empty() && (points_.back().step >= point.step || !point.joined)) {
      anew = anew || points_.back().step <= drawn_;
      points_.pop_back();
    }
    anew = anew || point.step <= drawn_;
    points_.push_back(std::move(point));
  }
  while (points_.size() > static_cast<std::size_t>(length)) points_.pop_front();
  if (anew) view.clear_trails();
  for (const TrailPoint& point : points_) {
    if (point.step > of.step) break;
    if (!anew && point.step <= drawn_) continue;
    view.add_to_trails(offsets(point, of), length);
  }
  drawn_ = of.step;
  drawn_ids_ = of.ids;
}

}  // namespace mote::app
