#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/run/history.h"

namespace mote::app {

enum class Mode { paused, running, seeking, unhealthy };

/// What a session tells about itself: a copy, as things stood between two steps.
struct SessionStatus {
  Mode mode = Mode::paused;
  std::uint64_t step = 0, first = 0, last = 0, branch = 0;
  double time = 0, dt = 0;
  engine::Index count = 0;    ///< bodies
  std::uint64_t version = 0;  ///< goes up whenever the state has changed
  std::optional<std::uint64_t> going_to;
  std::vector<std::uint64_t> kept;
  std::vector<std::uint64_t> edits;  ///< the steps of changes of parameters
  sim::LiveSettings live;
  std::uint64_t kept_bytes = 0, budget = 0;
  double steps_per_second = 0, interactions_per_second = 0, time_per_second = 0;
  double wanted_rate = 0;  ///< simulation time a second; 0: as fast as it goes
  bool limited = false;    ///< slower than wanted
  double simulate_part = 0, pack_milliseconds = 0;  ///< of the thread's time; of the last frame
  std::string message;                              ///< the last trouble, or ""
  std::uint64_t messages = 0;                       ///< how many there were
  std::string halt;  ///< why stepping has stopped by itself, until it goes on; or ""
  std::uint64_t hash_step = 0, hash = 0;
  std::optional<sim::BodyNumbers> body;  ///< that is followed
  std::string body_name;
  std::vector<sim::BodyNumbers> bodies;  ///< all, when they are few and were asked for
  struct Named {
    std::string name;
    engine::Vec3d position;
  };
  std::vector<Named> named;      ///< bodies with names, the first when they are many, with `bodies`
  std::uint64_t steps_done = 0;  ///< with all that were taken again
};

}  // namespace mote::app
