#include "app/view/trail.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace mote::app {
namespace {

/// Duration of a trail [s] of the clock, at the target rate.
constexpr double trail_seconds = 256.0 / 60;
/// Samples of all trails together, cheap to draw on any machine.
constexpr engine::Index max_samples = 65536;

/// By index in the frame; NaN where a body did not exist, which interrupts its trail.
std::vector<float> offsets(const TrailSample& sample, const TrailFrame& of) {
  constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();
  const auto position_of = [&](std::uint32_t id) {
    const auto index =
        sim::index_of(sample.ids, static_cast<engine::Index>(sample.positions.size()), id);
    return index ? sample.positions[static_cast<std::size_t>(*index)]
                 : engine::Vec3d{nowhere, nowhere, nowhere};
  };
  const engine::Vec3d origin = of.follow ? position_of(*of.follow) : of.origin;
  std::vector<float> floats;
  floats.reserve(3 * static_cast<std::size_t>(of.count));
  const bool same = sample.ids == of.ids;
  for (engine::Index i = 0; i < of.count; ++i) {
    const engine::Vec3d position =
        same ? sample.positions[static_cast<std::size_t>(i)] : position_of(sim::id_of(of.ids, i));
    const engine::Vec3d offset = position - origin;
    for (const double x : {offset.x, offset.y, offset.z}) floats.push_back(static_cast<float>(x));
  }
  return floats;
}

}  // namespace

int trail_points(engine::Index bodies) {
  if (bodies > max_sampled_bodies) return 256;
  return static_cast<int>(
      std::clamp<engine::Index>(max_samples / std::max<engine::Index>(bodies, 1), 256, 2048));
}

void TrailSampler::set_length(int length) {
  length_ = length;
  samples_.clear();
  newest_.reset();
}

void TrailSampler::set_spacing(double speed, double dt) {
  const double steps = speed * trail_seconds / (dt * std::max(length_, 1));
  // A power of two, so that fluctuations of a measured speed rarely change it.
  spacing_ = std::bit_floor(static_cast<std::uint64_t>(std::clamp(steps, 1.0, 1e15)));
}

void TrailSampler::start(sim::Simulation& simulation) {
  // Invalidates the samples ahead: the future may differ.
  if (on() && arrived_ && newest_ != simulation.step()) add(simulation, newest_.has_value());
  arrived_ = false;
}

void TrailSampler::sample(sim::Simulation& simulation) {
  if (on() && simulation.step() % spacing_ == 0) add(simulation, true);
}

void TrailSampler::on_seek_end(sim::Simulation& simulation) {
  arrived_ = true;
  if (!on() || (newest_ && simulation.step() <= *newest_)) return;  // sampled already
  add(simulation, newest_ && simulation.step() - *newest_ <= 2 * spacing_);
}

void TrailSampler::add(sim::Simulation& simulation, bool joined) {
  if (simulation.count() > max_sampled_bodies) {
    samples_.clear();
    newest_.reset();
    return;
  }
  TrailSample added{simulation.step(), joined, {}, simulation.ids()};
  added.positions.reserve(static_cast<std::size_t>(simulation.count()));
  simulation.state().visit([&](const auto& s) {
    for (engine::Index i = 0; i < s.count; ++i)
      added.positions.push_back(
          {static_cast<double>(s.x[i]), static_cast<double>(s.y[i]), static_cast<double>(s.z[i])});
  });
  newest_ = added.step;
  samples_.push_back(std::move(added));
  while (samples_.size() > static_cast<std::size_t>(length_)) samples_.pop_front();
}

std::vector<TrailSample> TrailSampler::pop() {
  std::vector<TrailSample> samples(std::make_move_iterator(samples_.begin()),
                                   std::make_move_iterator(samples_.end()));
  samples_.clear();
  return samples;
}

void Trails::show(render::SceneView& view, int length, std::vector<TrailSample> newest,
                  const TrailFrame& of, bool moved) {
  bool redraw = moved || of.step < drawn_ || of.ids != drawn_ids_;
  for (TrailSample& sample : newest) {
    while (!samples_.empty() && (samples_.back().step >= sample.step || !sample.joined)) {
      redraw = redraw || samples_.back().step <= drawn_;
      samples_.pop_back();
    }
    redraw = redraw || sample.step <= drawn_;
    samples_.push_back(std::move(sample));
  }
  while (samples_.size() > static_cast<std::size_t>(length)) samples_.pop_front();
  if (redraw) view.clear_trails();
  for (const TrailSample& sample : samples_) {
    if (sample.step > of.step) break;
    if (!redraw && sample.step <= drawn_) continue;
    view.add_to_trails(offsets(sample, of), length);
  }
  drawn_ = of.step;
  drawn_ids_ = of.ids;
}

}  // namespace mote::app
