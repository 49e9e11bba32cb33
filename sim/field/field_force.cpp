#include "sim/field/field_force.h"

#include <algorithm>

#include "engine/algo/reduce.h"
#include "engine/exec/parallel.h"

namespace mote::sim {
namespace {

using engine::Cpu;
using engine::Host;
using engine::Index;

std::vector<BlockProgram> programs_of(const std::vector<const ExpressionField*>& fields) {
  std::vector<BlockProgram> programs;
  for (const ExpressionField* f : fields)
    programs.push_back(block_program(f->graph, {f->acceleration.begin(), f->acceleration.end()}));
  return programs;
}

/// Calls use(begin, count) for all blocks of [begin, end).
template <class Use>
void blocks(Index begin, Index end, Use&& use) {
  for (; begin < end; begin += expression_block) use(begin, std::min(expression_block, end - begin));
}

template <class Real>
BlockColumns<Real> columns_at(const StateView<Real>& s, Index i) {
  return {{s.x + i, s.y + i, s.z + i, s.vx + i, s.vy + i, s.vz + i, s.mass + i}};
}

/// Adds m times the potential of one expression to the sum, in double whatever the state is.
template <class Real>
double energy_of(const BlockProgram& program, const StateView<const Real>& s, double t, Index begin,
                 Index end) {
  BlockEvaluation<double> evaluation(program, t);
  double sum = 0;
  blocks(begin, end, [&](Index first, Index count) {
    double copy[variable_count - 1][expression_block];
    BlockColumns<double> columns{};
    const auto from = columns_at(s, first);
    for (int k = 0; k < variable_count - 1; ++k) {
      std::copy(from.column[k], from.column[k] + count, copy[k]);
      columns.column[k] = copy[k];
    }
    evaluation.run(columns, count);
    for (Index i = 0; i < count; ++i) sum += copy[6][i] * evaluation.result(0)[i];
  });
  return sum;
}

}  // namespace

const ModuleInfo& FieldForce::info() {
  static const ModuleInfo info{"fields",
                               "fields",
                               "external fields, built in or given by formulas",
                               Repeatability::bitwise,
                               true,
                               true,
                               {"fields", "", {}}};
  return info;
}

FieldForce::FieldForce(const std::vector<Field>& fields, double gravitational, int order)
    : fields_(fields),
      gravitational_(gravitational),
      evaluations_(evaluations_of_kick(order)),
      flows_(has_velocity_flow(fields)),
      still_(programs_of(expressions_of(fields, false))),
      moving_(programs_of(expressions_of(fields, true))) {
  for (const Field& field : fields_)
    if (const auto* f = std::get_if<ExpressionField>(&field); f && f->has_potential)
      potentials_.push_back(block_program(f->graph, {f->potential}));
}

void FieldForce::run(const Cpu& exec, State<Host>& state, const StageTime& time, StepReport&) {
  const double t = time_of(time);
  state.visit([&]<class Real>(StateView<Real> s) {
    const auto formulas = place_formulas<Real>(fields_, gravitational_);
    engine::parallel_chunks(exec.threads, s.count, [&](Index begin, Index end) {
      for (const auto& any : formulas)
        std::visit(
            [&](const auto formula) {
              for (Index i = begin; i < end; ++i) {
                const Vec3<Real> a = formula.acceleration({s.x[i], s.y[i], s.z[i]});
                s.ax[i] += a.x;
                s.ay[i] += a.y;
                s.az[i] += a.z;
              }
            },
            any);
      for (const BlockProgram& program : still_) {
        BlockEvaluation<Real> evaluation(program, t);
        blocks(begin, end, [&](Index first, Index count) {
          const StateView<Real>& own = s;
          evaluation.run(columns_at(own, first), count);
          Real* const a[3] = {s.ax + first, s.ay + first, s.az + first};
          for (std::size_t axis = 0; axis < 3; ++axis) {
            const Real* const more = evaluation.result(axis);
            for (Index i = 0; i < count; ++i) a[axis][i] += more[i];
          }
        });
      }
    });
  });
}

/// The implicit midpoint rule: v' = v + h F(u), u = v + h/2 F(u), with F = a + fields(u).
template <class Real>
void FieldForce::kick_block(const StateView<Real>& s, double h, double t, Index begin, Index count) {
  Real middle[3][expression_block], rate[3][expression_block];
  Real* const v[3] = {s.vx + begin, s.vy + begin, s.vz + begin};
  const Real* const a[3] = {s.ax + begin, s.ay + begin, s.az + begin};
  for (int axis = 0; axis < 3; ++axis) std::copy(v[axis], v[axis] + count, middle[axis]);
  auto columns = columns_at(s, begin);
  for (int axis = 0; axis < 3; ++axis) columns.column[3 + axis] = middle[axis];
  for (int k = 1; k <= evaluations_; ++k) {
    for (int axis = 0; axis < 3; ++axis) std::copy(a[axis], a[axis] + count, rate[axis]);
    for (const BlockProgram& program : moving_) {
      BlockEvaluation<Real> evaluation(program, t);
      evaluation.run(columns, count);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const Real* const more = evaluation.result(axis);
        for (Index i = 0; i < count; ++i) rate[axis][i] += more[i];
      }
    }
    const bool last = k == evaluations_;
    const Real step = static_cast<Real>(last ? h : 0.5 * h);
    for (int axis = 0; axis < 3; ++axis) {
      Real* const out = last ? v[axis] : middle[axis];
      for (Index i = 0; i < count; ++i) out[i] = sim::kick<Real>(v[axis][i], rate[axis][i], step);
    }
  }
}

void FieldForce::kick(const Cpu& exec, State<Host>& state, double h, const StageTime& time) {
  const double t = time_of(time);
  state.visit([&]<class Real>(StateView<Real> s) {
    const VelocityFlow<Real> flow = velocity_flow<Real>(fields_, 0.5 * h);
    const auto flow_over = [&](Index begin, Index end) {
      if (!flows_) return;
      for (Index i = begin; i < end; ++i) {
        const Vec3<Real> v = flow({s.vx[i], s.vy[i], s.vz[i]});
        s.vx[i] = v.x;
        s.vy[i] = v.y;
        s.vz[i] = v.z;
      }
    };
    engine::parallel_chunks(exec.threads, s.count, [&](Index begin, Index end) {
      flow_over(begin, end);
      if (moving_.empty()) {
        const auto step = static_cast<Real>(h);
        for (Index i = begin; i < end; ++i) {
          s.vx[i] = sim::kick<Real>(s.vx[i], s.ax[i], step);
          s.vy[i] = sim::kick<Real>(s.vy[i], s.ay[i], step);
          s.vz[i] = sim::kick<Real>(s.vz[i], s.az[i], step);
        }
      } else {
        blocks(begin, end, [&](Index first, Index count) { kick_block(s, h, t, first, count); });
      }
      flow_over(begin, end);
    });
  });
}

double FieldForce::potential_energy(const Cpu& exec, const State<Host>& state, const StageTime& time) {
  const double t = time_of(time);
  const auto formulas = place_formulas<double>(fields_, gravitational_);
  return state.visit([&]<class Const>(StateView<Const> s) {
    return engine::ordered_sum(exec.threads, s.count, 0.0, [&](Index begin, Index end) {
      double sum = 0;
      for (const auto& any : formulas)
        std::visit(
            [&](const auto formula) {
              for (Index i = begin; i < end; ++i)
                sum += static_cast<double>(s.mass[i]) *
                       formula.potential({static_cast<double>(s.x[i]), static_cast<double>(s.y[i]),
                                          static_cast<double>(s.z[i])});
            },
            any);
      for (const BlockProgram& program : potentials_)
        sum += energy_of<std::remove_const_t<Const>>(program, s, t, begin, end);
      return sum;
    });
  });
}

}  // namespace mote::sim
