#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/check.h"

namespace mote::sim {

/// Operation of a node: variables first, then constants, then operations.
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
  step   ///< 1 if the argument is >= 0, otherwise 0
};

inline constexpr int variable_count = 8;  ///< x to t

/// Value of an operation; unary ones ignore `b`.
double apply(Operation operation, double a, double b);

/// Named constants of an expression.
using Constants = std::map<std::string, double>;

/// Whether a name is reserved: a variable, a function or pi.
bool is_expression_word(std::string_view name);

/// An error in an expression.
struct ExpressionProblem {
  std::size_t character;  ///< position in the text, from 1
  std::string problem;    ///< "unknown name 'q'"
  std::string remedy;     ///< may be empty
};

/// The problem as shown to a user, with its place in the text.
engine::Diagnostic diagnostic_of(const ExpressionProblem& wrong, const std::string& text,
                                 const std::string& location, const std::string& key);

/// Expressions as one graph in topological order. Common subexpressions are shared, and constant
/// ones are folded when a text is parsed.
///
/// The language: numbers, < <= > >= (1 where they hold, else 0; lowest precedence, not chained),
/// + - * / ^ (^ has the highest precedence and is right-associative, a sign
/// binds tighter than * and /), parentheses, the functions of Operation and pow, the variables x y
/// z vx vy vz (of the body), r (distance from the origin), m (mass), t (time), pi and named
/// constants. Integer and half-integer powers between -16 and 16 become products.
class Expressions {
 public:
  static constexpr std::size_t most_nodes = 4096;
  static constexpr int deepest = 64;
  static constexpr std::size_t longest_text = 65536;

  using Index = std::uint16_t;
  struct Node {
    Operation operation;
    Index a, b;
    double value;  ///< value of a constant
  };

  /// Parses an expression and returns its node. Adds the names of `constants` that it uses to
  /// `used`. Throws ExpressionProblem.
  Index read(std::string_view text, const Constants& constants,
             std::set<std::string>* used = nullptr);

  const std::vector<Node>& nodes() const { return nodes_; }
  /// Whether a node depends on this variable.
  bool depends(Index node, Operation variable) const;
  bool depends_on_velocity(Index node) const;

 private:
  friend class ExpressionParser;
  Index add(Operation operation, Index a, Index b, double value);

  std::vector<Node> nodes_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Index> known_;
};

/// Function names and their numbers of arguments.
const std::vector<std::pair<std::string, int>>& expression_functions();

}  // namespace mote::sim
