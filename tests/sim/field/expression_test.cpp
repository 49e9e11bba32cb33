#include "sim/expression/expression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sim/expression/expression_block.h"

namespace mote::sim {
namespace {

// Volatile, so that the compiler does not fold functions with other round-off than the library's.
const volatile double x = 0.7, y = -1.3, z = 2.1, vx = 0.4, vy = -0.6, vz = 1.9, m = 3.5, t = 0.25;
const Constants constants{{"k", 2.5}, {"omega", -0.5}};

/// Value of an expression at the variables above.
double value_of(const std::string& text) {
  Expressions graph;
  const auto node = graph.read(text, constants);
  const BlockProgram program = block_program(graph, {node});
  BlockEvaluation<double> evaluation(program, t);
  const double columns[] = {x, y, z, vx, vy, vz, m};
  BlockColumns<double> block{};
  for (int k = 0; k < 7; ++k) block.column[k] = &columns[k];
  evaluation.run(block, 1);
  return *evaluation.result(0);
}

/// The error of a text, as "4: unknown name 'q'"; "" if it is valid.
std::string wrong_with(const std::string& text) {
  Expressions graph;
  try {
    graph.read(text, constants);
  } catch (const ExpressionProblem& e) {
    return std::to_string(e.character) + ": " + e.problem;
  }
  return "";
}

TEST(Expressions, AreWhatTheyAreInMathematics) {
  const double r = std::sqrt(x * x + y * y + z * z);
  // Bit for bit: the same operations in the same order.
  EXPECT_EQ(value_of("1 + 2 * 3 - 4 / 8"), 6.5);
  EXPECT_EQ(value_of("2 - 3 - 4"), -5);
  EXPECT_EQ(value_of("64 / 4 / 2"), 8);
  EXPECT_EQ(value_of("-x^2"), -(x * x));
  EXPECT_EQ(value_of("(-x)^2"), x * x);
  EXPECT_EQ(value_of("2^3^2"), 512);
  EXPECT_EQ(value_of("2^-1"), 0.5);
  EXPECT_EQ(value_of("- - x"), x);
  EXPECT_EQ(value_of("2*-y"), 2 * -y);
  EXPECT_EQ(value_of("x*y+z/m-t"), x * y + z / m - t);
  EXPECT_EQ(value_of("vx-vy*vz"), vx - vy * vz);
  EXPECT_EQ(value_of("r"), r);
  EXPECT_EQ(value_of("r^2"), x * x + y * y + z * z);
  EXPECT_EQ(value_of("r^3"), (x * x + y * y + z * z) * r);
  EXPECT_EQ(value_of("k*x + omega*y"), 2.5 * x + -0.5 * y);
  EXPECT_EQ(value_of("pi"), 3.14159265358979323846);
  EXPECT_EQ(value_of(" 1.5e-3*x "), 1.5e-3 * x);
  EXPECT_EQ(value_of(".5*x"), 0.5 * x);
  EXPECT_EQ(value_of("k"), 2.5);
  EXPECT_EQ(value_of("t"), t);
}

TEST(Expressions, CompareNumbers) {
  for (const auto& [text, holds] : {std::pair("x > 0", 1),
                                    {"x < 0", 0},
                                    {"y >= x", 0},
                                    {"x <= 0.7", 1},
                                    {"x < 0.7", 0},
                                    {"x >= x", 1},
                                    {"x > x", 0},
                                    {"1 + 1 > 3 * x - 1", 1},
                                    {"(x > 0) * (y > 0)", 0},
                                    {"max(x > 0, y > 0)", 1},
                                    {"2 * (z > 2)", 2}})
    EXPECT_EQ(value_of(text), holds) << text;
  EXPECT_EQ(wrong_with("0 < x < 1"), "7: a second comparison");
  EXPECT_EQ(wrong_with("x > "), "5: ends where a number, a name or ( is expected");
  EXPECT_EQ(wrong_with("x == 1"), "3: unexpected '=' where an operator is expected");
}

TEST(Expressions, KnowTheirFunctions) {
  EXPECT_EQ(value_of("sqrt(z)"), std::sqrt(z));
  EXPECT_EQ(value_of("exp(x)"), std::exp(x));
  EXPECT_EQ(value_of("log(z)"), std::log(z));
  EXPECT_EQ(value_of("sin(x)+cos(y)-tan(z)"), std::sin(x) + std::cos(y) - std::tan(z));
  EXPECT_EQ(value_of("asin(x)+acos(x)-atan(y)"), std::asin(x) + std::acos(x) - std::atan(y));
  EXPECT_EQ(value_of("atan2(y, x)"), std::atan2(y, x));
  EXPECT_EQ(value_of("sinh(x)+cosh(x)-tanh(x)"), std::sinh(x) + std::cosh(x) - std::tanh(x));
  EXPECT_EQ(value_of("abs(y)"), -y);
  EXPECT_EQ(value_of("min(x, y)"), y);
  EXPECT_EQ(value_of("max(x, y)"), x);
  EXPECT_EQ(value_of("floor(y)"), -2);
  EXPECT_EQ(value_of("sign(y) + 10*sign(x) + 100*sign(x-x)"), 9);
  EXPECT_EQ(value_of("step(y) + 10*step(x) + 100*step(x-x)"), 110);
  EXPECT_EQ(value_of("pow(z, x)"), std::pow(z, x));
  EXPECT_EQ(value_of("z^x"), std::pow(z, x));
}

TEST(Expressions, ExpandSmallPowersToProducts) {
  EXPECT_EQ(value_of("x^2"), x * x);
  EXPECT_EQ(value_of("x^3"), x * x * x);
  EXPECT_EQ(value_of("x^4"), (x * x) * (x * x));
  EXPECT_EQ(value_of("x^0"), 1);
  EXPECT_EQ(value_of("x^1"), x);
  EXPECT_EQ(value_of("x^-3"), 1 / (x * x * x));
  EXPECT_EQ(value_of("x^0.5"), std::sqrt(x));
  EXPECT_EQ(value_of("x^1.5"), x * std::sqrt(x));
  EXPECT_EQ(value_of("x^-1.5"), 1 / (x * std::sqrt(x)));
  EXPECT_EQ(value_of("pow(x, 2)"), x * x);
  // Larger powers use the library's function.
  EXPECT_EQ(value_of("x^17"), std::pow(x, 17.0));
}

TEST(Expressions, ShareCommonSubexpressions) {
  Expressions graph;
  graph.read("-k*x/r^3", constants);
  const std::size_t first = graph.nodes().size();
  graph.read("-k*y/r^3", constants);
  // -k, r and r^3 are reused: only a product and a quotient are new.
  EXPECT_EQ(graph.nodes().size(), first + 2);
}

TEST(Expressions, KnowWhatTheyDependOn) {
  Expressions graph;
  const auto depends = [&](const char* text, Operation on) {
    return graph.depends(graph.read(text, constants), on);
  };
  EXPECT_TRUE(depends("x + sin(t)", Operation::t));
  EXPECT_FALSE(depends("x + sin(y)", Operation::t));
  EXPECT_TRUE(depends("r", Operation::z));
  EXPECT_TRUE(graph.depends_on_velocity(graph.read("1/(1+vz)", constants)));
  EXPECT_FALSE(graph.depends_on_velocity(graph.read("x*y*m*t", constants)));
}

TEST(Expressions, AreTheSameForEveryBlock) {
  Expressions graph;
  const BlockProgram program =
      block_program(graph, {graph.read("sin(x)*k + x^3/(1+x*x) - m", constants)});
  BlockEvaluation<float> evaluation(program, t);
  float column[expression_block];
  for (int i = 0; i < expression_block; ++i) column[i] = 0.1f * static_cast<float>(i) - 2;
  BlockColumns<float> block{};
  for (const float*& c : block.column) c = column;
  evaluation.run(block, expression_block);
  const std::vector<float> all(evaluation.result(0), evaluation.result(0) + expression_block);
  for (int i = 0; i < expression_block; ++i) {
    for (const float*& c : block.column) c = column + i;
    evaluation.run(block, 1);
    EXPECT_EQ(*evaluation.result(0), all[static_cast<std::size_t>(i)]);
  }
}

TEST(WrongExpressions, ArePointedAt) {
  EXPECT_EQ(wrong_with("-k*q"), "4: unknown name 'q'");
  EXPECT_EQ(wrong_with(""), "1: is empty");
  EXPECT_EQ(wrong_with("   "), "4: is empty");
  EXPECT_EQ(wrong_with("x +"), "4: ends where a number, a name or ( is expected");
  EXPECT_EQ(wrong_with("x + * y"), "5: unexpected '*' where a number, a name or ( is expected");
  EXPECT_EQ(wrong_with("x**2"), "3: unexpected '*' where a number, a name or ( is expected");
  EXPECT_EQ(wrong_with("2x"), "2: unexpected 'x' where an operator is expected");
  EXPECT_EQ(wrong_with("x y"), "3: unexpected 'y' where an operator is expected");
  EXPECT_EQ(wrong_with("(x + y"), "1: '(' is never closed");
  EXPECT_EQ(wrong_with("2*(x + (y*z)"), "3: '(' is never closed");
  EXPECT_EQ(wrong_with("x + y)"), "6: unexpected ')' where an operator is expected");
  EXPECT_EQ(wrong_with("()"), "2: unexpected ')' where a number, a name or ( is expected");
  EXPECT_EQ(wrong_with("(x, y)"), "3: unexpected ',' where an operator or ) is expected");
  EXPECT_EQ(wrong_with("sin"), "1: the function sin has no argument");
  EXPECT_EQ(wrong_with("2 + sin x"), "5: the function sin has no argument");
  EXPECT_EQ(wrong_with("sin()"), "5: unexpected ')' where an argument is expected");
  EXPECT_EQ(wrong_with("sin(x, y)"), "6: sin takes 1 argument");
  EXPECT_EQ(wrong_with("atan2(x)"), "8: atan2 takes 2 arguments");
  EXPECT_EQ(wrong_with("min(x, y, z)"), "9: min takes 2 arguments");
  EXPECT_EQ(wrong_with("sin(x"), "4: '(' is never closed");
  EXPECT_EQ(wrong_with("sine(x)"), "1: unknown function 'sine'");
  EXPECT_EQ(wrong_with("k(x)"), "1: unknown function 'k'");
  EXPECT_EQ(wrong_with("X"), "1: unknown name 'X'");
  EXPECT_EQ(wrong_with("v"), "1: unknown name 'v'");
  EXPECT_EQ(wrong_with("x == y"), "3: unexpected '=' where an operator is expected");
  EXPECT_EQ(wrong_with("x = y"), "3: unexpected '=' where an operator is expected");
  EXPECT_EQ(wrong_with("x; y"), "2: unexpected ';' where an operator is expected");
  EXPECT_EQ(wrong_with("x.y"), "2: unexpected '.' where an operator is expected");
  EXPECT_EQ(wrong_with("."), "1: a '.' without digits");
  EXPECT_EQ(wrong_with("1.2.3"), "4: unexpected '.' where an operator is expected");
  EXPECT_EQ(wrong_with("1e999"), "1: a number beyond the range of double precision");
  EXPECT_EQ(wrong_with("x + 1/0"), "6: is not a finite number here");
  EXPECT_EQ(wrong_with("sqrt(-1)*x"), "1: is not a finite number here");
  EXPECT_EQ(wrong_with("0^-1"), "2: is not a finite number here");
  EXPECT_EQ(wrong_with("x × y"), "3: unexpected '×' where an operator is expected");
  EXPECT_EQ(wrong_with("nan"), "1: unknown name 'nan'");
  EXPECT_EQ(wrong_with("inf*x"), "1: unknown name 'inf'");
  EXPECT_EQ(wrong_with(std::string("x\0y", 3)), "2: an invalid byte where an operator is expected");
}

TEST(HostileExpressions, AreRefusedAndNothingOverflows) {
  const auto repeated = [](const std::string& part, std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i < times; ++i) text += part;
    return text;
  };
  EXPECT_EQ(wrong_with("(((("), "5: ends where a number, a name or ( is expected");
  EXPECT_EQ(wrong_with(repeated("(", 65) + "x" + repeated(")", 65)),
            "65: nests deeper than 64 levels");
  EXPECT_EQ(wrong_with(repeated("(", 63) + "x" + repeated(")", 63)), "");
  EXPECT_EQ(wrong_with(repeated("-", 60000) + "x"), "65: nests deeper than 64 levels");
  EXPECT_EQ(wrong_with(repeated("x^", 30000) + "x"), "129: nests deeper than 64 levels");
  EXPECT_EQ(wrong_with(repeated("sin(", 16000)), "257: nests deeper than 64 levels");
  EXPECT_EQ(wrong_with(repeated("x+", 500000) + "x"), "1: is longer than 65,536 characters");
  EXPECT_EQ(wrong_with(std::string(1 << 20, '(')), "1: is longer than 65,536 characters");
  std::string sum = "x";
  for (int i = 0; i < 4100; ++i) sum += "+" + std::to_string(i + 2) + "*x";
  EXPECT_NE(wrong_with(sum).find("has more than 4,096 operations"), std::string::npos);
  // Few operations, however often they are written.
  EXPECT_EQ(wrong_with("min(x*y, " + repeated("x*y", 1) + repeated(" ", 60000) + ")"), "");
}

}  // namespace
}  // namespace mote::sim
