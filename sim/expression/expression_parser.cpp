#include "sim/expression/expression.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

#include "engine/text.h"

namespace mote::sim {
namespace {

struct Function {
  const char* name;
  int arguments;
  Operation operation;
};

constexpr Function functions[] = {
    {"sqrt", 1, Operation::sqrt},   {"exp", 1, Operation::exp},     {"log", 1, Operation::log},
    {"sin", 1, Operation::sin},     {"cos", 1, Operation::cos},     {"tan", 1, Operation::tan},
    {"asin", 1, Operation::asin},   {"acos", 1, Operation::acos},   {"atan", 1, Operation::atan},
    {"atan2", 2, Operation::atan2}, {"sinh", 1, Operation::sinh},   {"cosh", 1, Operation::cosh},
    {"tanh", 1, Operation::tanh},   {"abs", 1, Operation::abs},     {"min", 2, Operation::min},
    {"max", 2, Operation::max},     {"floor", 1, Operation::floor}, {"sign", 1, Operation::sign},
    {"step", 1, Operation::step},   {"pow", 2, Operation::power},
};

constexpr std::array<const char*, variable_count> variables{"x",  "y",  "z", "vx",
                                                            "vy", "vz", "m", "t"};

using std::numbers::pi;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

std::vector<std::string> known_names(const Constants& constants) {
  std::vector<std::string> names(variables.begin(), variables.end());
  names.insert(names.end(), {"r", "pi"});
  for (const auto& [name, value] : constants) names.push_back(name);
  return names;
}

}  // namespace

const std::vector<std::pair<std::string, int>>& expression_functions() {
  static const auto all = [] {
    std::vector<std::pair<std::string, int>> list;
    for (const Function& f : functions) list.emplace_back(f.name, f.arguments);
    return list;
  }();
  return all;
}

bool is_expression_word(std::string_view name) {
  const auto same = [&](const char* word) { return name == word; };
  return name == "r" || name == "pi" || std::any_of(variables.begin(), variables.end(), same) ||
         std::any_of(std::begin(functions), std::end(functions),
                     [&](const Function& f) { return same(f.name); });
}

/// Recursive-descent parser; each rule returns the node of what it parsed.
class ExpressionParser {
 public:
  using Index = Expressions::Index;

  ExpressionParser(Expressions& graph, std::string_view text, const Constants& constants,
                   std::set<std::string>* used)
      : graph_(graph), text_(text), constants_(constants), used_(used) {}

  Index read() {
    if (text_.size() > Expressions::longest_text)
      fail(1, "is longer than 65,536 characters", "split it into several fields");
    if (peek() == '\0') fail(at_ + 1, "is empty", "write 0 for none");
    const Index root = comparison();
    if (peek() != '\0') unexpected("an operator");
    return root;
  }

 private:
  /// Limits the depth of recursion.
  struct Level {
    explicit Level(ExpressionParser& p) : parser(p) {
      if (++parser.depth_ > Expressions::deepest)
        parser.fail(parser.at_ + 1, "nests deeper than 64 levels", "split it into several fields");
    }
    ~Level() { --parser.depth_; }
    ExpressionParser& parser;
  };

  [[noreturn]] void fail(std::size_t character, std::string problem,
                         std::string remedy = "") const {
    throw ExpressionProblem{character, std::move(problem), std::move(remedy)};
  }

  char peek() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
    // A zero byte inside the text is not its end.
    return at_ < text_.size() ? (text_[at_] == '\0' ? '\1' : text_[at_]) : '\0';
  }

  bool accept(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  [[noreturn]] void unexpected(const std::string& wanted) {
    const char c = peek();
    if (c == '\0') fail(text_.size() + 1, "ends where " + wanted + " is expected");
    std::size_t length = 1;  // bytes of a UTF-8 character
    while (static_cast<unsigned char>(c) >= 0xC0 && at_ + length < text_.size() && length < 4 &&
           (static_cast<unsigned char>(text_[at_ + length]) & 0xC0) == 0x80)
      ++length;
    const auto code = static_cast<unsigned char>(c);
    const bool shown = code >= 0x20 && code != 0x7F && (code < 0x80 || length > 1);
    std::string remedy;
    if (std::string_view("=~!&|").find(c) != std::string_view::npos)
      remedy =
          "comparisons are <, <=, > and >=; their product is 1 where all hold, their max where one "
          "does";
    if (c == '*' && at_ > 0 && text_[at_ - 1] == '*') remedy = "a power is written with ^";
    fail(at_ + 1,
         shown ? "unexpected '" + std::string(text_.substr(at_, length)) + "' where " + wanted +
                     " is expected"
               : "an invalid byte where " + wanted + " is expected",
         remedy);
  }

  /// 1 where it holds and 0 elsewhere, made of operations that every backend has.
  Index comparison() {
    const Index left = sum();
    const char sign = peek();
    if (sign != '<' && sign != '>') return left;
    const std::size_t at = at_++;
    const bool or_equal = at_ < text_.size() && text_[at_] == '=';
    if (or_equal) ++at_;
    const Index right = sum();
    if (peek() == '<' || peek() == '>')
      fail(at_ + 1, "a second comparison", "write (a < b) * (b < c)");
    const Index excess = sign == '>' ? make(Operation::subtract, left, right, at)
                                     : make(Operation::subtract, right, left, at);
    if (or_equal) return make(Operation::step, excess, excess, at);
    const Index side = make(Operation::sign, excess, excess, at);
    return make(Operation::max, side, constant(0), at);
  }

  Index sum() {
    Index left = product();
    for (;;) {
      const std::size_t at = next_position();
      if (accept('+'))
        left = make(Operation::add, left, product(), at);
      else if (accept('-'))
        left = make(Operation::subtract, left, product(), at);
      else
        return left;
    }
  }

  Index product() {
    Index left = signed_power();
    for (;;) {
      const std::size_t at = next_position();
      if (accept('*'))
        left = make(Operation::multiply, left, signed_power(), at);
      else if (accept('/'))
        left = make(Operation::divide, left, signed_power(), at);
      else
        return left;
    }
  }

  /// A sign binds less tightly than a power: -x^2 is -(x^2). All recursion passes through here.
  Index signed_power() {
    const Level level(*this);
    const std::size_t at = next_position();
    if (accept('-')) {
      const Index of = signed_power();
      return make(Operation::negate, of, of, at);
    }
    if (accept('+')) return signed_power();
    const Index base = primary();
    const std::size_t caret = next_position();
    return accept('^') ? power(base, signed_power(), caret) : base;
  }

  Index primary() {
    const char c = peek();
    if (is_digit(c) || c == '.') return number();
    if (starts_name(c)) return name();
    if (!accept('(')) unexpected("a number, a name or (");
    const std::size_t open = at_;
    const Index inner = comparison();
    if (peek() == '\0') fail(open, "'(' is never closed");
    if (!accept(')')) unexpected("an operator or )");
    return inner;
  }

  Index number() {
    const std::size_t start = at_;
    double value = 0;
    const char* const end = text_.data() + text_.size();
    const auto [stop, error] = std::from_chars(text_.data() + at_, end, value);
    if (error == std::errc::invalid_argument) fail(start + 1, "a '.' without digits");
    at_ = static_cast<std::size_t>(stop - text_.data());
    if (error == std::errc::result_out_of_range)
      fail(start + 1, "a number beyond the range of double precision");
    return constant(value);
  }

  std::string_view word() {
    const std::size_t start = at_;
    while (at_ < text_.size() && (starts_name(text_[at_]) || is_digit(text_[at_]))) ++at_;
    return text_.substr(start, at_ - start);
  }

  Index name() {
    const std::size_t start = at_;
    const std::string_view name = word();
    if (peek() == '(') return call(name, start);
    for (int k = 0; k < variable_count; ++k)
      if (name == variables[static_cast<std::size_t>(k)])
        return variable(static_cast<Operation>(k));
    if (name == "r") return radius();
    if (name == "pi") return constant(pi);
    const auto known = constants_.find(std::string(name));
    if (known == constants_.end()) unknown(name, start);
    if (used_) used_->insert(known->first);
    return constant(known->second);
  }

  [[noreturn]] void unknown(std::string_view name, std::size_t start) {
    const std::vector<std::string> names = known_names(constants_);
    for (const Function& f : functions)
      if (name == f.name)
        fail(start + 1, "the function " + std::string(name) + " has no argument",
             "write " + std::string(name) + (f.arguments == 1 ? "(...)" : "(..., ...)"));
    const std::string shown(name.substr(0, 40));
    fail(start + 1, "unknown name '" + shown + "'", "known are " + engine::joined(names, ", "));
  }

  Index call(std::string_view name, std::size_t start) {
    const Function* f = std::find_if(std::begin(functions), std::end(functions),
                                     [&](const Function& one) { return name == one.name; });
    if (f == std::end(functions)) {
      std::vector<std::string> names;
      for (const Function& one : functions) names.emplace_back(one.name);
      fail(start + 1, "unknown function '" + std::string(name.substr(0, 40)) + "'",
           "known are " + engine::joined(names, ", "));
    }
    accept('(');
    const std::size_t open = at_;
    std::array<Index, 2> arguments{};
    int count = 0;
    do {
      if (count == f->arguments)
        fail(at_, std::string(name) + " takes " + engine::counted(f->arguments, "argument"));
      if (peek() == ')') unexpected("an argument");
      arguments[static_cast<std::size_t>(count++)] = comparison();
    } while (accept(','));
    if (peek() == '\0') fail(open, "'(' is never closed");
    if (peek() != ')') unexpected("an operator or )");
    if (count < f->arguments)
      fail(at_ + 1, std::string(name) + " takes " + engine::counted(f->arguments, "argument"));
    accept(')');
    if (f->operation == Operation::power) return power(arguments[0], arguments[1], start);
    return make(f->operation, arguments[0], arguments[f->arguments == 2 ? 1 : 0], start);
  }

  /// Expands small integer and half-integer powers: exact for squares, and fast on every backend.
  Index power(Index base, Index exponent, std::size_t at) {
    const Expressions::Node& by = graph_.nodes_[exponent];
    const double doubled = 2 * by.value;
    const bool both_known = is_constant(base) && is_constant(exponent);
    if (both_known || !is_constant(exponent) || doubled != std::floor(doubled) ||
        std::fabs(by.value) > 16)
      return make(Operation::power, base, exponent, at);
    const bool inverse = doubled < 0;
    const auto halves = static_cast<int>(std::fabs(doubled));
    Index product = constant(1);
    if (halves >= 2) product = integer_power(base, halves / 2, at);
    if (halves % 2 == 1) {
      const Index root = make(Operation::sqrt, base, base, at);
      product = halves == 1 ? root : make(Operation::multiply, product, root, at);
    }
    return inverse ? make(Operation::divide, constant(1), product, at) : product;
  }

  Index integer_power(Index base, int n, std::size_t at) {
    if (n == 1) return base;
    const Index half = integer_power(base, n / 2, at);
    const Index even = make(Operation::multiply, half, half, at);
    return n % 2 == 0 ? even : make(Operation::multiply, even, base, at);
  }

  Index radius() {
    Index squares[3];
    for (int k = 0; k < 3; ++k) {
      const Index axis = variable(static_cast<Operation>(k));
      squares[k] = make(Operation::multiply, axis, axis, at_);
    }
    const Index sum =
        make(Operation::add, make(Operation::add, squares[0], squares[1], at_), squares[2], at_);
    radius_ = make(Operation::sqrt, sum, sum, at_);
    return *radius_;
  }

  bool is_constant(Index node) const {
    return graph_.nodes_[node].operation == Operation::constant;
  }
  Index variable(Operation which) { return checked_add(which, 0, 0, 0); }
  Index constant(double value) { return checked_add(Operation::constant, 0, 0, value); }

  Index make(Operation operation, Index a, Index b, std::size_t at) {
    // r^2 without the square root.
    if (operation == Operation::multiply && a == b && radius_ == a) return graph_.nodes_[a].a;
    if (!is_constant(a) || !is_constant(b)) return checked_add(operation, a, b, 0);
    const double value = apply(operation, graph_.nodes_[a].value, graph_.nodes_[b].value);
    if (!std::isfinite(value)) fail(at + 1, "is not a finite number here");
    return constant(value);
  }

  Index checked_add(Operation operation, Index a, Index b, double value) {
    if (graph_.nodes_.size() >= Expressions::most_nodes)
      fail(at_, "has more than 4,096 operations", "split it into several fields");
    return graph_.add(operation, a, b, value);
  }

  std::size_t next_position() {
    peek();
    return at_;
  }

  Expressions& graph_;
  std::string_view text_;
  const Constants& constants_;
  std::set<std::string>* used_;
  std::optional<Index> radius_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

Expressions::Index Expressions::read(std::string_view text, const Constants& constants,
                                     std::set<std::string>* used) {
  return ExpressionParser(*this, text, constants, used).read();
}

}  // namespace mote::sim
