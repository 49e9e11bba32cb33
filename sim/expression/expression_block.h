#pragma once

#include <cstdint>
#include <vector>

#include "engine/types.h"
#include "sim/expression/expression.h"

namespace mote::sim {

/// Bodies evaluated at a time: each operation is a loop over one block, which stays in the L1
/// cache.
inline constexpr engine::Index expression_block = 64;

/// Values of some nodes as a sequence of operations over blocks. Operands number blocks: variables,
/// then constants, then registers, which are reused once their value is no longer needed.
struct BlockProgram {
  struct Step {
    Operation operation;
    std::uint16_t a, b, out;
  };
  std::vector<Step> steps;
  std::vector<double> constants;
  std::uint16_t registers = 0;
  std::vector<std::uint16_t> results;  ///< operands, one for each requested node

  /// Blocks of scratch of an evaluation: constants, registers and t.
  std::size_t blocks() const { return constants.size() + registers + 1; }
};

BlockProgram block_program(const Expressions& graph,
                           const std::vector<Expressions::Index>& results);

/// Columns of a block of bodies: x y z vx vy vz m.
template <class Real>
struct BlockColumns {
  const Real* column[variable_count - 1];
};

/// Evaluates one program at one time. Every operation is rounded to `Real`, so that results do not
/// depend on the block boundaries. Uses the scratch of its thread: only one may exist a thread.
template <class Real>
class BlockEvaluation {
 public:
  BlockEvaluation(const BlockProgram& program, double t);

  /// Evaluates the first `count` <= expression_block bodies of the columns.
  void run(const BlockColumns<Real>& columns, engine::Index count);

  /// The `count` values of a result after run().
  const Real* result(std::size_t which) const { return operands_[program_.results[which]]; }

 private:
  const BlockProgram& program_;
  Real* registers_;
  std::vector<const Real*>& operands_;
};

}  // namespace mote::sim
