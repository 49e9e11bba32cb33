#include "sim/field/cuda_source.h"

#include <fmt/format.h>

namespace mote::sim {
namespace {

constexpr const char* variable_names[] = {"x", "y", "z", "vx", "vy", "vz", "m", "t"};

/// The exact value, as a hexadecimal literal.
std::string literal(double value, bool single) {
  return single ? fmt::format("{:a}f", static_cast<float>(value)) : fmt::format("{:a}", value);
}

/// One operation; `f` is the suffix of math functions: "f" for float.
std::string operation_text(Operation operation, const std::string& a, const std::string& b,
                           const char* f) {
  const auto call = [&](const char* name) { return fmt::format("{}{}({})", name, f, a); };
  switch (operation) {
    case Operation::negate:
      return "-" + a;
    case Operation::add:
      return a + " + " + b;
    case Operation::subtract:
      return a + " - " + b;
    case Operation::multiply:
      return a + " * " + b;
    case Operation::divide:
      return a + " / " + b;
    case Operation::power:
      return fmt::format("pow{}({}, {})", f, a, b);
    case Operation::sqrt:
      return call("sqrt");
    case Operation::exp:
      return call("exp");
    case Operation::log:
      return call("log");
    case Operation::sin:
      return call("sin");
    case Operation::cos:
      return call("cos");
    case Operation::tan:
      return call("tan");
    case Operation::asin:
      return call("asin");
    case Operation::acos:
      return call("acos");
    case Operation::atan:
      return call("atan");
    case Operation::atan2:
      return fmt::format("atan2{}({}, {})", f, a, b);
    case Operation::sinh:
      return call("sinh");
    case Operation::cosh:
      return call("cosh");
    case Operation::tanh:
      return call("tanh");
    case Operation::abs:
      return call("fabs");
    case Operation::min:
      return fmt::format("{0} < {1} ? {0} : {1}", a, b);
    case Operation::max:
      return fmt::format("{0} > {1} ? {0} : {1}", a, b);
    case Operation::floor:
      return call("floor");
    case Operation::sign:
      return fmt::format("{0} > 0 ? 1 : {0} < 0 ? -1 : 0", a);
    case Operation::step:
      return fmt::format("{} >= 0 ? 1 : 0", a);
    default:
      return a;
  }
}

/// A device function `name` that adds values of a graph to its last arguments, which are
/// references.
std::string function_text(const std::string& name, const Expressions& graph,
                          const std::vector<Expressions::Index>& results, bool single) {
  const char* const real = single ? "float" : "double";
  const char* const suffix = single ? "f" : "";
  std::vector<char> needed(graph.nodes().size(), 0);
  for (const Expressions::Index r : results) needed[r] = 1;
  for (std::size_t i = needed.size(); i-- > 0;)
    if (needed[i] && graph.nodes()[i].operation > Operation::constant)
      needed[graph.nodes()[i].a] = needed[graph.nodes()[i].b] = 1;
  std::string text = fmt::format("__device__ void {}(", name);
  for (const char* variable : variable_names) text += fmt::format("{} {}, ", real, variable);
  for (std::size_t k = 0; k < results.size(); ++k)
    text += fmt::format("{}{}& out{}", k == 0 ? "" : ", ", real, k);
  text += ") {\n";
  for (std::size_t i = 0; i < needed.size(); ++i) {
    if (!needed[i]) continue;
    const Expressions::Node& node = graph.nodes()[i];
    std::string value;
    if (node.operation < Operation::constant)
      value = variable_names[static_cast<std::size_t>(node.operation)];
    else if (node.operation == Operation::constant)
      value = literal(node.value, single);
    else
      value = operation_text(node.operation, fmt::format("n{}", node.a), fmt::format("n{}", node.b),
                             suffix);
    text += fmt::format("  const {} n{} = {};\n", real, i, value);
  }
  for (std::size_t k = 0; k < results.size(); ++k)
    text += fmt::format("  out{} += n{};\n", k, results[k]);
  return text + "}\n";
}

/// Functions for these fields; appends their calls to `calls`, one a line.
std::string functions_of(const std::vector<const ExpressionField*>& fields, const char* name,
                         const char* arguments, bool single, std::string& calls) {
  std::string text;
  for (std::size_t k = 0; k < fields.size(); ++k) {
    const auto& a = fields[k]->acceleration;
    text +=
        function_text(fmt::format("{}{}", name, k), fields[k]->graph, {a.begin(), a.end()}, single);
    calls += fmt::format("    {}{}({});\n", name, k, arguments);
  }
  return text;
}

constexpr const char* kernel_start = R"(
extern "C" __global__ void __launch_bounds__(256) {name}(
    long long n, const Real* m, const Real* x, const Real* y, const Real* z, {velocity}Real* vx, {velocity}Real* vy,
    {velocity}Real* vz, const double* time, {more}) {{
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= n{unless}) return;
)";

std::string kernel_text(const char* name, const char* velocity, const char* more,
                        const char* unless) {
  return fmt::format(fmt::runtime(kernel_start), fmt::arg("name", name),
                     fmt::arg("velocity", velocity), fmt::arg("more", more),
                     fmt::arg("unless", unless));
}

}  // namespace

std::string cuda_source(const std::vector<Field>& fields, engine::Precision precision,
                        int evaluations) {
  const bool single = precision == engine::Precision::single;
  std::string still, moving, potentials;
  std::string text = fmt::format("typedef {} Real;\n", single ? "float" : "double");
  text += functions_of(expressions_of(fields, false), "still",
                       "x[i], y[i], z[i], vx[i], vy[i], vz[i], m[i], t, a, b, c", single, still);
  text += functions_of(expressions_of(fields, true), "moving",
                       "x[i], y[i], z[i], ux, uy, uz, m[i], t, a, b, c", single, moving);
  std::size_t k = 0;
  for (const Field& field : fields)
    if (const auto* f = std::get_if<ExpressionField>(&field); f && f->has_potential) {
      text += function_text(fmt::format("potential{}", k), f->graph, {f->potential}, false);
      potentials += fmt::format(
          "  potential{}(x[i], y[i], z[i], vx[i], vy[i], vz[i], m[i], *time, sum);\n", k++);
    }
  text += kernel_text("add_fields", "const ", "Real* ax, Real* ay, Real* az", "");
  text += "  const Real t = *time;\n  Real a = ax[i], b = ay[i], c = az[i];\n" + still +
          "  ax[i] = a, ay[i] = b, az[i] = c;\n}\n";
  text +=
      kernel_text("kick_fields", "",
                  "const Real* ax, const Real* ay, const Real* az, Real h, const unsigned* halted",
                  " || *halted");
  text += fmt::format(R"(  const Real t = *time;
  Real ux = vx[i], uy = vy[i], uz = vz[i];
  for (int k = 1; k <= {0}; ++k) {{
    Real a = ax[i], b = ay[i], c = az[i];
{1}    const Real step = k == {0} ? h : Real(0.5) * h;
    ux = vx[i] + step * a, uy = vy[i] + step * b, uz = vz[i] + step * c;
  }}
  vx[i] = ux, vy[i] = uy, vz[i] = uz;
}}
)",
                      evaluations, moving);
  text += kernel_text("add_potentials", "const ", "double* phi", "");
  return text + "  double sum = phi[i];\n" + potentials + "  phi[i] = sum;\n}\n";
}

}  // namespace mote::sim
