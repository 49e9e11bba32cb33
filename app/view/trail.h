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

/// Trails of so many bodies are sampled while stepping; those of more, once a picture.
inline constexpr engine::Index most_sampled = 1024;

/// Places of each body that its trail reaches through.
int trail_places(engine::Index bodies);

/// Where all bodies were at a step, in the order of their columns.
struct TrailPoint {
  std::uint64_t step = 0;
  bool joined = true;  ///< to the one before; else a jump in time lies between
  std::vector<engine::Vec3d> places;
  sim::BodyIds ids = nullptr;
};

/// What the picture shows whose trails are wanted.
struct TrailsOf {
  std::uint64_t step = 0;
  engine::Index count = 0;
  sim::BodyIds ids;
  engine::Vec3d origin;
  std::optional<std::uint32_t> follow;  ///< the body that the origin is
};

/// Takes the points of trails while a simulation steps, at steps that stand evenly in its time: so
/// trails do not know of pictures.
class TrailSampler {
 public:
  /// How many points a trail has; 0: none are taken.
  void keep(int points);
  bool on() const { return points_ > 0; }
  /// A trail is as long as what passes in some seconds at this speed, simulation time a second,
  /// with steps of `dt`.
  void space(double speed, double dt);
  /// Steps from here to the next point.
  std::uint64_t next(std::uint64_t step) const { return spacing_ - step % spacing_; }
  /// The simulation steps on from here.
  void start(sim::Simulation& simulation);
  /// It has stepped to a point.
  void take(sim::Simulation& simulation);
  /// It has come here by a search of the past, which is over.
  void arrive(sim::Simulation& simulation);
  /// The newest points, once.
  std::vector<TrailPoint> hand_over();

 private:
  void add(sim::Simulation& simulation, bool joined);

  int points_ = 0;
  std::uint64_t spacing_ = 1;
  std::optional<std::uint64_t> newest_;  ///< step of the last point that holds
  bool arrived_ = false;                 ///< by a search, and not stepped on yet
  std::deque<TrailPoint> taken_;
};

/// The trails that a window shows, made anew when the origin of its pictures moves or time goes
/// back. Points that lie ahead are remembered until other ones take their place.
class Trails {
 public:
  void clear() { points_.clear(); }
  /// Brings the trails of `view` up to a picture, whose newest points these are: offsets from its
  /// origin. Where bodies have come or gone, those of others go on, and who has come begins there.
  /// `moved`: the origin is another one than before.
  void show(render::SceneView& view, int length, std::vector<TrailPoint> newest, const TrailsOf& of,
            bool moved);

 private:
  std::deque<TrailPoint> points_;
  std::uint64_t drawn_ = 0;  ///< step of the last point that is drawn
  sim::BodyIds drawn_ids_;   ///< and of which bodies
};

}  // namespace mote::app
