#pragma once

#include <cstdint>
#include <vector>

#include "engine/types.h"
#include "sim/field/expression.h"

namespace mote::sim {

/// Bodies that an expression is evaluated for at a time: each operation is a loop over so many
/// numbers, which stay in the nearest cache.
inline constexpr engine::Index expression_block = 64;

/// Values of some nodes as a list of operations over blocks. An operand is a number of a block:
/// variables first, then constants, then places for results, which are used again when nobody needs
/// what is in them any more.
struct BlockProgram {
  struct Step {
    Operation operation;
    std::uint16_t a, b, out;
  };
  std::vector<Step> steps;
  std::vector<double> constants;
  std::uint16_t places = 0;
  std::vector<std::uint16_t> results;  ///< operands, one for each node that was asked for

  std::size_t blocks() const {
    return constants.size() + places + 1;
  }  ///< that an evaluation holds: t too
};

BlockProgram block_program(const Expressions& graph,
                           const std::vector<Expressions::Index>& results);

/// Columns of a block of bodies: x y z vx vy vz m.
template <class Real>
struct BlockColumns {
  const Real* column[variable_count - 1];
};

/// Evaluates one program at one time. Numbers of the bodies go in and come out as `Real`, and every
/// operation is rounded to it: the bits do not depend on where blocks begin. Holds `blocks()`
/// blocks of scratch of its thread; of one thread only one lives at a time.
template <class Real>
class BlockEvaluation {
 public:
  BlockEvaluation(const BlockProgram& program, double t);

  /// For the first `count` <= expression_block bodies of the columns.
  void run(const BlockColumns<Real>& columns, engine::Index count);

  /// `count` values of a result, after run.
  const Real* result(std::size_t which) const { return operands_[program_.results[which]]; }

 private:
  const BlockProgram& program_;
  Real* places_;
  std::vector<const Real*>& operands_;
};

}  // namespace mote::sim
