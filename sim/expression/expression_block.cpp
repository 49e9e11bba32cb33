#include "sim/expression/expression_block.h"

#include <algorithm>
#include <cmath>

namespace mote::sim {
namespace {

using engine::Index;

/// `out` may be one of the operands: each element is read before it is written.
template <class Real, class Function>
void each(const Real* a, const Real* b, Real* out, Index count, Function function) {
#pragma GCC ivdep
  for (Index i = 0; i < count; ++i) out[i] = function(a[i], b[i]);
}

template <class Real>
void run_step(Operation operation, const Real* a, const Real* b, Real* out, Index n) {
  const auto with = [&](auto function) { each(a, b, out, n, function); };
  switch (operation) {
    case Operation::negate:
      return with([](Real v, Real) { return -v; });
    case Operation::add:
      return with([](Real v, Real w) { return v + w; });
    case Operation::subtract:
      return with([](Real v, Real w) { return v - w; });
    case Operation::multiply:
      return with([](Real v, Real w) { return v * w; });
    case Operation::divide:
      return with([](Real v, Real w) { return v / w; });
    case Operation::power:
      return with([](Real v, Real w) { return std::pow(v, w); });
    case Operation::sqrt:
      return with([](Real v, Real) { return std::sqrt(v); });
    case Operation::exp:
      return with([](Real v, Real) { return std::exp(v); });
    case Operation::log:
      return with([](Real v, Real) { return std::log(v); });
    case Operation::sin:
      return with([](Real v, Real) { return std::sin(v); });
    case Operation::cos:
      return with([](Real v, Real) { return std::cos(v); });
    case Operation::tan:
      return with([](Real v, Real) { return std::tan(v); });
    case Operation::asin:
      return with([](Real v, Real) { return std::asin(v); });
    case Operation::acos:
      return with([](Real v, Real) { return std::acos(v); });
    case Operation::atan:
      return with([](Real v, Real) { return std::atan(v); });
    case Operation::atan2:
      return with([](Real v, Real w) { return std::atan2(v, w); });
    case Operation::sinh:
      return with([](Real v, Real) { return std::sinh(v); });
    case Operation::cosh:
      return with([](Real v, Real) { return std::cosh(v); });
    case Operation::tanh:
      return with([](Real v, Real) { return std::tanh(v); });
    case Operation::abs:
      return with([](Real v, Real) { return std::fabs(v); });
    case Operation::min:
      return with([](Real v, Real w) { return v < w ? v : w; });
    case Operation::max:
      return with([](Real v, Real w) { return v > w ? v : w; });
    case Operation::floor:
      return with([](Real v, Real) { return std::floor(v); });
    case Operation::sign:
      return with([](Real v, Real) { return v > 0 ? Real(1) : v < 0 ? Real(-1) : Real(0); });
    case Operation::step:
      return with([](Real v, Real) { return v >= 0 ? Real(1) : Real(0); });
    default:
      return;
  }
}

/// Scratch of a thread: as large as its largest program so far.
template <class Real>
struct Scratch {
  std::vector<Real> numbers;
  std::vector<const Real*> operands;
};
template <class Real>
Scratch<Real>& scratch_of_thread() {
  thread_local Scratch<Real> scratch;
  return scratch;
}

}  // namespace

BlockProgram block_program(const Expressions& graph,
                           const std::vector<Expressions::Index>& results) {
  const auto& nodes = graph.nodes();
  // The last node that uses each node; results are always in use.
  constexpr std::size_t never = 0, always = Expressions::most_nodes;
  std::vector<std::size_t> last(nodes.size(), never);
  for (const Expressions::Index r : results) last[r] = always;
  for (std::size_t i = nodes.size(); i-- > 0;) {
    if (last[i] == never || nodes[i].operation <= Operation::constant) continue;
    last[nodes[i].a] = std::max(last[nodes[i].a], i);
    last[nodes[i].b] = std::max(last[nodes[i].b], i);
  }
  BlockProgram program;
  std::vector<std::uint16_t> operand(nodes.size(), 0);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (last[i] == never) continue;
    if (nodes[i].operation < Operation::constant)
      operand[i] = static_cast<std::uint16_t>(nodes[i].operation);
    if (nodes[i].operation != Operation::constant) continue;
    operand[i] = static_cast<std::uint16_t>(variable_count + program.constants.size());
    program.constants.push_back(nodes[i].value);
  }
  const auto first_register = static_cast<std::uint16_t>(variable_count + program.constants.size());
  std::vector<std::uint16_t> free;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Expressions::Node& node = nodes[i];
    if (last[i] == never || node.operation <= Operation::constant) continue;
    const auto release = [&](Expressions::Index of) {
      if (operand[of] >= first_register && last[of] == i) free.push_back(operand[of]);
    };
    const std::uint16_t a = operand[node.a], b = operand[node.b];
    release(node.a);
    if (node.b != node.a) release(node.b);
    if (free.empty())
      free.push_back(static_cast<std::uint16_t>(first_register + program.registers++));
    operand[i] = free.back();
    free.pop_back();
    program.steps.push_back({node.operation, a, b, operand[i]});
  }
  for (const Expressions::Index r : results) program.results.push_back(operand[r]);
  return program;
}

template <class Real>
BlockEvaluation<Real>::BlockEvaluation(const BlockProgram& program, double t)
    : program_(program), operands_(scratch_of_thread<Real>().operands) {
  auto& numbers = scratch_of_thread<Real>().numbers;
  const auto size = static_cast<std::size_t>(expression_block);
  if (numbers.size() < program.blocks() * size) numbers.resize(program.blocks() * size);
  Real* at = numbers.data();
  operands_.assign(variable_count - 1, nullptr);
  const auto fill = [&](double value) {
    std::fill(at, at + size, static_cast<Real>(value));
    operands_.push_back(at);
    at += size;
  };
  fill(t);
  for (const double c : program.constants) fill(c);
  registers_ = at;
  for (int k = 0; k < program.registers; ++k, at += size) operands_.push_back(at);
}

template <class Real>
void BlockEvaluation<Real>::run(const BlockColumns<Real>& columns, Index count) {
  std::copy(std::begin(columns.column), std::end(columns.column), operands_.begin());
  const std::size_t first_register = variable_count + program_.constants.size();
  for (const BlockProgram::Step& step : program_.steps)
    run_step(step.operation, operands_[step.a], operands_[step.b],
             registers_ + (step.out - first_register) * static_cast<std::size_t>(expression_block),
             count);
}

template class BlockEvaluation<float>;
template class BlockEvaluation<double>;

}  // namespace mote::sim
