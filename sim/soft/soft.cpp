#include "sim/soft/soft.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "engine/algo/reduce.h"
#include "engine/check.h"
#include "engine/exec/parallel.h"
#include "engine/rounded_text.h"
#include "engine/text.h"
#include "sim/soft/constrained_bodies.h"
#include "sim/space/ball_fields.h"

namespace mote::sim {
namespace {

using engine::Cpu;
using engine::Host;
using engine::Index;

/// Constraints a task.
constexpr Index constraint_chunk = 512;
/// Depth in an obstacle that is accepted as round-off at the start, relative to the distance from
/// the origin.
constexpr double start_tolerance = 1e-5;

}  // namespace

const engine::ParamTable<Soft>& soft_table() {
  using engine::param;
  static const engine::ParamTable<Soft> table{
      "soft",
      "Ropes, cloth and soft bodies, held together by constraints (XPBD), with the leapfrog "
      "integrator. Smaller steps make them stiffer more efficiently than more iterations do.",
      {param(&Soft::iterations, {.name = "iterations",
                                 .help = "iterations over all constraints in each step",
                                 .minimum = 1,
                                 .maximum = 1000}),
       param(&Soft::damping,
             {.name = "damping",
              .help = "damping of stretching, bending and compression: their relaxation time "
                      "without inertia",
              .unit = "time",
              .minimum = 0}),
       param(&Soft::drag, {.name = "drag",
                           .help = "rate at which air at rest slows all bodies",
                           .unit = "rate",
                           .minimum = 0}),
       param(&Soft::thickness, {.name = "thickness",
                                .help = "distance that obstacles keep from bodies",
                                .unit = "length",
                                .minimum = 0}),
       param(&Soft::friction,
             {.name = "friction",
              .help = "friction coefficient with obstacles that have none of their own",
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

ConstrainedBodies constrained_bodies(const SoftMesh& mesh, const State<Host>& state,
                                     const std::vector<std::uint8_t>& members) {
  ConstrainedBodies bodies;
  const auto count = static_cast<std::size_t>(state.count());
  bodies.soft = members.empty() ? std::vector<std::uint8_t>(count, 1) : members;
  const std::uint32_t* const ids = state.id();
  // Ids ascend with the index.
  const auto index_of = [&](std::uint32_t id) -> std::int64_t {
    const std::uint32_t* const found = std::lower_bound(ids, ids + count, id);
    return found != ids + count && *found == id ? found - ids : -1;
  };
  state.visit([&](const auto& s) {
    for (std::size_t i = 0; i < count; ++i)
      bodies.inverse_mass.push_back(
          s.mass[i] > 0 && bodies.soft[i] ? 1 / static_cast<double>(s.mass[i]) : 0);
  });
  std::vector<Constraint> present;
  for (Constraint c : mesh.constraints) {
    bool all = true;
    for (int k = 0; k < bodies_of(c.kind); ++k) {
      const std::int64_t index = index_of(c.body[k]);
      all = all && index >= 0;
      c.body[k] = static_cast<std::uint32_t>(index);
    }
    if (all) present.push_back(c);
  }
  for (const std::uint32_t id : mesh.pinned)
    if (const std::int64_t index = index_of(id); index >= 0) {
      bodies.pinned.push_back(static_cast<std::int32_t>(index));
      bodies.inverse_mass[static_cast<std::size_t>(index)] = 0;
    }
  std::sort(bodies.pinned.begin(), bodies.pinned.end());
  bodies.coloured = coloured(present, count);
  return bodies;
}

void check_start(const ConstrainedBodies& bodies, const Obstacles& obstacles, double thickness,
                 const State<Host>& state, const std::string& location) {
  const auto refuse = [&](std::size_t i, const std::string& problem, const std::string& remedy) {
    throw engine::InputError(location, "body " + std::to_string(state.id()[i]) + " " + problem,
                             remedy);
  };
  const auto is_pinned = [&](std::size_t i) {
    return std::binary_search(bodies.pinned.begin(), bodies.pinned.end(),
                              static_cast<std::int32_t>(i));
  };
  state.visit([&](const auto& s) {
    for (const Constraint& c : bodies.coloured.constraints)
      for (int k = 0; k < bodies_of(c.kind); ++k)
        if (!bodies.soft[c.body[k]])
          refuse(c.body[k], "belongs to a soft body, but its species is not soft",
                 "give the rope, cloth or soft body a species with matter = \"soft\"");
        else if (!(s.mass[c.body[k]] > 0) && !is_pinned(c.body[k]))
          refuse(c.body[k], "has no mass, which constraints need",
                 "give the rope, cloth or soft body a mass");
    std::vector<Obstacle<double>> all;
    obstacles.at(0, nullptr, all);
    for (std::size_t i = 0; i < static_cast<std::size_t>(s.count) && !all.empty(); ++i) {
      if (is_pinned(i) || !bodies.soft[i]) continue;
      const engine::Vec3d x{double(s.x[i]), double(s.y[i]), double(s.z[i])};
      for (std::size_t k = 0; k < all.size(); ++k) {
        const double depth = thickness - surface_at(all[k], x).distance;
        if (depth > start_tolerance * (engine::length(x) + thickness))
          refuse(i,
                 "starts " + engine::rounded_text(depth) + " deep in obstacles." +
                     std::to_string(obstacles.described(static_cast<int>(k)) + 1) +
                     (thickness > 0 ? ", including the thickness" : ""),
                 "place it farther away");
      }
    }
  });
}

SoftForce::SoftForce(const Cpu& exec, const Soft& soft, const SoftMesh& mesh,
                     const std::vector<ObstacleDescription>& obstacles, const State<Host>& initial,
                     const std::vector<std::uint8_t>& members)
    : soft_(soft),
      bodies_(
          std::make_shared<const ConstrainedBodies>(constrained_bodies(mesh, initial, members))),
      obstacles_(std::make_shared<const Obstacles>(obstacles, std::vector<Axle>{},
                                                   SurfaceMaterial{soft.friction, 0},
                                                   soft.thickness, exec.threads)) {
  if (initial.precision() == engine::Precision::single)
    multipliers_ = std::vector<float>(), friction_ = std::vector<FrictionState<float>>();
  else
    multipliers_ = std::vector<double>(), friction_ = std::vector<FrictionState<double>>();
}

void SoftForce::run(const Cpu&, State<Host>& state, StepReport&) {
  state.visit([&](const auto& s) {
    const auto spin_rate = s[fields::spin_rate];
    for (std::size_t i = 0; i < bodies_->soft.size(); ++i)
      if (bodies_->soft[i]) clear_spin_rate(spin_rate, i);
    for (const std::int32_t i : bodies_->pinned) s.ax[i] = s.ay[i] = s.az[i] = 0;
  });
}

template <class Real>
void SoftForce::project_all(const Cpu& exec, const ConstraintView<Real>& view,
                            const StateView<Real>& s, bool first) const {
  for (const ColouredConstraints::Batch& batch : bodies_->coloured.batches) {
    const auto count = static_cast<Index>(batch.end - batch.begin);
    engine::parallel_tasks(
        exec.threads, (count + constraint_chunk - 1) / constraint_chunk, [&](Index task) {
          const std::size_t begin = batch.begin + static_cast<std::size_t>(task * constraint_chunk),
                            end = std::min(begin + constraint_chunk, batch.end);
          for (std::size_t i = begin; i < end; ++i)
            if (batch.kind == ConstraintKind::distance)
              project_constraint<2>(view, s, i, first);
            else
              project_constraint<4>(view, s, i, first);
        });
  }
}

void SoftForce::constrain(const Cpu& exec, State<Host>& state, double h, const StageTime& time) {
  state.visit([&]<class Real>(const StateView<Real>& s) {
    std::vector<Real>& multipliers = std::get<std::vector<Real>>(multipliers_);
    multipliers.resize(bodies_->coloured.constraints.size());
    std::vector<Obstacle<Real>> obstacles;
    obstacles_->at(time_of(time), nullptr, obstacles);
    std::vector<FrictionState<Real>>& friction =
        std::get<std::vector<FrictionState<Real>>>(friction_);
    if (soft_.iterations > 1) friction.resize(obstacles.size() * static_cast<std::size_t>(s.count));
    const ConstraintView<Real> view{bodies_->coloured.constraints.data(),
                                    bodies_->inverse_mass.data(),
                                    multipliers.data(),
                                    static_cast<Real>(soft_.damping),
                                    static_cast<Real>(h),
                                    friction.empty() ? nullptr : friction.data()};
    const auto each_body = [&](auto&& use) {
      engine::parallel_chunks(exec.threads, s.count, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) use(static_cast<std::size_t>(i));
      });
    };
    for (std::int64_t k = 0; k < soft_.iterations; ++k) {
      project_all(exec, view, s, k == 0);
      if (obstacles.empty()) continue;
      each_body([&](std::size_t i) {
        push_out_body(view, s, i, obstacles.data(), static_cast<int>(obstacles.size()),
                      static_cast<Real>(soft_.thickness), k == 0);
      });
    }
    const auto factor = static_cast<Real>(std::exp(-soft_.drag * h));
    if (factor < 1) each_body([&](std::size_t i) { apply_air_drag(view, s, i, factor); });
  });
}

double SoftForce::potential_energy(const Cpu& exec, const State<Host>& state,
                                   const StageTime& time) const {
  const std::vector<Constraint>& all = bodies_->coloured.constraints;
  const double* const w = bodies_->inverse_mass.data();
  const double h = time.clock->dt;
  return state.visit([&](const auto& s) {
    return engine::ordered_sum(
        exec.threads, static_cast<Index>(all.size()), 0.0, [&](Index begin, Index end) {
          double sum = 0;
          for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
            sum += all[i].kind == ConstraintKind::distance
                       ? energy_of_constraint<2>(all[i], w, s, h)
                       : energy_of_constraint<4>(all[i], w, s, h);
          return sum;
        });
  });
}

void SoftForce::check_start(const Cpu&, const State<Host>& state, double,
                            const std::string& location) const {
  sim::check_start(*bodies_, *obstacles_, soft_.thickness, state, location);
}

}  // namespace mote::sim
