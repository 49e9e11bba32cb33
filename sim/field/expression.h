#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mote::sim {

/// What a node of an expression does. The first ones are what a body has, then numbers, then
/// operations.
enum class Operation : std::uint8_t {
  x,
  y,
  z,
  vx,
  vy,
  vz,
  m,
  t,
  constant,
  negate,
  add,
  subtract,
  multiply,
  divide,
  power,
  sqrt,
  exp,
  log,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  abs,
  min,
  max,
  floor,
  sign,  ///< -1, 0 or 1
  step   ///< 1 where the argument is 0 or more, 0 elsewhere
};

inline constexpr int variable_count = 8;  ///< x to t

/// The value of an operation of one or two numbers (the second is ignored by those of one).
double apply(Operation operation, double a, double b);

/// Named numbers of an expression.
using Constants = std::map<std::string, double>;

/// Whether a name is taken by a variable, a function or pi.
bool is_expression_word(std::string_view name);

/// What is wrong with an expression, and where.
struct ExpressionProblem {
  std::size_t character;  ///< of the text, counted from 1
  std::string problem;    ///< "unknown name 'q'"
  std::string remedy;     ///< may be empty
};

/// Expressions as one graph: every operation stands once, however often the texts repeat it, behind
/// those that it needs. Values that follow from numbers alone are worked out when a text is read.
///
/// The language: numbers, + - * / ^ (^ binds closest and to the right, a sign binds closer than *
/// and /), parentheses, functions of Operation and pow, the variables x y z vx vy vz (of the body),
/// r (distance from the origin), m (mass), t (time), the number pi and named numbers. A power with
/// a whole or half number between -16 and 16 is a product.
class Expressions {
 public:
  static constexpr std::size_t most_nodes = 4096;
  static constexpr int deepest = 64;
  static constexpr std::size_t longest_text = 65536;

  using Index = std::uint16_t;
  struct Node {
    Operation operation;
    Index a, b;
    double value;  ///< of a constant
  };

  /// Adds an expression and returns its node. Names out of `constants` that it uses join `used`.
  /// Throws ExpressionProblem.
  Index read(std::string_view text, const Constants& constants,
             std::set<std::string>* used = nullptr);

  const std::vector<Node>& nodes() const { return nodes_; }
  /// Whether the value of a node depends on this variable.
  bool depends(Index node, Operation variable) const;
  bool depends_on_velocity(Index node) const;

 private:
  friend class ExpressionParser;
  Index add(Operation operation, Index a, Index b, double value);

  std::vector<Node> nodes_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Index> known_;
};

/// Names of functions, with the number of their arguments.
const std::vector<std::pair<std::string, int>>& expression_functions();

}  // namespace mote::sim
