#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "engine/math/vec.h"
#include "engine/types.h"
#include "render/scene_view.h"
#include "sim/run/simulation.h"

namespace mote::app {

/// Trails of up to this many bodies are sampled while stepping; those of more, once per frame.
inline constexpr engine::Index max_sampled_bodies = 1024;

/// Number of positions of each body in its trail.
int trail_points(engine::Index bodies);

/// Positions of all bodies at a step, by index.
struct TrailSample {
  std::uint64_t step = 0;
  bool joined = true;  ///< to the sample before; false after a jump in time
  std::vector<engine::Vec3d> positions;
  sim::BodyIds ids = nullptr;
};

/// The frame to draw trails for.
struct TrailFrame {
  std::uint64_t step = 0;
  engine::Index count = 0;
  sim::BodyIds ids;
  engine::Vec3d origin;
  std::optional<std::uint32_t> follow;  ///< the body at the origin
};

/// Samples trails while a simulation steps, at regular steps: trails do not depend on the frame
/// rate.
class TrailSampler {
 public:
  /// Samples per trail; 0: off.
  void set_length(int length);
  bool on() const { return length_ > 0; }
  /// Sets the spacing so that a trail lasts some seconds at this speed (simulation time per
  /// second), with steps of `dt`.
  void set_spacing(double speed, double dt);
  /// Steps to the next sample.
  std::uint64_t steps_to_next(std::uint64_t step) const { return spacing_ - step % spacing_; }
  /// Call before stepping.
  void start(sim::Simulation& simulation);
  /// Call after stepping to a sample.
  void sample(sim::Simulation& simulation);
  /// Call after a seek.
  void on_seek_end(sim::Simulation& simulation);
  /// The samples since the last call.
  std::vector<TrailSample> pop();

 private:
  void add(sim::Simulation& simulation, bool joined);

  int length_ = 0;
  std::uint64_t spacing_ = 1;
  std::optional<std::uint64_t> newest_;  ///< step of the last valid sample
  bool arrived_ = false;                 ///< the state came by a seek, without a step since
  std::deque<TrailSample> samples_;
};

/// The trails shown by a window, redrawn when the origin moves or time goes back. Samples ahead of
/// the present are kept until replaced.
class Trails {
 public:
  void clear() { samples_.clear(); }
  /// Updates the trails of `view` to a frame, as offsets from its origin, with the newest samples.
  /// When bodies are added or removed, the other trails continue. `moved`: the origin has changed.
  void show(render::SceneView& view, int length, std::vector<TrailSample> newest,
            const TrailFrame& of, bool moved);

 private:
  std::deque<TrailSample> samples_;
  std::uint64_t drawn_ = 0;  ///< step of the last drawn sample
  sim::BodyIds drawn_ids_;   ///< its bodies
};

}  // namespace mote::app
