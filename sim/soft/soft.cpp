#include "sim/soft/soft.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "engine/algo/reduce.h"
#include "engine/check.h"
#include "engine/exec/parallel.h"
#include "engine/text.h"
#include "sim/soft/constraint_formula.h"

namespace mote::sim {
namespace {

using engine::Cpu;
using engine::Host;
using engine::Index;

/// Constraints that one task meets.
constexpr Index constraint_chunk = 512;
/// How deep in an obstacle a body may start for rounding, relative to how far from the origin it is.
constexpr double start_slack = 1e-5;

template <class Real>
Vec3<Real> vector_at(const Real* x, const Real* y, const Real* z, std::size_t i) {
  return {x[i], y[i], z[i]};
}

/// C of a constraint, for N bodies at x.
template <class T>
ConstraintValue<T, 2> value_of(ConstraintKind, const Vec3<T> (&x)[2], T rest) {
  return distance_constraint(x, rest);
}
template <class T>
ConstraintValue<T, 4> value_of(ConstraintKind kind, const Vec3<T> (&x)[4], T rest) {
  return kind == ConstraintKind::bending ? bending_constraint(x, rest) : volume_constraint(x, rest);
}

/// Meets one constraint of N bodies.
template <int N, class Real>
void meet_one(const Constraint& c, const StateView<Real>& s, const std::vector<double>& inverse_mass,
              ConstraintStep<Real> step, Real& multiplier) {
  Vec3<Real> x[N], v[N];
  Real w[N];
  for (int k = 0; k < N; ++k) {
    const std::size_t i = c.body[k];
    x[k] = vector_at(s.x, s.y, s.z, i), v[k] = vector_at(s.vx, s.vy, s.vz, i);
    w[k] = static_cast<Real>(inverse_mass[i]);
  }
  step.compliance = static_cast<Real>(c.compliance) / (step.h * step.h);
  meet(value_of(c.kind, x, static_cast<Real>(c.rest)), step, w, multiplier, x, v);
  for (int k = 0; k < N; ++k) {
    const std::size_t i = c.body[k];
    s.x[i] = x[k].x, s.y[i] = x[k].y, s.z[i] = x[k].z;
    s.vx[i] = v[k].x, s.vy[i] = v[k].y, s.vz[i] = v[k].z;
  }
}

template <int N, class Real>
double energy_of(const Constraint& c, const StateView<Real>& s) {
  if (!(c.compliance > 0)) return 0;
  Vec3<double> x[N];
  for (int k = 0; k < N; ++k) x[k] = {double(s.x[c.body[k]]), double(s.y[c.body[k]]), double(s.z[c.body[k]])};
  const double value = value_of(c.kind, x, c.rest).value;
  return value * value / (2 * c.compliance);
}

}  // namespace

const engine::ParamTable<Soft>& soft_table() {
  using engine::param;
  static const engine::ParamTable<Soft> table{
      "soft",
      "Ropes, cloth and soft bodies, held together by constraints that are met in each step (XPBD), with the "
      "leapfrog integrator. Smaller steps make them stiffer sooner than more iterations do.",
      {param(&Soft::iterations, {.name = "iterations",
                                 .help = "over all constraints in each step",
                                 .minimum = 1,
                                 .maximum = 1000}),
       param(&Soft::damping, {.name = "damping",
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
       param(&Soft::friction,
             {.name = "friction", .help = "with obstacles that do not say their own", .minimum = 0})}};
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

HeldBodies held_bodies(const SoftMesh& mesh, const State<Host>& state) {
  HeldBodies bodies;
  const auto count = static_cast<std::size_t>(state.count());
  const std::uint32_t* const ids = state.id();
  // Ids rise with the columns.
  const auto column_of = [&](std::uint32_t id) -> std::int64_t {
    const std::uint32_t* const found = std::lower_bound(ids, ids + count, id);
    return found != ids + count && *found == id ? found - ids : -1;
  };
  state.visit([&](const auto& s) {
    for (std::size_t i = 0; i < count; ++i)
      bodies.inverse_mass.push_back(s.mass[i] > 0 ? 1 / static_cast<double>(s.mass[i]) : 0);
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
    throw engine::InputError(place, "body " + std::to_string(state.id()[i]) + " " + problem, remedy);
  };
  const auto is_pinned = [&](std::size_t i) {
    return std::binary_search(bodies.pinned.begin(), bodies.pinned.end(), static_cast<std::int32_t>(i));
  };
  state.visit([&](const auto& s) {
    for (const Constraint& c : bodies.held.constraints)
      for (int k = 0; k < bodies_of(c.kind); ++k)
        if (!(s.mass[c.body[k]] > 0) && !is_pinned(c.body[k]))
          refuse(c.body[k], "has no mass: no constraint could hold it", "give what it belongs to a mass");
    std::vector<Obstacle<double>> all;
    obstacles.at(0, all);
    for (std::size_t i = 0; i < static_cast<std::size_t>(s.count) && !all.empty(); ++i) {
      if (is_pinned(i)) continue;
      const engine::Vec3d x{double(s.x[i]), double(s.y[i]), double(s.z[i])};
      for (std::size_t k = 0; k < all.size(); ++k) {
        const double depth = thickness - surface_at(all[k], x).distance;
        if (depth > start_slack * (engine::length(x) + thickness))
          refuse(i,
                 "starts " + engine::number_text(depth) + " deep in obstacles." +
                     std::to_string(obstacles.described(static_cast<int>(k)) + 1) +
                     (thickness > 0 ? ", thickness included: it would be shot out"
                                    : ": it would be shot out"),
                 "start it further away");
      }
    }
  });
}

SoftForce::SoftForce(const Cpu& exec, const Soft& soft, const SoftMesh& mesh,
                     const std::vector<ObstacleDescription>& obstacles, const State<Host>& initial)
    : soft_(soft),
      bodies_(std::make_shared<const HeldBodies>(held_bodies(mesh, initial))),
      obstacles_(std::make_shared<const Obstacles>(obstacles, SurfaceMaterial{soft.friction, 0},
                                                   soft.thickness, exec.threads)) {}

ModuleInfo SoftForce::info() {
  return {"xpbd",
          "soft",
          "ropes, cloth and soft bodies: constraints with compliance, colour by colour",
          Repeatability::bitwise,
          true,
          false,
          engine::sheet_of(soft_table())};
}

void SoftForce::run(const Cpu&, State<Host>& state, StepReport&) {
  state.visit([&](const auto& s) {
    for (const std::int32_t i : bodies_->pinned) s.ax[i] = s.ay[i] = s.az[i] = 0;
  });
}

template <class Real>
void SoftForce::meet_all(const Cpu& exec, const StateView<Real>& s, Real h,
                         std::vector<Real>& multipliers) const {
  const ColouredConstraints& held = bodies_->held;
  const ConstraintStep<Real> step{0, static_cast<Real>(soft_.damping) / h, h};
  for (const ColouredConstraints::Batch& batch : held.batches) {
    const auto count = static_cast<Index>(batch.end - batch.begin);
    engine::parallel_tasks(exec.threads, (count + constraint_chunk - 1) / constraint_chunk, [&](Index task) {
      const std::size_t begin = batch.begin + static_cast<std::size_t>(task * constraint_chunk),
                        end = std::min(begin + constraint_chunk, batch.end);
      for (std::size_t i = begin; i < end; ++i) {
        const Constraint& c = held.constraints[i];
        if (batch.kind == ConstraintKind::distance)
          meet_one<2>(c, s, bodies_->inverse_mass, step, multipliers[i]);
        else
          meet_one<4>(c, s, bodies_->inverse_mass, step, multipliers[i]);
      }
    });
  }
}

template <class Real>
void SoftForce::push_out_all(const Cpu& exec, const StateView<Real>& s, Real h,
                             const std::vector<Obstacle<Real>>& obstacles) const {
  const auto thickness = static_cast<Real>(soft_.thickness);
  engine::parallel_chunks(exec.threads, s.count, [&](Index begin, Index end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      if (!(bodies_->inverse_mass[i] > 0)) continue;
      Vec3<Real> x = vector_at(s.x, s.y, s.z, i), v = vector_at(s.vx, s.vy, s.vz, i);
      bool touched = false;
      for (const Obstacle<Real>& o : obstacles) touched = push_out(o, thickness, h, x, v) || touched;
      if (!touched) continue;
      s.x[i] = x.x, s.y[i] = x.y, s.z[i] = x.z;
      s.vx[i] = v.x, s.vy[i] = v.y, s.vz[i] = v.z;
    }
  });
}

template <class Real>
void SoftForce::slow_down(const Cpu& exec, const StateView<Real>& s, double h) const {
  const auto kept = static_cast<Real>(std::exp(-soft_.drag * h));
  engine::parallel_chunks(exec.threads, s.count, [&](Index begin, Index end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
      if (bodies_->inverse_mass[i] > 0) s.vx[i] *= kept, s.vy[i] *= kept, s.vz[i] *= kept;
  });
}

void SoftForce::constrain(const Cpu& exec, State<Host>& state, double h, const StageTime& time) {
  state.visit([&]<class Real>(const StateView<Real>& s) {
    std::vector<Real>* multipliers;
    if constexpr (std::is_same_v<Real, float>)
      multipliers = &multipliers_f_;
    else
      multipliers = &multipliers_d_;
    multipliers->assign(bodies_->held.constraints.size(), 0);
    std::vector<Obstacle<Real>> obstacles;
    obstacles_->at(time_of(time), obstacles);
    for (std::int64_t k = 0; k < soft_.iterations; ++k) {
      meet_all(exec, s, static_cast<Real>(h), *multipliers);
      if (!obstacles.empty()) push_out_all(exec, s, static_cast<Real>(h), obstacles);
    }
    if (soft_.drag > 0) slow_down(exec, s, h);
  });
}

double SoftForce::potential_energy(const Cpu& exec, const State<Host>& state) const {
  const std::vector<Constraint>& all = bodies_->held.constraints;
  return state.visit([&](const auto& s) {
    return engine::ordered_sum(
        exec.threads, static_cast<Index>(all.size()), 0.0, [&](Index begin, Index end) {
          double sum = 0;
          for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
            sum += all[i].kind == ConstraintKind::distance ? energy_of<2>(all[i], s) : energy_of<4>(all[i], s);
          return sum;
        });
  });
}

void SoftForce::check_start(const Cpu&, const State<Host>& state, double, const std::string& place) const {
  sim::check_start(*bodies_, *obstacles_, soft_.thickness, state, place);
}

}  // namespace mote::sim
