#include "sim/expression/expression.h"

#include <bit>
#include <cmath>

namespace mote::sim {

double apply(Operation operation, double a, double b) {
  switch (operation) {
    case Operation::negate:
      return -a;
    case Operation::add:
      return a + b;
    case Operation::subtract:
      return a - b;
    case Operation::multiply:
      return a * b;
    case Operation::divide:
      return a / b;
    case Operation::power:
      return std::pow(a, b);
    case Operation::sqrt:
      return std::sqrt(a);
    case Operation::exp:
      return std::exp(a);
    case Operation::log:
      return std::log(a);
    case Operation::sin:
      return std::sin(a);
    case Operation::cos:
      return std::cos(a);
    case Operation::tan:
      return std::tan(a);
    case Operation::asin:
      return std::asin(a);
    case Operation::acos:
      return std::acos(a);
    case Operation::atan:
      return std::atan(a);
    case Operation::atan2:
      return std::atan2(a, b);
    case Operation::sinh:
      return std::sinh(a);
    case Operation::cosh:
      return std::cosh(a);
    case Operation::tanh:
      return std::tanh(a);
    case Operation::abs:
      return std::fabs(a);
    case Operation::min:
      return a < b ? a : b;
    case Operation::max:
      return a > b ? a : b;
    case Operation::floor:
      return std::floor(a);
    case Operation::sign:
      return a > 0 ? 1 : a < 0 ? -1 : 0;
    case Operation::step:
      return a >= 0 ? 1 : 0;
    default:
      return a;
  }
}

Expressions::Index Expressions::add(Operation operation, Index a, Index b, double value) {
  const std::uint64_t what =
      static_cast<std::uint64_t>(operation) << 32 | static_cast<std::uint64_t>(a) << 16 | b;
  const auto [at, is_new] = known_.try_emplace({what, std::bit_cast<std::uint64_t>(value)},
                                               static_cast<Index>(nodes_.size()));
  if (is_new) nodes_.push_back({operation, a, b, value});
  return at->second;
}

bool Expressions::depends(Index node, Operation variable) const {
  std::vector<char> needed(nodes_.size(), 0);
  needed[node] = 1;
  for (std::size_t i = node + std::size_t{1}; i-- > 0;) {
    if (!needed[i]) continue;
    const Node& n = nodes_[i];
    if (n.operation == variable) return true;
    if (n.operation > Operation::constant) needed[n.a] = needed[n.b] = 1;
  }
  return false;
}

bool Expressions::depends_on_velocity(Index node) const {
  return depends(node, Operation::vx) || depends(node, Operation::vy) ||
         depends(node, Operation::vz);
}

}  // namespace mote::sim
