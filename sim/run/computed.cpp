#include "sim/run/computed.h"

#include <algorithm>
#include <array>

#include "engine/check.h"
#include "engine/exec/parallel.h"
#include "engine/text.h"
#include "sim/expression/expression.h"
#include "sim/expression/expression_block.h"
#include "sim/measure/local_density.h"

namespace mote::sim {
namespace {

using engine::Index;

std::vector<double> expression_values(const ComputedFrom& from, const std::string& text) {
  Expressions graph;
  BlockProgram program;
  try {
    program = block_program(graph, {graph.read(text, {})});
  } catch (const ExpressionProblem& wrong) {
    throw engine::InputError(std::vector{diagnostic_of(wrong, text, engine::quoted(text), "")});
  }
  std::vector<double> values(static_cast<std::size_t>(from.state.count()));
  from.state.visit([&](const auto& s) {
    const std::array columns{s.x, s.y, s.z, s.vx, s.vy, s.vz, s.mass};
    engine::parallel_chunks(engine::available_threads(), s.count, [&](Index begin, Index end) {
      BlockEvaluation<double> evaluation(program, from.time);
      std::array<std::array<double, expression_block>, columns.size()> block;
      BlockColumns<double> numbers;
      for (std::size_t c = 0; c < columns.size(); ++c) numbers.column[c] = block[c].data();
      for (Index first = begin; first < end; first += expression_block) {
        const Index count = std::min(expression_block, end - first);
        for (std::size_t c = 0; c < columns.size(); ++c)
          for (Index k = 0; k < count; ++k)
            block[c][static_cast<std::size_t>(k)] = static_cast<double>(columns[c][first + k]);
        evaluation.run(numbers, count);
        std::copy_n(evaluation.result(0), count, values.begin() + first);
      }
    });
  });
  return values;
}

/// The column of a physical quantity; null if bodies have none.
template <class View>
auto column_of(const View& s, std::string_view quantity) -> decltype(s.x) {
  for (int k = 0; k < s.field_count; ++k)
    if (s.field_info[k]->quantity == quantity && s.field_info[k]->use == FieldUse::physical)
      return s.field_column[k];
  return nullptr;
}

std::vector<double> densities(const ComputedFrom& from) {
  const auto count = static_cast<std::size_t>(from.state.count());
  std::vector<double> values(count);
  bool complete = count == 0;
  from.state.visit([&](const auto& s) {
    const auto* const known = column_of(s, "density");
    if (!known) return;
    std::copy_n(known, count, values.begin());
    complete = std::all_of(values.begin(), values.end(), [](double v) { return v > 0; });
  });
  if (complete) return values;
  const std::vector<double> estimates =
      local_density({engine::available_threads()}, from.state, from.period);
  for (std::size_t i = 0; i < count; ++i)
    if (!(values[i] > 0)) values[i] = estimates[i];
  return values;
}

}  // namespace

std::vector<double> computed_values(const ComputedFrom& from, const Quantity& quantity) {
  if (!is_computed(quantity.kind)) return {};
  if (quantity.kind == Scalar::expression) return expression_values(from, quantity.expression);
  if (quantity.kind == Scalar::density) return densities(from);
  std::vector<double> values(from.potential.begin(), from.potential.end());
  values.resize(static_cast<std::size_t>(from.state.count()));
  return values;
}

}  // namespace mote::sim
