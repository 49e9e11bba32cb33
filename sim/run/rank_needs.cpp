#include "sim/run/rank_needs.h"

#include <algorithm>
#include <optional>

#include "sim/division.h"
#include "sim/model/model.h"
#include "sim/motion/integrators.h"
#include "sim/state.h"

namespace mote::sim {

namespace {

/// Returns the columns of other ranks' bodies that forces read. They depend neither on the bodies
/// nor on the backend, so forces of a scene without bodies tell them. Forces that are made of
/// bodies and their links cannot be divided.
std::optional<CopiesNeeded> needed_by_forces(const Model& model, const Plan& plan) {
  for (const Physics& p : model.physics)
    if (p.takes_bodies()) return {};
  const State<engine::Host> none(0, plan.precision, layout_of(model));
  return copies_needed(make_forces(plan.cpu, model, none));
}

}  // namespace

RankNeeds needs_of_ranks(const SceneDescription& scene, const Plan& plan) {
  const CopiesNeeded needed = need_of_copies(needed_by_forces(scene, plan), scene);
  const engine::Index bodies = scene.body_count();
  const Division division(bodies, ranks_of(plan), needed);
  RankNeeds needs{plan.memory, plan.device_memory};
  if (needed == CopiesNeeded::none || division.ranks() == 1) return needs;
  const bool expands = std::any_of(plan.evaluations.begin(), plan.evaluations.end(),
                                   [](const Evaluation& e) { return e.expands; });
  const bool on_gpu = plan.backend == engine::Backend::cuda,
             jerks = needed == CopiesNeeded::velocities;
  // Positions, velocities too where there are jerks, and accelerations that all find together; for
  // expansions the order along the curve, a key with its body.
  const std::uint64_t numbers = 3 + (jerks ? 3 : 0) + (expands ? 3 : 0),
                      of_order = on_gpu ? 12 : 16,
                      bytes = plan.precision == engine::Precision::single ? sizeof(float)
                                                                          : sizeof(double),
                      of_body = numbers * bytes + (expands ? of_order : 0);
  for (int rank = 0; rank < division.ranks(); ++rank)
    needs.received = std::max(
        needs.received, static_cast<std::uint64_t>(bodies - division.own(rank).count()) * of_body);
  if (expands)
    needs.also = "cells of the tree";
  else if (on_gpu && !jerks)
    needs.also = "above 8,192 bodies sums of pairs";
  return needs;
}

}  // namespace mote::sim
