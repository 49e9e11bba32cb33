#include "sim/field/expression_fields.h"

#include <algorithm>
#include <optional>

namespace mote::sim {
namespace {

using engine::Index;

std::vector<BlockProgram> programs_of(const std::vector<const ExpressionField*>& fields) {
  std::vector<BlockProgram> programs;
  for (const ExpressionField* f : fields)
    programs.push_back(block_program(f->graph, {f->acceleration.begin(), f->acceleration.end()}));
  return programs;
}

template <class Real>
BlockColumns<std::remove_const_t<Real>> columns_at(const StateView<Real>& s, Index i) {
  return {{s.x + i, s.y + i, s.z + i, s.vx + i, s.vy + i, s.vz + i, s.mass + i}};
}

/// Calls use(first, count) for the blocks of [begin, end).
template <class Use>
void blocks(Index begin, Index end, Use&& use) {
  for (; begin < end; begin += expression_block)
    use(begin, std::min(expression_block, end - begin));
}

/// Adds the three results of an evaluation to three columns.
template <class Real>
void add_results(const BlockEvaluation<Real>& evaluation, Index count, Real* const (&to)[3]) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Real* const more = evaluation.result(axis);
    for (Index i = 0; i < count; ++i) to[axis][i] += more[i];
  }
}

}  // namespace

ExpressionFields::ExpressionFields(const std::vector<Field>& fields, int evaluations)
    : evaluations_(evaluations),
      position_programs_(programs_of(expressions_of(fields, false))),
      velocity_programs_(programs_of(expressions_of(fields, true))) {
  for (const Field& field : fields)
    if (const auto* f = std::get_if<ExpressionField>(&field); f && f->has_potential)
      potentials_.push_back(block_program(f->graph, {f->potential}));
}

template <class Real>
void ExpressionFields::add(const StateView<Real>& s, double t, Index begin, Index end) const {
  add(position_programs_, s, t, begin, end);
}

template <class Real>
void ExpressionFields::add_velocity_terms(const StateView<Real>& s, double t, Index begin,
                                          Index end) const {
  add(velocity_programs_, s, t, begin, end);
}

template <class Real>
void ExpressionFields::add(const std::vector<BlockProgram>& programs, const StateView<Real>& s,
                           double t, Index begin, Index end) {
  for (const BlockProgram& program : programs) {
    BlockEvaluation<Real> evaluation(program, t);
    blocks(begin, end, [&](Index first, Index count) {
      evaluation.run(columns_at(s, first), count);
      add_results(evaluation, count, {s.ax + first, s.ay + first, s.az + first});
    });
  }
}

template <class Real>
void ExpressionFields::kick(const StateView<Real>& s, double h, double t, Index begin,
                            Index end) const {
  // Several programs share the scratch of the thread; a single one keeps it.
  std::optional<BlockEvaluation<Real>> evaluation;
  if (velocity_programs_.size() == 1) evaluation.emplace(velocity_programs_[0], t);
  blocks(begin, end, [&](Index first, Index count) {
    Real middle[3][expression_block], rate[3][expression_block];
    Real* const v[3] = {s.vx + first, s.vy + first, s.vz + first};
    const Real* const a[3] = {s.ax + first, s.ay + first, s.az + first};
    auto columns = columns_at(s, first);
    for (int axis = 0; axis < 3; ++axis) {
      std::copy(v[axis], v[axis] + count, middle[axis]);
      columns.column[3 + axis] = middle[axis];
    }
    for (int k = 1; k <= evaluations_; ++k) {
      for (int axis = 0; axis < 3; ++axis) std::copy(a[axis], a[axis] + count, rate[axis]);
      for (const BlockProgram& program : velocity_programs_) {
        if (velocity_programs_.size() > 1) evaluation.emplace(program, t);
        evaluation->run(columns, count);
        add_results(*evaluation, count, {rate[0], rate[1], rate[2]});
      }
      const bool last = k == evaluations_;
      const auto step = static_cast<Real>(last ? h : 0.5 * h);
      for (int axis = 0; axis < 3; ++axis) {
        Real* const out = last ? v[axis] : middle[axis];
        for (Index i = 0; i < count; ++i) out[i] = sim::kick<Real>(v[axis][i], rate[axis][i], step);
      }
    }
  });
}

template <class Real>
void ExpressionFields::add_potentials(const StateView<const Real>& s, double t, Index begin,
                                      Index end, double* phi) const {
  for (const BlockProgram& program : potentials_) {
    BlockEvaluation<double> evaluation(program, t);
    blocks(begin, end, [&](Index first, Index count) {
      double copy[variable_count - 1][expression_block];
      BlockColumns<double> columns{};
      const auto from = columns_at(s, first);
      for (int k = 0; k < variable_count - 1; ++k) {
        std::copy(from.column[k], from.column[k] + count, copy[k]);
        columns.column[k] = copy[k];
      }
      evaluation.run(columns, count);
      for (Index i = 0; i < count; ++i) phi[first - begin + i] += evaluation.result(0)[i];
    });
  }
}

template void ExpressionFields::add(const StateView<float>&, double, Index, Index) const;
template void ExpressionFields::add(const StateView<double>&, double, Index, Index) const;
template void ExpressionFields::add_velocity_terms(const StateView<float>&, double, Index,
                                                   Index) const;
template void ExpressionFields::add_velocity_terms(const StateView<double>&, double, Index,
                                                   Index) const;
template void ExpressionFields::kick(const StateView<float>&, double, double, Index, Index) const;
template void ExpressionFields::kick(const StateView<double>&, double, double, Index, Index) const;
template void ExpressionFields::add_potentials<float>(const StateView<const float>&, double, Index,
                                                      Index, double*) const;
template void ExpressionFields::add_potentials<double>(const StateView<const double>&, double,
                                                       Index, Index, double*) const;

}  // namespace mote::sim
