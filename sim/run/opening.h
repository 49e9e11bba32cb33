#pragma once

#include <string>
#include <vector>

#include "sim/run/plan.h"
#include "sim/run/simulation.h"
#include "sim/state.h"

namespace mote::sim {

/// The bodies of a scene in the plan's precision, and their names. Ids count from 0. Throws
/// InputError when a number does not fit the precision.
struct Start {
  State<engine::Host> state;
  std::vector<std::string> names;
  std::shared_ptr<const SoftMesh> soft_mesh = {};  ///< by id; of scenes with soft bodies
};
Start make_start(const SceneDescription& scene, const Plan& plan);

/// What bodies from column `first` on have at their start that the scene says of all: densities of
/// fluids, radii of grains and masses by them.
void fill_extras(State<engine::Host>& state, engine::Index first, const SceneDescription& scene);

/// Throws InputError when a step of `dt` is longer than the `largest` that forces take for stable
/// at the start, and nobody fits it.
void refuse_long_step(const SceneDescription& scene, double dt, double largest);

/// Throws InputError when `id`, the first body that is not finite under its first forces, is not
/// -1: distances are squared and cubed, so that what fits a number type by itself may not fit it as
/// a force.
void refuse_not_finite(std::int64_t id, engine::Precision precision, const std::string& place,
                       const std::string& when = " at the start");

/// Copies all columns; without accelerations when not `whole`. Shapes and precisions are equal.
void copy_columns(State<engine::Host>& to, const State<engine::Host>& from, bool whole);

BodyNumbers body_numbers(const State<engine::Host>& state, engine::Index column);

/// A simulation on the CPU, stage by stage.
std::unique_ptr<Simulation> open_host_simulation(const SceneDescription& scene, const Plan& plan);

/// A simulation on the planned GPU. Throws SystemError in a build without CUDA.
std::unique_ptr<Simulation> open_device_simulation(const SceneDescription& scene, const Plan& plan);

}  // namespace mote::sim
