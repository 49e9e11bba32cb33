#include "sim/soft/soft.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "engine/algo/reduce.h"
#include "engine/check.h"
#include "engine/exec/parallel.h"
#include "engine/rounded_text.h"
#include "engine/text.h"
#include "sim/soft/held_bodies.h"

namespace mote::sim {
namespace {

using engine::Cpu;
using engine::Host;
using engine::Index;

/// Constraints that one task meets.
constexpr Index constraint_chunk = 512;
/// How deep in an obstacle a body may start for rounding, relative to how far from the origin it
/// is.
constexpr double start_slack = 1e-5;

}  // namespace

const engine::ParamTable<Soft>& soft_table() {
  using engine::param;
  static const engine::ParamTable<Soft> table{
      "soft",
      "Ropes, cloth and soft bodies, held together by constraints that are met in each step "
      "(XPBD), with the "
      "leapfrog integrator. Smaller steps make them stiffer sooner than more iterations do.",
      {param(&Soft::iterations, {.name = "iterations",
                                 .help = "over all constraints in each step",
                                 .minimum = 1,
                                 .maximum = 1000}),
       param(&Soft::damping,
             {.name = "damping",
              .help = "of stretching, bending and squeezing: time in which they come back "
                      "where nothing has inertia",
              .unit = "time",
              .minimum = 0}),
       param(&Soft::drag, {.name = "drag",
                           .help = "rate at which all bodies lose their velocity to air at rest",
                           .unit = "rate",
                           .minimum = 0}),
       param(&Soft::thickness, {.name = "thickness",
                                .help = "distance that obstacles keep bodies away",
                                .unit = "length",
                                .minimum = 0}),
       param(&Soft::friction, {.name = "friction",
                               .help = "with obstacles that do not say their own",
                               .minimum = 0})}};
  return table;
}

Step step_with(const Soft&, const Step& leapfrog) {
  Step step;
  for (const Stage& stage : leapfrog) {
    step.push_back(stage);
    if (stage.kind == StageKind::drift) step.push_back({StageKind::constrain, stage.fraction});
  }
  return step;
}

HeldBodies held_bodies(const SoftMesh& mesh, const State<Host>& state,
                       const std::vector<std::uint8_t>& members) {
  HeldBodies bodies;
  const auto count = static_cast<std::size_t>(state.count());
  bodies.soft = members.empty() ? std::vector<std::uint8_t>(count, 1) : members;
  const std::uint32_t* const ids = state.id();
  // Ids rise with the columns.
  const auto column_of = [&](std::uint32_t id) -> std::int64_t {
    const std::uint32_t* const found = std::lower_bound(ids, ids + count, id);
    return found != ids + count && *found == id ? found - ids : -1;
  };
  state.visit([&](const auto& s) {
    for (std::size_t i = 0; i < count; ++i)
      bodies.inverse_mass.push_back(
          s.mass[i] > 0 && bodies.soft[i] ? 1 / static_cast<double>(s.mass[i]) : 0);
  });
  std::vector<Constraint> held;
  for (Constraint c : mesh.constraints) {
    bool all = true;
    for (int k = 0; k < bodies_of(c.kind); ++k) {
      const std::int64_t column = column_of(c.body[k]);
      all = all && column >= 0;
      c.body[k] = static_cast<std::uint32_t>(column);
    }
    if (all) held.push_back(c);
  }
  for (const std::uint32_t id : mesh.pinned)
    if (const std::int64_t column = column_of(id); column >= 0) {
      bodies.pinned.push_back(static_cast<std::int32_t>(column));
      bodies.inverse_mass[static_cast<std::size_t>(column)] = 0;
    }
  std::sort(bodies.pinned.begin(), bodies.pinned.end());
  bodies.held = coloured(held, count);
  return bodies;
}

void check_start(const HeldBodies& bodies, const Obstacles& obstacles, double thickness,
                 const State<Host>& state, const std::string& place) {
  const auto refuse = [&](std::size_t i, const std::string& problem, const std::string& remedy) {
    throw engine::InputError(place, "body " + std::to_string(state.id()[i]) + " " + problem,
                             remedy);
  };
  const auto is_pinned = [&](std::size_t i) {
    return std::binary_search(bodies.pinned.begin(), bodies.pinned.end(),
                              static_cast<std::int32_t>(i));
  };
  state.visit([&](const auto& s) {
    for (const Constraint& c : bodies.held.constraints)
      for (int k = 0; k < bodies_of(c.kind); ++k)
        if (!bodies.soft[c.body[k]])
          refuse(c.body[k], "is part of something soft, and its species says otherwise",
                 "give what it belongs to a species with matter = \"soft\"");
        else if (!(s.mass[c.body[k]] > 0) && !is_pinned(c.body[k]))
          refuse(c.body[k], "has no mass: no constraint could hold it",
                 "give what it belongs to a mass");
    std::vector<Obstacle<double>> all;
    obstacles.at(0, all);
    for (std::size_t i = 0; i < static_cast<std::size_t>(s.count) && !all.empty(); ++i) {
      if (is_pinned(i) || !bodies.soft[i]) continue;
      const engine::Vec3d x{double(s.x[i]), double(s.y[i]), double(s.z[i])};
      for (std::size_t k = 0; k < all.size(); ++k) {
        const double depth = thickness - surface_at(all[k], x).distance;
        if (depth > start_slack * (engine::length(x) + thickness))
          refuse(i,
                 "starts " + engine::rounded_text(depth) + " deep in obstacles." +
                     std::to_string(obstacles.described(static_cast<int>(k)) + 1) +
                     (thickness > 0 ? ", thickness included: it would be shot out"
                                    : ": it would be shot out"),
                 "start it further away");
      }
    }
  });
}

SoftForce::SoftForce(const Cpu& exec, const Soft& soft, const SoftMesh& mesh,
                     const std::vector<ObstacleDescription>& obstacles, const State<Host>& initial,
                     const std::vector<std::uint8_t>& members)
    : soft_(soft),
      bodies_(std::make_shared<const HeldBodies>(held_bodies(mesh, initial, members))),
      obstacles_(std::make_shared<const Obstacles>(obstacles, SurfaceMaterial{soft.friction, 0},
                                                   soft.thickness, exec.threads)) {
  if (initial.precision() == engine::Precision::single)
    multipliers_ = std::vector<float>(), grips_ = std::vector<Grip<float>>();
  else
    multipliers_ = std::vector<double>(), grips_ = std::vector<Grip<double>>();
}

ModuleInfo SoftForce::info() {
  return {"xpbd",
          "soft",
          "ropes, cloth and soft bodies: constraints with compliance, colour by colour",
          Repeatability::bitwise,
          true,
          true,
          engine::sheet_of(soft_table())};
}

void SoftForce::run(const Cpu&, State<Host>& state, StepReport&) {
  state.visit([&](const auto& s) {
    for (std::size_t i = 0; i < bodies_->soft.size(); ++i)
      if (bodies_->soft[i]) keep_from_turning(s, i);
    for (const std::int32_t i : bodies_->pinned) s.ax[i] = s.ay[i] = s.az[i] = 0;
  });
}

template <class Real>
void SoftForce::meet_all(const Cpu& exec, const HeldView<Real>& view, const StateView<Real>& s,
                         bool first) const {
  for (const ColouredConstraints::Batch& batch : bodies_->held.batches) {
    const auto count = static_cast<Index>(batch.end - batch.begin);
    engine::parallel_tasks(
        exec.threads, (count + constraint_chunk - 1) / constraint_chunk, [&](Index task) {
          const std::size_t begin = batch.begin + static_cast<std::size_t>(task * constraint_chunk),
                            end = std::min(begin + constraint_chunk, batch.end);
          for (std::size_t i = begin; i < end; ++i)
            if (batch.kind == ConstraintKind::distance)
              meet_held<2>(view, s, i, first);
            else
              meet_held<4>(view, s, i, first);
        });
  }
}

void SoftForce::constrain(const Cpu& exec, State<Host>& state, double h, const StageTime& time) {
  state.visit([&]<class Real>(const StateView<Real>& s) {
    std::vector<Real>& multipliers = std::get<std::vector<Real>>(multipliers_);
    multipliers.resize(bodies_->held.constraints.size());
    std::vector<Obstacle<Real>> obstacles;
    obstacles_->at(time_of(time), obstacles);
    std::vector<Grip<Real>>& grips = std::get<std::vector<Grip<Real>>>(grips_);
    if (soft_.iterations > 1) grips.resize(obstacles.size() * static_cast<std::size_t>(s.count));
    const HeldView<Real> view{bodies_->held.constraints.data(),
                              bodies_->inverse_mass.data(),
                              multipliers.data(),
                              static_cast<Real>(soft_.damping),
                              static_cast<Real>(h),
                              grips.empty() ? nullptr : grips.data()};
    const auto each_body = [&](auto&& use) {
      engine::parallel_chunks(exec.threads, s.count, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) use(static_cast<std::size_t>(i));
      });
    };
    for (std::int64_t k = 0; k < soft_.iterations; ++k) {
      meet_all(exec, view, s, k == 0);
      if (obstacles.empty()) continue;
      each_body([&](std::size_t i) {
        push_out_body(view, s, i, obstacles.data(), static_cast<int>(obstacles.size()),
                      static_cast<Real>(soft_.thickness), k == 0);
      });
    }
    const auto kept = static_cast<Real>(std::exp(-soft_.drag * h));
    if (kept < 1) each_body([&](std::size_t i) { slow_body(view, s, i, kept); });
  });
}

double SoftForce::potential_energy(const Cpu& exec, const State<Host>& state,
                                   const StageTime& time) const {
  const std::vector<Constraint>& all = bodies_->held.constraints;
  const double* const w = bodies_->inverse_mass.data();
  const double h = time.clock->dt;
  return state.visit([&](const auto& s) {
    return engine::ordered_sum(
        exec.threads, static_cast<Index>(all.size()), 0.0, [&](Index begin, Index end) {
          double sum = 0;
          for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
            sum += all[i].kind == ConstraintKind::distance ? energy_of_held<2>(all[i], w, s, h)
                                                           : energy_of_held<4>(all[i], w, s, h);
          return sum;
        });
  });
}

void SoftForce::check_start(const Cpu&, const State<Host>& state, double,
                            const std::string& place) const {
  sim::check_start(*bodies_, *obstacles_, soft_.thickness, state, place);
}

}  // namespace mote::sim
