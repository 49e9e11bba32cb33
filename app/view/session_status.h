#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/run/force_error_sampling.h"
#include "sim/history/history.h"

namespace mote::app {

enum class Mode { paused, running, seeking, unhealthy };

/// Copy of the state of a session, between two steps.
struct SessionStatus {
  Mode mode = Mode::paused;
  std::uint64_t step = 0, first = 0, last = 0, branch = 0;
  double time = 0, dt = 0;
  engine::Index count = 0;    ///< bodies
  bool other_bodies = false;  ///< some were added or removed by hand
  std::uint64_t version = 0;  ///< incremented whenever the state changes
  std::optional<std::uint64_t> seek_target;
  std::vector<std::uint64_t> saved_steps;
  std::vector<std::uint64_t> edits;  ///< steps at which parameters changed
  sim::LiveSettings live;
  std::uint64_t saved_bytes = 0, budget = 0;
  double steps_per_second = 0, interactions_per_second = 0, time_per_second = 0;  ///< 0 at rest
  double target_rate = 0;        ///< simulation time per second; 0: no limit
  bool limited = false;          ///< slower than target_rate
  double simulate_fraction = 0;  ///< fraction of the thread's time spent stepping; 0 at rest
  double pack_milliseconds = 0;  ///< time that packing the last frame took
  std::string message;           ///< the last message, or ""
  std::uint64_t messages = 0;    ///< number of messages so far
  std::string halt;              ///< why stepping stopped by itself, until it resumes; or ""
  std::uint64_t hash_step = 0, hash = 0;
  std::optional<ForceErrorSample> force_errors;  ///< the last sample, while they are wanted
  std::optional<sim::BodyState> body;            ///< the followed body
  std::string body_name;
  std::uint64_t steps_done = 0;                ///< including repeated steps
  std::optional<sim::BlockSteps> block_steps;  ///< of bodies that have steps of their own
};

/// Bodies of which more is drawn than a point, at the time of a frame: what marks a body stands
/// where the frame shows it.
struct MarkedBodies {
  std::optional<sim::BodyState> body;  ///< the followed one
  std::vector<sim::BodyState> bodies;  ///< all, when few and requested
  struct Named {
    std::string name;
    std::uint32_t id;
    engine::Vec3d position;
  };
  std::vector<Named> named;  ///< the first bodies with names, when requested
};

}  // namespace mote::app
